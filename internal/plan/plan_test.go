package plan

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var update = flag.Bool("update", false, "write the plans into testdata")

// crdOf makes a CRD of words such as "v1alpha1:served+storage".
func crdOf(versions ...string) *apiextensions.CustomResourceDefinition {
	crd := &apiextensions.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "foos.example.com"}}
	crd.Spec.Group, crd.Spec.Scope = "example.com", apiextensions.NamespaceScoped
	crd.Spec.Names = apiextensions.CustomResourceDefinitionNames{Plural: "foos", Kind: "Foo"}
	for _, text := range versions {
		name, words, _ := strings.Cut(text, ":")
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensions.CustomResourceDefinitionVersion{
			Name: name, Served: strings.Contains(words, "served"), Storage: strings.Contains(words, "storage"), Deprecated: strings.Contains(words, "deprecated"),
		})
	}
	return crd
}

func with(crd *apiextensions.CustomResourceDefinition, change func(*apiextensions.CustomResourceDefinition)) *apiextensions.CustomResourceDefinition {
	change(crd)
	return crd
}

func webhook(crd *apiextensions.CustomResourceDefinition) {
	crd.Spec.Conversion = &apiextensions.CustomResourceConversion{
		Strategy:            apiextensions.WebhookConverter,
		WebhookClientConfig: &apiextensions.WebhookClientConfig{Service: &apiextensions.ServiceReference{Namespace: "system", Name: "converter"}},
	}
}

func schemaIn(version int, field string) func(*apiextensions.CustomResourceDefinition) {
	return func(crd *apiextensions.CustomResourceDefinition) {
		crd.Spec.Versions[version].Schema = &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{
			Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{field: {Type: "string"}},
		}}
	}
}

func TestPlans(t *testing.T) {
	t.Parallel()
	file := Options{File: "config/crd/foos.yaml"}
	tests := []struct {
		name     string
		from, to *apiextensions.CustomResourceDefinition
		opt      Options
		titles   []string
	}{
		{"nothing", crdOf("v1:served+storage"), crdOf("v1:served+storage"), file, nil},
		{"add", crdOf("v1:served+storage"), crdOf("v1:served+storage", "v2:served"), file, []string{"serve v2"}},
		{"add-and-store", crdOf("v1:served+storage"), crdOf("v1:served", "v2:served+storage"), file, []string{"serve v2", "store as v2"}},
		{
			"replace", crdOf("v1alpha1:served+storage"), with(crdOf("v1:served+storage"), webhook), file,
			[]string{"serve v1, deprecate v1alpha1", "store as v1", "stop serving v1alpha1", "remove v1alpha1"},
		},
		{"store", crdOf("v1:served+storage", "v2:served"), crdOf("v1:served", "v2:served+storage"), file, []string{"store as v2"}},
		{"deprecate", crdOf("v1:served", "v2:served+storage"), crdOf("v1:served+deprecated", "v2:served+storage"), file, []string{"deprecate v1"}},
		{"stop", crdOf("v1:served+deprecated", "v2:served+storage"), crdOf("v1:", "v2:served+storage"), file, []string{"stop serving v1"}},
		{"stop-at-once", crdOf("v1:served", "v2:served+storage"), crdOf("v1:", "v2:served+storage"), file, []string{"deprecate v1", "stop serving v1"}},
		{"remove-stopped", crdOf("v1:", "v2:served+storage"), crdOf("v2:served+storage"), file, []string{"remove v1"}},
		{
			"remove-stored", with(crdOf("v1:", "v2:served+storage"), webhook), with(crdOf("v2:served+storage"), webhook),
			Options{File: "crds/my foos.yaml", Stored: []string{"v1", "v2"}}, []string{"remove v1"},
		},
		{"remove-served", crdOf("v1:served+deprecated", "v2:served+storage"), crdOf("v2:served+storage"), file, []string{"stop serving v1", "remove v1"}},
		{"serve-again", crdOf("v1:", "v2:served+storage"), crdOf("v1:served", "v2:served+storage"), file, []string{"serve v1"}},
		{"add-unserved", crdOf("v1:served+storage"), crdOf("v1:served+storage", "v2:"), file, []string{"add, but not serve, v2"}},
		{
			"other-schema", with(crdOf("v1:served+storage"), schemaIn(0, "a")), with(with(crdOf("v1:served+storage", "v2:served"), schemaIn(0, "a")), schemaIn(1, "b")),
			file, []string{"serve v2"},
		},
		{
			"scope", crdOf("v1:served+storage"), with(crdOf("v1:storage"), func(crd *apiextensions.CustomResourceDefinition) { crd.Spec.Scope = apiextensions.ClusterScoped }),
			file, []string{"deprecate v1", "stop serving v1"},
		},
		{
			"chart", crdOf("v1:served+storage"), crdOf("v1:served", "v2:served+storage"),
			Options{File: "my chart/templates/foos.yaml", Chart: "my chart"}, []string{"serve v2", "store as v2"},
		},
		{
			"kustomization", crdOf("v1:served+storage"), crdOf("v1:served", "v2:served+storage"),
			Options{File: file.File, Kustomization: "config/crd", Written: func(release int) string { return fmt.Sprintf("out/%d/foos.yaml", release) }},
			[]string{"serve v2", "store as v2"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := Make(tt.from, tt.to, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			var titles []string
			for _, r := range p.Releases {
				titles = append(titles, r.Title)
			}
			if !slices.Equal(titles, tt.titles) {
				t.Errorf("%q, want %q", titles, tt.titles)
			}
			golden(t, tt.name+".txt", p.Text())
			golden(t, tt.name+".md", p.Markdown())
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; -update writes it. Got:\n%s", path, got)
	}
}

// TestMerge plans once for CRDs that have the same to do, with the commands for each.
func TestMerge(t *testing.T) {
	t.Parallel()
	named := func(plural string) func(*apiextensions.CustomResourceDefinition) {
		return func(crd *apiextensions.CustomResourceDefinition) {
			crd.Name, crd.Spec.Names.Plural = plural+".example.com", plural
		}
	}
	planOf := func(plural, file string, to ...string) *Plan {
		p, err := Make(with(crdOf("v1:served+storage"), named(plural)), with(crdOf(to...), named(plural)), Options{File: file})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	merged := Merge([]*Plan{
		planOf("foos", "crds/all.yaml", "v1:served", "v2:served+storage"),
		planOf("quxes", "crds/quxes.yaml", "v1:served+storage", "v2:served"),
		planOf("bars", "crds/all.yaml", "v1:served", "v2:served+storage"),
		planOf("bazes", "crds/bazes.yaml", "v1:served", "v2:served+storage"),
		planOf("bazes", "dist/bazes.yaml", "v1:served", "v2:served+storage"),
	})
	if len(merged) != 2 || !slices.Equal(merged[0].CRDs, []string{"bars.example.com", "bazes.example.com", "foos.example.com"}) ||
		!slices.Equal(merged[1].CRDs, []string{"quxes.example.com"}) {
		t.Fatalf("%d plans: %v", len(merged), merged)
	}
	golden(t, "merged.txt", merged[0].Text())
}

func TestNoStorage(t *testing.T) {
	t.Parallel()
	for _, versions := range [][]string{{"v1:served"}, {"v1:served+storage", "v2:storage"}, nil} {
		if _, err := Make(crdOf("v1:served+storage"), crdOf(versions...), Options{}); err == nil || !strings.Contains(err.Error(), "the new") {
			t.Errorf("%v: %v", versions, err)
		}
		if _, err := Make(crdOf(versions...), crdOf("v1:served+storage"), Options{}); err == nil || !strings.Contains(err.Error(), "the old") {
			t.Errorf("%v: %v", versions, err)
		}
	}
}

func TestWhole(t *testing.T) {
	t.Parallel()
	crd := crdOf("v1:served+storage")
	added, err := Added(crd)
	if err != nil || len(added.Releases) > 0 {
		t.Errorf("added: %v, %v", added, err)
	}
	deleted, err := Deleted(crd)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "deleted.txt", deleted.Text())
	golden(t, "deleted.md", deleted.Markdown())
	crd.Name = "foos.example.com; reboot"
	if _, err := Make(crd, crd, Options{}); err == nil {
		t.Error("a name gets into commands that no API server takes")
	}
}

// TestEveryPlan plans between all CRDs of up to three versions, and checks every release against the rules of the API
// server and of the documentation.
func TestEveryPlan(t *testing.T) {
	t.Parallel()
	all := everyCRD()
	for i, from := range all {
		if testing.Short() && i%8 != 0 {
			continue
		}
		for _, to := range all {
			for _, stored := range [][]string{nil, {"v1"}, {"v1", "v2"}} {
				stored = slices.DeleteFunc(slices.Clone(stored), func(name string) bool { return !byName(states(from))[name].isThere() })
				p, err := Make(from, to, Options{Stored: stored})
				if err != nil {
					t.Fatal(err)
				}
				if fault := wrong(p, from, to, stored); fault != "" {
					t.Fatalf("from %v to %v, stored %v: %s\n%s", states(from), states(to), stored, fault, p.Text())
				}
			}
		}
	}
}

func everyCRD() []*apiextensions.CustomResourceDefinition {
	var all []*apiextensions.CustomResourceDefinition
	kinds := []string{"", ":", ":served", ":served+deprecated"} // absent, not served, served, deprecated
	for i := range 64 {
		var versions []string
		for v, at := range []int{i % 4, i / 4 % 4, i / 16} {
			if kinds[at] != "" {
				versions = append(versions, fmt.Sprintf("v%d%s", v+1, kinds[at]))
			}
		}
		for n := range versions {
			marked := slices.Clone(versions)
			marked[n] += "+storage"
			all = append(all, crdOf(marked...))
		}
	}
	return all
}

// wrong describes an error of a plan; "" without one.
func wrong(p *Plan, from, to *apiextensions.CustomResourceDefinition, stored []string) string {
	before := states(from)
	at, _ := storage(before)
	listed := map[string]bool{at: true}
	for _, name := range stored {
		listed[name] = true
	}
	for i, r := range p.Releases {
		if r.Title == "" || (r.Why == "") != (i == len(p.Releases)-1) {
			return fmt.Sprintf("release %d has no title, or gives a reason when it should not", i+1)
		}
		commands := ""
		for _, s := range r.Steps {
			commands += strings.Join(s.Commands, "\n") + "\n"
		}
		migrated := strings.Contains(commands, "StorageVersionMigration") && strings.Contains(commands, "kubectl patch")
		now, err := storage(r.Versions)
		if err != nil {
			return err.Error()
		}
		if was := byName(before)[now]; was.Name == "" {
			return now + " is new and the storage version at once"
		}
		if migrated && now == at {
			listed = map[string]bool{now: true} // before the manifest is applied
		}
		for _, v := range before {
			after := byName(r.Versions)[v.Name]
			switch {
			case after.Name == "" && v.Served:
				return v.Name + " is removed while it is served"
			case after.Name == "" && !strings.Contains(commands, "--commands --kubectl > move.sh\nsh move.sh\n"):
				return v.Name + " is removed while managedFields name it"
			case v.Served && !after.Served && byName(r.Versions)[now].Served && byName(before)[now].Served != strings.Contains(commands, "crdlift migrate --to example.com/"+now+" "):
				return v.Name + " stops being served, and manifests are not carried, or where they cannot be"
			case after.Name == "" && listed[v.Name]:
				return v.Name + " is removed while objects are stored as it"
			case v.Served && !after.Served && !v.Deprecated:
				return v.Name + " is not served any more without having been deprecated"
			}
		}
		if migrated != (now != at) && now != at {
			return "the storage version changes and nothing is migrated"
		}
		if now != at {
			listed = map[string]bool{now: true}
		}
		before, at = r.Versions, now
	}
	if !slices.Equal(before, states(to)) && len(p.Releases) > 0 {
		return "it does not lead to the new manifest"
	}
	if len(p.Releases) == 0 {
		for _, v := range states(to) {
			if byName(before)[v.Name] != v {
				return "nothing is planned"
			}
		}
	}
	return ""
}

// TestQuote has a shell read the quoted words.
func TestQuote(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	for _, text := range []string{
		"config/crd/foos.yaml", "my foos.yaml", "", "a'b", `a"b$(id)` + "`id`", `\033`, "größe.yaml", "a\n::error::b", "\x1b[31m7", "\xff\x00"[:1] + "9", "\u202e'\u0301", "-x",
	} {
		quoted := quote(text)
		if strings.ContainsFunc(quoted, func(r rune) bool { return !strconv.IsPrint(r) }) {
			t.Errorf("%q becomes %q", text, quoted)
		}
		if out, err := exec.Command(bash, "-c", "printf %s "+quoted).Output(); err != nil || string(out) != text {
			t.Errorf("%s says %q to bash, want %q (%v)", quoted, out, text, err)
		}
	}
}
