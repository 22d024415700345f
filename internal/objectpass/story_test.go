package objectpass

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
)

// database is an object with a spec of one line.
func database(name, spec string) string {
	return "apiVersion: example.com/v1\nkind: Database\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\n"
}

// TestVerdicts: an object is rejected for what a server says of its values, and not for what it would say of placeholders, unless
// manifests are applied as they are.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	strict := &engine.Rule{ID: "object-strict", Severity: lint.Error, Object: &Check{Run: func(p *Pass) {
		if _, has := p.Tree()["spec"].(map[string]any)["siez"]; has {
			p.Report(request.Keys("spec"), "unknown field").Strict = true
		}
	}}}
	withRule := strings.Replace(databaseCRD, "            required: [size]", "            required: [size]\n            x-kubernetes-validations: [{rule: \"self.size != 'none'\"}]", 1)
	for _, test := range []struct {
		name, crd, src string
		rules          map[string]lint.Severity
		want           string
	}{
		{"accepted", databaseCRD, database("a", "size: small"), nil, lint.Accepted},
		{"refused", databaseCRD, database("a", "size: A1"), nil, lint.Refused},
		{"rejected, and the rule is off", databaseCRD, database("a", "size: A1"), map[string]lint.Severity{"object-cause": lint.Off}, lint.Refused},
		{"a placeholder", databaseCRD, database("a", "size: '${SIZE}'"), nil, lint.Accepted},
		{"a placeholder that keeps rules from running", withRule, database("a", "size: small, replicas: '${N}'"), nil, lint.Accepted},
		{"a placeholder, and a value that is rejected", withRule, database("a", "size: none, replicas: 9"), nil, lint.Refused},
		{"a placeholder that is applied", databaseCRD, database("a", "size: '${SIZE}'"), map[string]lint.Severity{"template-placeholder": lint.Off}, lint.Refused},
		{"an unknown field", databaseCRD, database("a", "size: small, siez: 1"), nil, lint.Refused},
		{"one that is a warning", databaseCRD, database("a", "size: small, siez: 1"), map[string]lint.Severity{"object-strict": lint.Warning}, lint.Accepted},
		{"a version that there is not", databaseCRD, strings.Replace(database("a", "size: small"), "v1", "v2", 1), nil, lint.Unjudged},
	} {
		l := objectsBy(test.crd, causes, mismatch, strict)
		l.Config = &lint.Config{Rules: test.rules}
		report := l.Report([]*engine.FileReport{l.File("db.yaml", []byte(test.src))})
		if o := report.Objects; o.Len() != 1 || o.Count(test.want) != 1 {
			t.Errorf("%s: got %+v", test.name, o.Alike)
		}
		for _, f := range report.Findings {
			if test.rules[f.Rule.ID] != lint.Off && f.Severity != test.rules[f.Rule.ID] {
				t.Errorf("%s: %s is of severity %s", test.name, f.Rule.ID, f.Severity)
			}
			if s, set := test.rules[f.Rule.ID]; set && s == lint.Off {
				t.Errorf("%s: %s is off", test.name, f.Rule.ID)
			}
		}
	}
}

// TestPlaceholders: one finding takes the place of those about a value with a placeholder in it, and of those about an object
// whose kind is one.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"a value", database("a", "size: '${SIZE}'"), "4:14 spec.size template-placeholder"},
		{"a value, and one beside it", database("a", "size: '${SIZE}', replicas: 9"), "4:14 spec.size template-placeholder\n4:35 spec.replicas object-cause"},
		{"a version", strings.Replace(database("a", "size: A1"), "/v1", "/${VERSION}", 1), "2:7  template-placeholder"},
		{"a kind", strings.Replace(database("a", "size: A1"), "Database", "${KIND}", 1), "2:7  template-placeholder"},
		{"a version that is wrong", strings.Replace(database("'${NAME}'", "size: A1"), "/v1", "/v2", 1), "2:7  object-mismatch"},
	} {
		l := objectsBy(databaseCRD, causes, mismatch)
		report := l.Report([]*engine.FileReport{l.File("db.yaml", []byte(test.src))})
		if got := strings.Join(said(report), "\n"); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestUnparsed: what is wrong with text that does not parse may have values in it.
func TestUnparsed(t *testing.T) {
	t.Parallel()
	const src = "apiVersion: example.com/v1\nkind: Database\nspec: {size: hunter2\n"
	for _, test := range []struct {
		name, src       string
		values          Values
		message, source bool // are shown
	}{
		{"the user's own", src, AutoValues, true, true},
		{"with a word for secrets", src + "password: x\n", AutoValues, true, false},
		{"that may be a dump", src + "uid: x\n", AutoValues, false, false},
		{"always", src + "uid: x\npassword: x\n", AlwaysValues, true, true},
		{"never", src, NeverValues, false, false},
	} {
		l := objectsBy(databaseCRD)
		judging(l).Values = test.values
		report := l.Report([]*engine.FileReport{l.File("db.yaml", []byte(test.src))})
		if len(report.Findings) != 1 {
			t.Fatalf("%s: %d findings", test.name, len(report.Findings))
		}
		f := report.Findings[0]
		if shown := f.Message != "does not parse: "+mask.Withheld; shown != test.message || !strings.HasPrefix(f.Message, "does not parse: ") {
			t.Errorf("%s: the message is %s", test.name, f.Message)
		}
		if strings.Contains(f.Excerpt, "hunter2") && !test.source || f.Excerpt == "" && test.source {
			t.Errorf("%s: the source line is %q", test.name, f.Excerpt)
		}
	}
}

// TestJudged: comments are told of which CRD the objects of a document are, and whether something kept the server from looking at
// all of them.
func TestJudged(t *testing.T) {
	t.Parallel()
	items := func(all ...string) string {
		src := "apiVersion: v1\nkind: List\nitems:\n"
		for _, one := range all {
			src += "- " + strings.ReplaceAll(strings.TrimSpace(one), "\n", "\n  ") + "\n"
		}
		return src
	}
	const of, other = "databases.example.com", "stores.example.com"
	good, wrong := database("a", "size: small"), database("a", "size: A1")
	mistyped := strings.Replace(store, "size: 3", "size: x", 1) // for which rules are not run
	unknown := strings.Replace(good, "v1", "v2", 1)
	for _, test := range []struct {
		name, src string
		want      []suppress.Subject
	}{
		{"accepted", good, []suppress.Subject{{Resource: of}}},
		{"refused", wrong, []suppress.Subject{{Resource: of}}},
		{"not decoded", "metadata: [\n---\n" + strings.Replace(good, "metadata: {name: a}", "metadata: []", 1), []suppress.Subject{{Document: 1, Resource: of, Partly: true}}},
		{"one of two not judged", items(unknown, good), []suppress.Subject{{Resource: of, Partly: true}}},
		{"the other of them", items(good, unknown), []suppress.Subject{{Resource: of, Partly: true}}},
		{"of two CRDs", items(mistyped, good), []suppress.Subject{{Resource: of, Partly: true}, {Resource: other, Partly: true}}},
		{"of no CRD", "apiVersion: example.net/v1\nkind: Other\nmetadata: {name: a}\n", []suppress.Subject{{Partly: true}}},
		{"Kubernetes' own", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", nil},
	} {
		l := objectsBy(databaseCRD+"---\n"+storeCRD, causes)
		got := l.File("db.yaml", []byte(test.src)).Judged
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestUnusedIgnore: a comment that ignores nothing is about the CRD of the objects in its document, if there is one.
func TestUnusedIgnore(t *testing.T) {
	t.Parallel()
	const comment = "# crdlift:ignore object-cause -- for a reason\n"
	for src, want := range map[string]string{
		comment + database("a", "size: small"): "databases.example.com",
		comment + "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(database("a", "size: small"), "\n", "\n  ") +
			"\n- " + strings.ReplaceAll(store, "\n", "\n  "): "",
	} {
		l := objectsBy(databaseCRD+"---\n"+storeCRD, causes)
		report := l.Report([]*engine.FileReport{l.File("db.yaml", []byte(src))})
		if len(report.Findings) != 1 || report.Findings[0].Rule.ID != "ignore-unused" || report.Findings[0].Resource != want {
			t.Errorf("%s: got %v about %q", src, said(report), report.Findings[0].Resource)
		}
	}
}

// TestRuns: a rule belongs to runs that ask what it does.
func TestRuns(t *testing.T) {
	t.Parallel()
	of := map[string]*engine.Rule{"request": causes, "mismatch": mismatch, "upgrade": {ID: "object-upgrade", Object: &Check{Upgrade: true, Run: func(*Pass) {}}}}
	ofCRDs := &engine.Rule{ID: "crd-rule"}
	side, err := older.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		against *older.Side
		runs    string
	}{{nil, "mismatch request"}, {side, "mismatch upgrade"}} {
		o := &Objects{Against: test.against}
		l := &engine.Linter{Rules: []*engine.Rule{of["request"], of["mismatch"], of["upgrade"], ofCRDs}, Kind: o}
		var runs []string
		for name, r := range of {
			if o.Runs(l, r.Value()) {
				runs = append(runs, name)
			}
		}
		slices.Sort(runs)
		if got := strings.Join(runs, " "); got != test.runs {
			t.Errorf("it runs %s, not %s", got, test.runs)
		}
		if o.Runs(l, ofCRDs.Value()) || o.Runs(l, &lint.Rule{ID: "object-other", Object: true}) {
			t.Error("it runs what is not one of its rules")
		}
	}
	if sample := (&engine.Rule{ID: "a", Object: &Check{Samples: func(*SampleSet) {}}}).Value(); !sample.Across || !sample.Object || causes.Value().Across {
		t.Error("whether a rule looks at all objects is not told")
	}
}

// TestSamples: a rule is told of all objects of a run which CRDs they are of, and reports at these.
func TestSamples(t *testing.T) {
	t.Parallel()
	// A server that has this CRD keeps it, though it would not take it: the default has a field that is not declared.
	kept := strings.Replace(databaseCRD, "replicas:", "extra: {type: object, default: {gone: 1}}\n              replicas:", 1)
	var told []string
	rule := &engine.Rule{ID: "object-sample", Severity: lint.Warning, Object: &Check{Samples: func(s *SampleSet) {
		for _, d := range s.Definitions {
			told = append(told, fmt.Sprintf("%s: v1 %t, v2 %t, group %t", d.Name, s.Has(d, "v1"), s.Has(d, "v2"), s.HasGroup(d)))
			if !s.Has(d, "v1") {
				s.Reportf(d, d.Tree().Versions()[0], "no object")
			}
		}
		s.EachRefused(func(d *objects.Definition, judged int) {
			told = append(told, fmt.Sprintf("%s is rejected, and judges %d", d.Name, judged))
		})
	}}}
	l := objectsBy(kept+"---\n"+storeCRD, rule, mismatch)
	file := l.File("db.yaml", []byte(database("a", "size: small")+"---\n"+database("b", "size: A1")+"---\n"+strings.Replace(database("c", "size: small"), "v1", "v2", 1)))
	report := l.Report([]*engine.FileReport{file, {FileReport: lint.FileReport{Path: "none.yaml"}}})
	want := []string{"databases.example.com: v1 true, v2 true, group true", "stores.example.com: v1 false, v2 false, group true", "databases.example.com is rejected, and judges 2"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	i := slices.IndexFunc(report.Findings, func(f *lint.Finding) bool { return f.Rule.ID == rule.ID })
	if i < 0 || report.Findings[i].Pos.File != "crd.yaml" || report.Findings[i].Resource != "stores.example.com" || !slices.Equal(report.Findings[i].Versions, []string{"v1"}) {
		t.Errorf("reported is %v", said(report))
	}
	l.Config = &lint.Config{Rules: map[string]lint.Severity{"object-sample": lint.Off}}
	if report := l.Report([]*engine.FileReport{l.File("db.yaml", []byte(database("a", "size: small")))}); len(report.Findings) != 0 {
		t.Errorf("with the rule off, reported is %v", said(report))
	}
}

// TestReplaced: what becomes of an object when its CRD is replaced.
func TestReplaced(t *testing.T) {
	t.Parallel()
	changed := func(from, to string) string {
		crd := strings.Replace(databaseCRD, from, to, 1)
		if crd == databaseCRD {
			t.Fatalf("the CRD has no %s", from)
		}
		return crd
	}
	good := database("a", "size: small, replicas: 3")
	for _, test := range []struct{ name, was, is, src, want string }{
		{"nothing changes", databaseCRD, databaseCRD, good, lint.Survives},
		{"a description", databaseCRD, changed("type: string\n", "type: string\n                description: of the disk\n"), good, lint.Survives},
		{"the value is rejected", databaseCRD, changed("^[a-z]+$", "^[A-Z]+$"), good, lint.RefusedWhenChanged},
		{"a field goes", databaseCRD, changed("              replicas:\n                type: integer\n                maximum: 5\n", ""), good, lint.LosesFields},
		{"a default comes", databaseCRD, changed("replicas:", "zone: {type: string, default: x}\n              replicas:"), good, lint.GetsDefaults},
		{"a placeholder is rejected", databaseCRD, changed("^[a-z]+$", "^[A-Z]+$"), database("a", "size: '${SIZE}', replicas: 3"), lint.Survives},
		{"the CRD is new", storeCRD, databaseCRD, good, lint.Unjudged},
		{"the version is new", strings.Replace(databaseCRD, "- name: v1", "- name: v1alpha1", 1), databaseCRD, good, lint.Unjudged},
		{"the kind goes", databaseCRD, strings.ReplaceAll(storeCRD, "Store", "Shop"), good, lint.Unreadable},
	} {
		var ran []string
		rule := func(id string, upgrade bool) *engine.Rule {
			return &engine.Rule{ID: id, Severity: lint.Error, Object: &Check{Upgrade: upgrade, Run: func(p *Pass) {
				ran = append(ran, id)
				if (p.Prospect() != nil) != upgrade {
					t.Errorf("%s: whether it is known what becomes of it: %t", test.name, !upgrade)
				}
			}}}
		}
		l := objectsBy(test.is, rule("request", false), rule("upgrade", true))
		side, err := older.New([]lint.File{{Path: "crd.yaml", Read: func() ([]byte, error) { return []byte(test.was), nil }}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		judging(l).Against = side
		report := l.Report([]*engine.FileReport{l.File("db.yaml", []byte(test.src))})
		if o := report.Objects; o.Len() != 1 || o.Count(test.want) != 1 || !o.Upgrade || (o.Uncompared() == 1) != (test.want == lint.Unjudged) {
			t.Errorf("%s: got %+v", test.name, o.Alike)
		}
		if want := test.want != lint.Unreadable; slices.Contains(ran, "upgrade") != want || slices.Contains(ran, "request") {
			t.Errorf("%s: %v ran", test.name, ran)
		}
	}
}

// TestPieces: the reports on pieces of a list are one, in which findings that are alike are counted from some number on, unless
// a baseline is to have each.
func TestPieces(t *testing.T) {
	t.Parallel()
	once := &engine.Rule{ID: "object-once", Severity: lint.Info, Object: &Check{OncePerCRD: true, Run: func(p *Pass) { p.Reportf(nil, "of the CRD") }}}
	const objectsOfPiece, pieces = 5, 30
	join := func(l *engine.Linter, spec func(n int) string) *lint.Report {
		whole := &engine.FileReport{FileReport: lint.FileReport{Path: "dump.yaml"}}
		for piece := range pieces {
			src := "apiVersion: v1\nkind: List\nitems:\n"
			for i := range objectsOfPiece {
				n := piece*objectsOfPiece + i
				src += fmt.Sprintf("- {apiVersion: example.com/v1, kind: Database, metadata: {name: a%d}, spec: {%s}}\n", n, spec(n))
			}
			Join(l, whole, l.File("dump.yaml", []byte(src)))
		}
		if len(whole.Judged) != 1 {
			t.Errorf("judged are %v", whole.Judged)
		}
		return l.Report([]*engine.FileReport{whole})
	}
	count := func(r *lint.Report, rule string) (kept, all int) {
		for _, f := range r.Findings {
			if f.Rule.ID == rule {
				kept, all = kept+1, all+f.Count()
			}
		}
		return kept, all
	}
	wrong := func(int) string { return "size: A1" }
	for _, test := range []struct {
		name         string
		keepAll      bool
		baseline     *lint.Baseline
		spec         func(int) string
		kept, flawed int
	}{
		{"alike", false, nil, wrong, maxAlike, pieces*objectsOfPiece - maxAlike},
		{"all kept", true, nil, wrong, pieces * objectsOfPiece, 0},
		{"with a baseline", false, &lint.Baseline{}, wrong, pieces * objectsOfPiece, 0},
		{"the last has another", false, nil, func(n int) string {
			if n == pieces*objectsOfPiece-1 {
				return "size: A1, replicas: 9"
			}
			return "size: A1"
		}, maxAlike + 2, pieces*objectsOfPiece - maxAlike - 1},
	} {
		l := objectsBy(databaseCRD, causes, once)
		l.KeepAll, l.Baseline = test.keepAll, test.baseline
		report := join(l, test.spec)
		kept, all := count(report, causes.ID)
		if kept != test.kept || all != test.kept+test.flawed || report.Objects.Counted[lint.Error] != test.flawed {
			t.Errorf("%s: %d findings of %d, %v objects are counted", test.name, kept, all, report.Objects.Counted)
		}
		if kept, all := count(report, once.ID); kept != 1 || all != 1 {
			t.Errorf("%s: what is said of a CRD is said %d times of %d", test.name, kept, all)
		}
		if n := report.Objects.Len(); n != pieces*objectsOfPiece || report.Objects.Count(lint.Refused) != n || !report.Objects.Dumps["dump.yaml"] {
			t.Errorf("%s: %d objects: %+v", test.name, n, report.Objects)
		}
	}
	if got := WhyWhole("a.yaml", []byte("- {a: b} # crdlift:ignore x -- y\n")); got == "" {
		t.Error("a comment may matter to all of a list")
	}
	if got := WhyWhole("charts/templates/a.yaml", []byte("- {a: {{ .Values.b }}}\n")); got == "" {
		t.Error("a template may matter to all of a list")
	}
	if got := WhyWhole("a.yaml", []byte("- {a: b}\n")); got != "" {
		t.Error(got)
	}
}
