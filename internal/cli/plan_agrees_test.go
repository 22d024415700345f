package cli

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// versionRules are those that speak about which versions there are, and what becomes of them.
var versionRules = func() map[string]bool {
	ids := map[string]bool{}
	for _, topic := range rules.Topics() {
		for _, r := range topic.Rules {
			ids[r.ID] = topic.Name == "versions"
		}
	}
	for _, id := range []string{"stored-version-removed", "version-removed", "version-unserved", "new-version-is-storage", "storage-version-changed"} {
		ids[id] = true
	}
	return ids
}()

// TestPlannedStepsAreQuiet plans between all CRDs of up to three versions, writes the manifest of every release, and lints
// it against the one before: the rules about versions have nothing to warn of, unless the new manifest is to blame.
func TestPlannedStepsAreQuiet(t *testing.T) {
	t.Parallel()
	all := everyManifest()
	for i, from := range all {
		if i%4 != 0 || testing.Short() && i%24 != 0 {
			continue // all of them take minutes
		}
		for _, to := range all {
			if fault := contradiction(t, from, to); fault != "" {
				t.Fatalf("from\n%s\nto\n%s\n%s", from, to, fault)
			}
		}
	}
}

// everyManifest has each of three versions absent, not served, served, or deprecated, and each of those stored.
func everyManifest() []string {
	names := []string{"v1", "v1beta1", "v1alpha1"}
	kinds := []string{"", "served: false", "served: true", "served: true, deprecated: true"}
	var all []string
	for i := range 64 {
		there := []int{i % 4, i / 4 % 4, i / 16}
		for stored := range names {
			if there[stored] == 0 {
				continue
			}
			text := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Foo, listKind: FooList, plural: foos, singular: foo}
  versions:
`
			for v, name := range names {
				if there[v] > 0 {
					text += fmt.Sprintf("    - {name: %s, %s, storage: %t, schema: {openAPIV3Schema: {type: object}}}\n", name, kinds[there[v]], v == stored)
				}
			}
			all = append(all, text)
		}
	}
	return all
}

// contradiction is what lint has against a step of a plan; "" for nothing.
func contradiction(t *testing.T, from, to string) string {
	t.Helper()
	old, now := crd.Parse([]byte(from)), crd.Parse([]byte(to))
	if len(old) != 1 || len(now) != 1 || old[0].Name() != now[0].Name() {
		return ""
	}
	was, err := old[0].Decode()
	if err != nil {
		return ""
	}
	is, err := now[0].Decode()
	if err != nil {
		return ""
	}
	made, err := plan.Make(was.Hub, is.Hub, plan.Options{Stored: []string{}})
	if err != nil || len(made.Releases) == 0 {
		return ""
	}
	document := slices.IndexFunc(manifest.Parse("", []byte(to)).Documents, func(d *manifest.Document) bool {
		return d.Root != nil && len(crdsOf(d)) > 0
	})
	f := &planned{in: planInput{label: "crd.yaml"}, text: []byte(to), crds: []plannedCRD{{document, 0, made.Releases, oldCRD(from)}}}
	if len(warned(to, nil)) > 0 {
		return "" // an error of the final state is one of the steps, too
	}
	before := from
	for release := 1; release <= len(made.Releases); release++ {
		text, err := f.at(release)
		if err != nil {
			return ""
		}
		for message := range warned(string(text), &before) {
			return fmt.Sprintf("release %d, %s: %s\n%s", release, made.Releases[release-1].Title, message, text)
		}
		before = string(text)
	}
	if before != to {
		return "the last release is not the new manifest:\n" + before
	}
	return ""
}

func crdsOf(d *manifest.Document) []*crd.CRD {
	found, _ := crd.Find(d.Root.YNode())
	return found
}

// oldCRD is the first CRD of a manifest; nil when there is none.
func oldCRD(text string) *older.CRD {
	for _, d := range manifest.Parse("old.yaml", []byte(text)).Documents {
		if d.Root != nil && len(crdsOf(d)) > 0 {
			return &older.CRD{CRD: crdsOf(d)[0], Document: d}
		}
	}
	return nil
}

// warned are the warnings and errors about the versions of a manifest, against another one if there is one.
func warned(text string, old *string) map[string]bool {
	l := &rules.Linter{Options: lint.Options{Config: &lint.Config{}}}
	if old != nil {
		read := func() ([]byte, error) { return []byte(*old), nil }
		l.Against, _ = rules.ReadOld([]lint.File{{Path: "crd.yaml", Label: "old.yaml", Read: read}}) // read returns no error
	}
	messages := map[string]bool{}
	for _, f := range l.Report(l.File("crd.yaml", []byte(text))).Findings {
		if f.Severity > lint.Info && versionRules[f.Rule.ID] {
			messages[f.Rule.ID+": "+f.Message] = true
		}
	}
	return messages
}

// TestPlannedStepsAreQuietCorpus is the same for the releases of real CRDs.
func TestPlannedStepsAreQuietCorpus(t *testing.T) {
	t.Parallel()
	for _, files := range corpus.Sample(t, corpus.Releases(t), 8) {
		var before string
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if before != "" {
				if fault := contradiction(t, before, string(src)); fault != "" {
					t.Errorf("%s: %.300s", file, fault)
				}
			}
			before = string(src)
		}
	}
}
