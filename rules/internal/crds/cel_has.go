package crds

import (
	"maps"
	"regexp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/apiserver/pkg/cel"
)

var missingHas = Check(lint.Warning, "cel-has-missing", "validation rules that end in an error for objects without an optional field",
	rulesWithoutHas)

func rulesWithoutHas(p *engine.Pass) {
	if p.CRD.Version != crd.V1 || !p.Accepted() {
		return
	}
	all := crd.CELRules(p.CRD.Schemas())
	for _, r := range all {
		without, list := FailsWithout(p, r, all)
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

// FailsWithout returns optional fields for want of which a rule fails although the object is valid, and how to list them:
// any of them or, where no single one is enough, all of them.
func FailsWithout(p *engine.Pass, r crd.CELRule, rules []crd.CELRule) (fields []*crd.Schema, list func([]string) string) {
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

// questions are how a rule asks whether there is a field: has(self.name), self.?name.
var questions = []*regexp.Regexp{regexp.MustCompile(`\bhas\([^()]*\.(\w+)\s*\)`), regexp.MustCompile(`\?\.?(\w+)`)}

type rulesAskingFor struct{}

// asking are the rules of a CRD that ask whether there is a field, by its name as CEL has it.
func asking(p *engine.Pass, rules []crd.CELRule) map[string][]crd.CELRule {
	return engine.Memo(p, rulesAskingFor{}, func() map[string][]crd.CELRule {
		by := map[string][]crd.CELRule{}
		for _, r := range rules {
			for _, question := range questions {
				for _, match := range question.FindAllStringSubmatch(r.Text("rule"), -1) {
					by[match[1]] = append(by[match[1]], r)
				}
			}
		}
		return by
	})
}

// mayLack reports whether an object can be valid without a field, as far as anything but one rule says: nothing around it
// asks which fields there are.
func mayLack(p *engine.Pass, s *crd.Schema, rule crd.CELRule, rules []crd.CELRule) bool {
	name, _ := cel.Escape(s.Name)
	for _, r := range asking(p, rules)[name] {
		if r.At.Path != rule.At.Path && crd.Within(s.Path, r.Schema.Path) {
			return false
		}
	}
	return s.Parent.Get("minProperties") == nil && !namedInJunctors(p, s.Root())[s.Name]
}

type namedInJunctorsOf struct{ root *crd.Schema }

// namedInJunctors are the fields that the junctors of a version's schema require or describe.
func namedInJunctors(p *engine.Pass, root *crd.Schema) map[string]bool {
	return engine.Memo(p, namedInJunctorsOf{root}, func() map[string]bool {
		named := map[string]bool{}
		for s := range root.All() {
			if !s.InJunctor() {
				continue
			}
			for _, name := range crd.Strings(s.Get("required")) {
				named[name] = true
			}
			for _, property := range crd.Entries(s.Get("properties")) {
				named[property.Name] = true
			}
		}
		return named
	})
}
