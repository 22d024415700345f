package engine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// TestUnreadAsMeant: what keeps a CRD from being read as it was meant is reported at its place, unless that rule is
// off, and what else is wrong is reported as if the CRD was written right. No fix is offered where none could find its
// place.
func TestUnreadAsMeant(t *testing.T) {
	t.Parallel()
	kind := speaks("kind", "spec.names.kind", remove("spec", "names"))
	for name, test := range map[string]struct {
		src   string
		rule  *Rule
		want  []string
		off   []string // when the rule is
		crds  int
		rest  int // other manifests
		fixes bool
	}{
		"a misspelt kind": {
			strings.Replace(backup, "CustomResourceDefinition", "CustomResourceDefinitoin", 1), HeadRule,
			[]string{
				`2:7-2:31 document-head-misspelt there is no kind "CustomResourceDefinitoin" in apiextensions.k8s.io; did you mean CustomResourceDefinition?`,
				"8:11-8:17 kind is here",
			}, nil, 1, 0, false,
		},
		"a misspelt spec": {
			strings.Replace(backup, "spec:", "sepc:", 1), HeadRule,
			[]string{
				`5:1-5:5 document-head-misspelt there is no field "sepc" here; did you mean spec?`,
				"8:11-8:17 kind is here",
			}, nil, 1, 0, false,
		},
		"text in the place of spec": {
			"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: group:example.com\n", HeadRule,
			[]string{
				"1:1-1:11 checks-not-run crdlift checked nothing else of this manifest, because its intent is unclear; correct it and lint again",
				"3:7-3:24 document-head-misspelt spec must be a mapping, but this is a string; a space after a colon may be missing, or the indentation may be wrong",
			}, nil, 1, 0, false,
		},
		"no separator": {
			backup + "kind: ConfigMap\napiVersion: v1\n", SeparatorRule,
			[]string{
				"8:11-8:17 kind is here",
				"19:1-19:5 document-separator-missing another manifest begins here, and servers read only the last one; write --- above this line",
			}, nil, 1, 1, false, // the last kind is ConfigMap
		},
		"a directive": {
			"# first\n%YAML 1.1\n---\n" + backup, DirectiveRule,
			[]string{"2:1-2:10 yaml-directive kubectl cannot read a file with %YAML 1.1 in it; remove the line", "11:11-11:17 kind is here"},
			[]string{"11:11-11:17 kind is here"}, 1, 0, true,
		},
		"a directive of another document": {
			"%YAML 1.1\n---\nkind: ConfigMap\n---\n" + backup, DirectiveRule,
			[]string{"1:1-1:10 yaml-directive kubectl cannot read a file with %YAML 1.1 in it; remove the line", "12:11-12:17 kind is here"},
			[]string{"12:11-12:17 kind is here"}, 1, 1, true,
		},
		"nothing": {backup, HeadRule, []string{"8:11-8:17 kind is here"}, []string{"8:11-8:17 kind is here"}, 1, 0, true},
	} {
		l := &Linter{Rules: []*Rule{kind}}
		r := l.Report([]*FileReport{l.File("crd.yaml", []byte(test.src))})
		if diff := cmp.Diff(test.want, linesOf(r.Findings)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if r.CRDs != test.crds || r.Others != test.rest {
			t.Errorf("%s: %d CRDs and %d others, want %d and %d", name, r.CRDs, r.Others, test.crds, test.rest)
		}
		for _, f := range r.Findings {
			if f.Rule.ID == kind.ID && (f.Fix != nil) != test.fixes {
				t.Errorf("%s: has a fix: %t", name, f.Fix != nil)
			}
		}
		l.Config = &lint.Config{Rules: map[string]lint.Severity{test.rule.ID: lint.Off}}
		if diff := cmp.Diff(test.off, linesOf(l.File("crd.yaml", []byte(test.src)).Findings)); diff != "" {
			t.Errorf("%s, with %s off: %s", name, test.rule.ID, diff)
		}
	}
}

// TestMisspeltIsNotRemoved: a CRD whose head is misspelt now is still there, and compared with the one it was.
func TestMisspeltIsNotRemoved(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"judged as it was meant": strings.Replace(backup, "CustomResourceDefinition", "CustomResourceDefinitoin", 1),
		"not clear":              strings.Replace(backup, "spec:\n", "spec: group:example.com\nrest:\n", 1),
		"a part":                 "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitoin\nmetadata: {name: backups.example.com}\n",
	} {
		asked := ""
		l := &Linter{Sources: vicinity.Sources{Old: func(name, _ string, _ int) *older.CRD {
			asked += name
			return nil
		}}}
		if l.File("crd.yaml", []byte(src)); asked != "backups.example.com" {
			t.Errorf("%s: the old side was asked for %q", name, asked)
		}
	}
}

// TestPlaceholders: of a template that parses, what rules say of its placeholders is one finding for each place, and
// everything else stays.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	rules := []*Rule{
		speaks("group", "spec.group", nil), speaks("again", "spec.group", nil), speaks("scope", "spec.scope", nil),
		speaks("plural", "spec.names.plural", nil), speaks("name", "metadata.name", nil), speaks("kind", "spec.names.kind", nil),
		{ID: "rejects", Severity: lint.Error, Run: func(p *Pass) { p.Refuse(at(p.CRD, "spec.group"), "no") }},
		{ID: "speaks-of-it", Severity: lint.Info, Run: func(p *Pass) { p.Report(at(p.CRD, "spec.versions"), "has ${SCOPE} in it") }},
	}
	template := strings.NewReplacer("name: backups.example.com", "name: backups.x", "group: example.com", "group: ${GROUP}", "scope: Namespaced", "scope: ${SCOPE:-Cluster}").Replace(backup)
	l := &Linter{Rules: rules}
	found := l.File("crd.yaml", []byte(template)).Findings
	const of = " is a placeholder, and its value is not checked; lint the rendered manifest"
	if diff := cmp.Diff([]string{
		"6:10-6:18 template-placeholder ${GROUP}" + of,
		"8:11-8:17 kind is here",
		"9:13-9:20 plural is here",
		"11:10-11:27 template-placeholder ${SCOPE:-Cluster}" + of,
		"12:3-12:11 template-placeholder ${SCOPE}" + of,
	}, linesOf(found)); diff != "" {
		t.Fatal(diff)
	}
	if found[0].RefusedBy != "v1" || found[3].RefusedBy != "" {
		t.Errorf("rejected by %q and %q", found[0].RefusedBy, found[3].RefusedBy)
	}
	l.Config = &lint.Config{Rules: map[string]lint.Severity{PlaceholderRule.ID: lint.Off}}
	if found := l.File("crd.yaml", []byte(template)).Findings; len(found) != len(rules) {
		t.Errorf("switched off: %v", linesOf(found))
	}

	l.Config = nil
	l.Rules = append(rules, speaks("of-spec", "spec", nil), &Rule{ID: "mild", Severity: lint.Info, Run: func(p *Pass) { p.Report(at(p.CRD, "spec"), "stays") }})
	ytt := strings.Replace(backup, "scope: Namespaced", "scope: #@ data.values.scope", 1)
	if diff := cmp.Diff([]string{
		"4:9-4:28 name is here", "5:1-5:5 mild stays", "6:10-6:21 again is here", "6:10-6:21 group is here", "6:10-6:21 rejects no", "8:11-8:17 kind is here", "9:13-9:20 plural is here",
		"11:9-11:9 template-placeholder #@ data.values.scope" + of, "12:3-12:11 template-placeholder ${SCOPE}" + of,
	}, linesOf(l.File("crd.yaml", []byte(ytt)).Findings)); diff != "" {
		t.Error(diff)
	}
	// to a server of v1beta1 the value is absent, and has a default: no rule says anything
	older := strings.Replace(strings.Replace(ytt, "k8s.io/v1", "k8s.io/v1beta1", 1), "    schema:", "    schema: #@ data.values.schema\n    x:", 1)
	got := linesOf((&Linter{}).File("crd.yaml", []byte(older)).Findings)
	if diff := cmp.Diff([]string{
		"11:9-11:9 template-placeholder #@ data.values.scope" + of, "16:12-16:12 template-placeholder #@ data.values.schema" + of,
	}, got); diff != "" {
		t.Error(diff)
	}
}

// TestGenerated: the fixes of a generated manifest say where they have to be made to last, and none of them is safe. A
// dump from a cluster is not what the generator wrote.
func TestGenerated(t *testing.T) {
	t.Parallel()
	generated := strings.Replace(backup, "metadata:\n", "metadata:\n  annotations: {controller-gen.kubebuilder.io/version: v0.16.5}\n", 1)
	for name, test := range map[string]struct {
		src        string
		final      bool
		source     string
		unfinished bool
	}{
		"by hand":                      {src: backup},
		"by controller-gen":            {src: generated, source: "through the marker +kubebuilder:resource:shortName in the Go types, and run controller-gen again", unfinished: true},
		"built from it, to be applied": {src: generated, final: true, source: "through the marker +kubebuilder:resource:shortName in the Go types, and run controller-gen again"},
		"a dump from a cluster":        {src: strings.Replace(generated, "  name:", "  uid: 1f8b\n  name:", 1)},
	} {
		unfinished := false
		l := &Linter{Options: lint.Options{Final: test.final}, Rules: []*Rule{
			speaks("a", "spec.names.shortNames", remove("spec.names", "shortNames")), speaks("b", "spec.scope", nil),
			{ID: "c", Severity: lint.Info, Run: func(p *Pass) { unfinished = p.Unfinished() }},
		}}
		for _, f := range l.File("crd.yaml", []byte(test.src)).Findings {
			if f.Rule.ID == "a" && (f.Fix.Source != test.source || f.Fix.Safe != (test.source == "")) {
				t.Errorf("%s: %+v", name, f.Fix)
			}
		}
		if unfinished != test.unfinished {
			t.Errorf("%s: unfinished is %t", name, unfinished)
		}
	}
}
