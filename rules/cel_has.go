package rules

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/apiserver/pkg/cel"
)

var missingHas = &engine.Rule{
	ID:       "cel-has-missing",
	Summary:  "validation rules that end in an error for objects without an optional field",
	Severity: lint.Warning,
	Run:      rulesWithoutHas,
}

func rulesWithoutHas(p *engine.Pass) {
	if p.CRD.Version != crd.V1 || !p.Accepted() {
		return
	}
	all := crd.CELRules(p.CRD.Schemas())
	for _, r := range all {
		without, list := failsWithout(p, r, all)
		if len(without) == 0 {
			continue
		}
		var names []string
		for _, s := range without {
			names = append(names, s.FieldPath())
		}
		p.Reportf(r.At.At("rule"), "the rule ends in an error for objects without %s; guard it with has(), or require the field", text.Path(list(names)))
	}
}

// failsWithout returns optional fields for want of which a rule fails although the object is valid, and how to list them:
// any of them or, where no single one is enough, all of them.
func failsWithout(p *engine.Pass, r crd.CELRule, rules []crd.CELRule) (fields []*crd.Schema, list func([]string) string) {
	parsed := crd.ParseRule(r.Text("rule"))
	if parsed == nil {
		return nil, nil
	}
	whole := absence(r)
	whole.know(parsed)
	optional := slices.DeleteFunc(slices.Sorted(maps.Keys(whole.met)), func(path string) bool { return !mayLack(p, whole.met[path], r, rules) })
	for _, path := range optional {
		if absence(r, path).fails(parsed) {
			fields = append(fields, whole.met[path])
		}
	}
	if len(fields) == 0 && absence(r, optional...).fails(parsed) {
		for _, path := range optional {
			fields = append(fields, whole.met[path])
		}
		return fields, text.And
	}
	return fields, text.Or
}

// absence is one in which fields are absent from the values that a rule is about. An update may leave an object as it was.
func absence(r crd.CELRule, paths ...string) celAbsence {
	c := celAbsence{map[string]bool{}, map[string]celKnown{"self": {schema: r.Schema}}, map[string]*crd.Schema{}}
	if optional, _ := crd.BoolAt(r.At.Node, "optionalOldSelf"); !optional {
		c.bound["oldSelf"] = celKnown{schema: r.Schema}
	}
	for _, path := range paths {
		c.absent[path] = true
	}
	return c
}

// fails reports whether a rule fails for some objects of an absence. All parts of a conjunction are true for some object,
// or there would be none that is valid; those that do not ask for what is absent still are without it.
func (c celAbsence) fails(rule ast.Expr) bool {
	v := c.know(rule)
	if rule.Kind() != ast.CallKind || rule.AsCall().FunctionName() != operators.LogicalAnd {
		return v.truth == celFails
	}
	failing := false
	for _, part := range conjuncts(rule) {
		switch v := c.know(part); {
		case v.truth == celFails:
			failing = true
		case v.truth == celFalse, v.truth == celOpen && v.aware:
			return false
		}
	}
	return failing
}

// conjuncts are the parts of a conjunction.
func conjuncts(e ast.Expr) []ast.Expr {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.LogicalAnd {
		return []ast.Expr{e}
	}
	var all []ast.Expr
	for _, part := range e.AsCall().Args() {
		all = append(all, conjuncts(part)...)
	}
	return all
}

// asksFor reports whether a rule asks whether there is a field of a name: has(self.name), or self.?name.
func asksFor(rule, name string) bool {
	if !strings.Contains(rule, name) {
		return false
	}
	name = regexp.QuoteMeta(name)
	return regexp.MustCompile(`\bhas\([^()]*\.` + name + `\s*\)|\?\.?` + name + `\b`).MatchString(rule)
}

// mayLack reports whether an object can be valid without a field, as far as anything but one rule says: nothing around it
// asks which fields there are.
func mayLack(p *engine.Pass, s *crd.Schema, rule crd.CELRule, rules []crd.CELRule) bool {
	name, _ := cel.Escape(s.Name)
	for _, r := range rules {
		if r.At.Path != rule.At.Path && crd.Within(s.Path, r.Schema.Path) && asksFor(r.Text("rule"), name) {
			return false
		}
	}
	if s.Parent.Get("minProperties") != nil {
		return false
	}
	return !slices.ContainsFunc(inJunctors(p, s.Root()), func(branch *crd.Schema) bool {
		return branch.Required(s.Name) || branch.Property(s.Name) != nil
	})
}

type inJunctorsOf struct{ root *crd.Schema }

// inJunctors are the schemas in the junctors of a version's schema.
func inJunctors(p *engine.Pass, root *crd.Schema) []*crd.Schema {
	return engine.Memo(p, inJunctorsOf{root}, func() []*crd.Schema {
		return slices.DeleteFunc(slices.Collect(root.All()), func(s *crd.Schema) bool { return !s.InJunctor() })
	})
}
