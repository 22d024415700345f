package engine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/lint"
)

// meansScope is a rule about misspelt fields, which knows one of them.
func meansScope(severity lint.Severity) *Rule {
	return &Rule{
		ID: "misspelt", Severity: severity,
		Meant: func(_ *crd.CRD, u crd.UnknownField) string {
			if u.Name() == "scop" {
				return "spec.scope"
			}
			return ""
		},
		Run: func(p *Pass) {
			misspelt, others := p.UnknownFields()
			for _, u := range misspelt {
				p.Reportf(crd.Place{Node: u.Key, Path: u.Place.Path}, "%s is misspelt", u.Name()).Fix = &Fix{Title: "correct it", Safe: true, Apply: func(*crd.CRD) bool { return true }}
			}
			for _, u := range others {
				p.Reportf(crd.Place{Node: u.Key, Path: u.Place.Path}, "%s is unknown", u.Name())
			}
		},
	}
}

// TestMisspeltFields: where a misspelt field is an error, other rules see it under its right name, at the place where it
// is; a fix there has to wait. Where it is not, they see what the server sees, which drops it.
func TestMisspeltFields(t *testing.T) {
	t.Parallel()
	scope := speaks("scope", "spec.scope", remove("spec", "scope"))
	other := speaks("other", "spec.names.kind", remove("spec", "names"))
	both := strings.Replace(backup, "  scope: Namespaced\n", "  scop: Namespaced\n  colour: red\n", 1)
	for name, test := range map[string]struct {
		src      string
		severity lint.Severity
		changes  bool
		want     []string
	}{
		"as an error": {both, lint.Error, false, []string{
			"8:11-8:17 other is here", "11:3-11:7 misspelt scop is misspelt", "11:9-11:19 scope is here", "12:3-12:9 misspelt colour is unknown",
		}},
		"as a warning":             {both, lint.Warning, false, []string{"8:11-8:17 other is here", "11:3-11:7 misspelt scop is unknown", "12:3-12:9 misspelt colour is unknown"}},
		"when only changes matter": {both, lint.Error, true, nil},
		"one that nobody knows":    {strings.Replace(backup, "  scope:", "  sky:", 1), lint.Error, false, []string{"8:11-8:17 other is here", "11:3-11:6 misspelt sky is unknown"}},
		"none":                     {backup, lint.Error, false, []string{"8:11-8:17 other is here", "11:10-11:20 scope is here"}},
	} {
		for order, rules := range map[string][]*Rule{"first": {meansScope(test.severity), scope, other}, "last": {scope, other, meansScope(test.severity)}} {
			found := (&Linter{Rules: rules, Options: lint.Options{Changes: test.changes}}).File("crd.yaml", []byte(test.src)).Findings
			if diff := cmp.Diff(test.want, linesOf(found)); diff != "" {
				t.Errorf("%s, the rule comes %s: %s", name, order, diff)
			}
			for _, f := range found {
				if f.Rule.ID == "scope" && (f.Fix == nil) != (f.Path == "spec.scop") || f.Rule.ID == "other" && f.Fix == nil {
					t.Errorf("%s: %s at %s has the fix %v", name, f.Rule.ID, f.Path, f.Fix)
				}
			}
		}
	}
}

// TestMisspeltOnBothSides: a field that was misspelt before in the same way did not change.
func TestMisspeltOnBothSides(t *testing.T) {
	t.Parallel()
	misspelt := strings.Replace(backup, "  scope:", "  scop:", 1)
	for name, test := range map[string]struct {
		now, old, want string
	}{
		"misspelt on both sides": {misspelt, misspelt, "Namespaced Namespaced"},
		"misspelt now":           {misspelt, backup, "Namespaced Namespaced"},
		"misspelt before":        {backup, misspelt, " Namespaced"}, // the server never knew it
		"on neither side":        {backup, backup, "Namespaced Namespaced"},
	} {
		got := ""
		l := &Linter{
			Rules: []*Rule{meansScope(lint.Error), {ID: "compares", Severity: lint.Error, NeedsOld: true, Run: func(p *Pass) {
				got = crd.StringAt(p.Old().CRD.Node, "spec", "scope") + " " + crd.StringAt(p.CRD.Node, "spec", "scope")
			}}},
			Sources: comparedWith(&older.CRD{CRD: crd.Parse([]byte(test.old))[0]}),
		}
		if l.File("crd.yaml", []byte(test.now)); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// TestFollowingFindings: a rule is silent where another one tells the cause, at the same path or in the same place.
func TestFollowingFindings(t *testing.T) {
	t.Parallel()
	report := func(id string, follows []string, paths ...string) *Rule {
		return &Rule{ID: id, Severity: lint.Error, Follows: follows, Run: func(p *Pass) {
			for _, path := range paths {
				place, _ := p.CRD.Resolve(crd.Steps(path))
				p.Report(crd.Place{Node: place.Node, Path: path}, path)
			}
		}}
	}
	l := &Linter{Rules: []*Rule{
		report("cause", nil, "spec.scope", "spec.names"),
		report("silent", []string{"elsewhere", "cause"}, "spec.scope", "spec.names", "spec.names.nothing", "spec.group"),
		report("independent", nil, "spec.scope"),
	}}
	want := []string{
		"6:10-6:21 silent spec.group", "7:3-7:8 cause spec.names", "8:5-8:9 silent spec.names.nothing", "11:10-11:20 cause spec.scope", "11:10-11:20 independent spec.scope",
	}
	if diff := cmp.Diff(want, linesOf(l.File("crd.yaml", []byte(backup)).Findings)); diff != "" {
		t.Error(diff)
	}
}

// TestUnreadableValues: a value of a wrong type is replaced, so that everything else is judged. Only rules that explain
// why the manifest cannot be read speak of that value, and none that depends on it says anything.
func TestUnreadableValues(t *testing.T) {
	t.Parallel()
	src := strings.NewReplacer("storage: true", "storage: [yes]", "kind: Backup", "kind: {a: b}").Replace(backup)
	reports := func(id, path string, change func(*Rule)) *Rule {
		r := &Rule{ID: id, Severity: lint.Error, Run: func(p *Pass) {
			place, _ := p.CRD.Resolve(crd.Steps(path))
			p.Report(crd.Place{Node: place.Node, Path: path}, "is here")
		}}
		if change != nil {
			change(r)
		}
		return r
	}
	var wrong []string
	l := &Linter{Rules: []*Rule{
		meansScope(lint.Error), // looks at unknown fields first
		reports("of-it", "spec.names.kind", nil),
		reports("why", "spec.names.kind", func(r *Rule) { r.Reading = true }),
		reports("scope", "spec.scope", nil),
		reports("needs-kind", "spec.scope", func(r *Rule) { r.DependsOn = []string{"spec.names.kind"} }),
		reports("needs-storage", "spec.scope", func(r *Rule) { r.DependsOn = []string{"*.storage"} }),
		reports("needs-versions", "spec.scope", func(r *Rule) { r.DependsOn = []string{"spec.versions[*].storage", "*.versions[*].storage"} }),
		reports("needs-plural", "spec.scope", func(r *Rule) { r.DependsOn = []string{"spec.names.plural", "*.served"} }),
		{ID: "types", Severity: lint.Info, Reading: true, Run: func(p *Pass) {
			if p.DecodeError() == nil || p.Accepted() || p.Hub() == nil {
				t.Errorf("decoding it: %v, accepted: %t", p.DecodeError(), p.Accepted())
			}
			for _, w := range p.WrongTypes() {
				wrong = append(wrong, w.Place.Path)
			}
		}},
	}}
	want := []string{"1:1-1:11 why is here", "11:10-11:20 needs-plural is here", "11:10-11:20 scope is here"}
	if diff := cmp.Diff(want, linesOf(l.File("crd.yaml", []byte(src)).Findings)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"spec.names.kind", "spec.versions[0].storage"}, wrong); diff != "" {
		t.Error(diff)
	}
}

// TestUnknownFieldsOfUnreadable: unknown fields are known even where no server can read the manifest.
func TestUnknownFieldsOfUnreadable(t *testing.T) {
	t.Parallel()
	src := strings.Replace(backup, "scope: Namespaced", "scope: &s [a]\n  preserveUnknownFields: *s\n  colour: red", 1)
	l := &Linter{Rules: []*Rule{meansScope(lint.Error)}, Options: lint.Options{Config: &lint.Config{Rules: map[string]lint.Severity{UnjudgedRule.ID: lint.Off}}}}
	if diff := cmp.Diff([]string{"13:3-13:9 misspelt colour is unknown"}, linesOf(l.File("crd.yaml", []byte(src)).Findings)); diff != "" {
		t.Error(diff)
	}
}

// TestRefusals: a rule is given the errors of the API server that belong to it. Those of an update are apart: they do not
// keep the manifest from being created, and what a create rejects already is none of them.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		now, old string
		want     []string
		accepted bool
	}{
		"rejected on create":             {strings.Replace(backup, "Namespaced", "Everywhere", 1), "", []string{"scope-invalid v1"}, false},
		"and the same way on update":     {strings.Replace(backup, "Namespaced", "Everywhere", 1), backup, []string{"scope-invalid v1"}, false},
		"rejected on update":             {strings.Replace(backup, "Namespaced", "Cluster", 1), backup, []string{"immutable-field-changed "}, true},
		"a new one":                      {strings.Replace(backup, "Namespaced", "Cluster", 1), "", nil, true},
		"unchanged":                      {backup, backup, nil, true},
		"an old one that cannot be read": {strings.Replace(backup, "Namespaced", "Cluster", 1), strings.Replace(backup, "scope: Namespaced", "scope: [a]", 1), nil, true},
	} {
		var accepted bool
		explain := func(p *Pass, r Refusal) { p.Refusef(r.At, "%s", r.Field) }
		rule := func(id string) *Rule {
			return &Rule{ID: id, Severity: lint.Error, Run: func(p *Pass) {
				accepted = p.Accepted()
				for _, r := range p.Refusals() {
					explain(p, r)
				}
				p.EachUpdateRefusal(explain)
			}}
		}
		l := &Linter{Rules: []*Rule{rule("scope-invalid"), rule("immutable-field-changed")}}
		if test.old != "" {
			l.Sources = comparedWith(&older.CRD{CRD: crd.Parse([]byte(test.old))[0]})
		}
		var got []string
		for _, f := range l.File("crd.yaml", []byte(test.now)).Findings {
			got = append(got, f.Rule.ID+" "+f.RefusedBy)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if accepted != test.accepted {
			t.Errorf("%s: accepted is %t", name, accepted)
		}
	}
}

// TestNotChecked: that the API server's checks did not run, or not all of them, is said once for the CRD.
func TestNotChecked(t *testing.T) {
	t.Parallel()
	rule := "type: object\n        properties: {spec: {type: object, x-kubernetes-validations: [{rule: self.size}], properties: {size: {}}}}"
	for name, test := range map[string]struct {
		src  string
		want []string
	}{
		"all ran": {backup, nil},
		"none, since two places share a value that cannot be read": {
			strings.Replace(backup, "scope: Namespaced", "scope: &s [a]\n  preserveUnknownFields: *s", 1),
			[]string{"1:1-1:11 checks-not-run crdlift checked nothing that the API server validates, because it cannot read the manifest; fix the errors and lint again"},
		},
		"not the default of a field without a type": {
			strings.Replace(backup, "type: object", "type: object\n        properties: {size: {default: 1}}", 1),
			[]string{"1:1-1:11 checks-not-run not all defaults were checked, because that depends on how you fix the errors; fix them, and lint again"},
		},
		"that of a field of an unknown type, which the server rejects": {
			strings.Replace(backup, "type: object", "type: object\n        properties: {size: {type: int, default: 1}}", 1), nil,
		},
		"not those of a rule about a field without a type": {
			strings.Replace(backup, "type: object", rule, 1),
			[]string{"1:1-1:11 checks-not-run not all CEL rules were checked, because that depends on how you fix the errors; fix them, and lint again"},
		},
	} {
		if diff := cmp.Diff(test.want, linesOf((&Linter{}).File("crd.yaml", []byte(test.src)).Findings)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		off := &Linter{Options: lint.Options{Config: &lint.Config{Rules: map[string]lint.Severity{UnjudgedRule.ID: lint.Off}}}}
		if found := off.File("crd.yaml", []byte(test.src)).Findings; len(found) > 0 {
			t.Errorf("%s, switched off: %v", name, linesOf(found))
		}
	}
}
