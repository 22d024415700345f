package crds

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/request"
	sampling "github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
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
		objects, guarded := FailsFor(p, r, all)
		remedy := "guard it with has(), or require the field"
		if guarded {
			remedy = "guard the missing field with has() as well"
		}
		if objects != (text.Text{}) {
			p.Reportf(r.At.At("rule"), "the rule ends in an error for %s; %s", objects, remedy)
		}
	}
}

// FailsFor says for which valid objects a rule fails because optional fields are missing: any of them or, where no single one is
// enough, all of them. The rule is guarded if it asks for another field first, next to which this one may be missing.
func FailsFor(p *engine.Pass, r crd.CELRule, rules []crd.CELRule) (objects text.Text, guarded bool) {
	parsed := crd.ParseRule(r.Text("rule"))
	if parsed == nil {
		return objects, false
	}
	whole := absence(r)
	whole.know(parsed)
	optional := slices.DeleteFunc(slices.Sorted(maps.Keys(whole.met)), func(path string) bool { return !mayLack(p, whole.met[path], r, rules) })
	var lacks [][]string
	for _, path := range optional {
		if absence(r, path).fails(parsed) {
			lacks = append(lacks, []string{path})
		}
	}
	list := text.Or
	if len(lacks) == 0 && absence(r, optional...).fails(parsed) {
		lacks, list = [][]string{optional}, text.And
	}
	named := func(path string) string { return whole.met[path].FieldPath() }
	var kinds []text.Text
	without := map[text.Text][]string{} // by kind
	for _, lack := range lacks {
		with, always := needs(r, parsed, whole.met, lack)
		kind := text.Sprintf("objects")
		if !always {
			kind = text.Sprintf("some objects")
		}
		if len(with) > 0 {
			kind = text.Sprintf("%s with %s and", kind, text.Path(text.And(Mapped(with, named))))
		}
		if without[kind] == nil {
			kinds = append(kinds, kind)
		}
		without[kind] = append(without[kind], Mapped(lack, named)...)
		guarded = guarded || slices.ContainsFunc(with, func(path string) bool { return !crd.Within(lack[0], path) })
	}
	for i, kind := range kinds {
		of := text.Sprintf("%s without %s", kind, text.Path(list(without[kind])))
		if i > 0 {
			of = text.Sprintf("%s, or %s", objects, of)
		}
		objects = of
	}
	return objects, guarded
}

// needs returns the optional fields that an object must have for a rule to fail for want of others, and whether it always
// fails then, whatever else the object has.
func needs(r crd.CELRule, rule ast.Expr, met map[string]*crd.Schema, lack []string) (with []string, always bool) {
	c := absence(r, lack...)
	c.unsure = map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(met)) {
		last := len(with) - 1
		switch {
		case slices.Contains(lack, path):
		case absence(r, append(slices.Clip(lack), path)...).fails(rule):
			c.unsure[path] = true
		case last >= 0 && crd.Within(path, with[last]):
			with[last] = path
		default:
			with = append(with, path)
		}
	}
	return with, c.know(rule).truth == celFails
}

// absence is one in which fields are absent from the values that a rule is about. An update may leave an object as it was.
func absence(r crd.CELRule, paths ...string) celAbsence {
	c := celAbsence{absent: map[string]bool{}, bound: map[string]celKnown{"self": {schema: r.Schema}}, met: map[string]*crd.Schema{}}
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
var questions = []func() *regexp.Regexp{text.Pattern(`\bhas\([^()]*\.(\w+)\s*\)`), text.Pattern(`\?\.?(\w+)`)}

// asking are the rules of a CRD that ask whether there is a field, by its name as CEL has it.
func asking(p *engine.Pass, rules []crd.CELRule) map[string][]crd.CELRule {
	type key struct{}
	return engine.Memo(p, key{}, func() map[string][]crd.CELRule {
		by := map[string][]crd.CELRule{}
		for _, r := range rules {
			for _, question := range questions {
				for _, match := range question().FindAllStringSubmatch(r.Text("rule"), -1) {
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

// namedInJunctors are the fields that the junctors of a version's schema require or describe.
func namedInJunctors(p *engine.Pass, root *crd.Schema) map[string]bool {
	type key struct{ root *crd.Schema }
	return engine.Memo(p, key{root}, func() map[string]bool {
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

var unguardedValues = Check(lint.Warning, "cel-value-unguarded", "validation rules that end in an error for values that the schema accepts",
	rulesWithoutGuard)

// maxTrying bounds in how many whole objects the rules of a version are tried. For each of them upstream evaluates all rules,
// and looks at all properties beside a field that a rule asks for (Properties of model.Structural).
const maxTrying = 1 << 18

func rulesWithoutGuard(p *engine.Pass) {
	if p.CRD.Version != crd.V1 || !p.Accepted() {
		return
	}
	tried := sampling.Trials{}
	for _, v := range p.CRD.Versions() {
		whole := sync.OnceValue(func() *sampling.Generator { // few rules need it
			server, err := request.New(p.Hub())
			if err != nil {
				return nil
			}
			return sampling.New(server, v.Name, 1)
		})
		var failing []crd.CELRule
		cost := 1
		for _, r := range crd.CELRules(v.Root().All()) {
			cost += 1 + len(crd.Entries(r.Schema.Get("properties")))
			if mayFailForValues(p, r) && !tried.Hold(p.Hub(), v.Name, nodeOf(r.Schema), r.Index, r.Text("rule")) {
				failing = append(failing, r)
			}
		}
		for i, r := range failing {
			if i == maxTrying/cost {
				p.Reportf(r.At.At("rule"), "%s of this version may end in an error as well, but crdlift tried only the first ones; fix what it reports of those, and lint again",
					text.Count(len(failing)-i, "rule")).AtMost(lint.Info)
				break
			}
			at, rule := nodeOf(r.Schema), r.Text("rule")
			if whole() == nil {
				break
			}
			if f := whole().Failing(at, r.Index, rule); f != nil {
				field := strings.NewReplacer("[]", "[*]", "{}", "[*]").Replace(f.Node.String())
				p.Reportf(r.At.At("rule"), "the rule ends in an error where %s is %s; %s", text.Path(field), kindOfValue(f.Value), guardAgainst(at, f))
			}
		}
	}
}

// mayFailForValues reports whether a rule may end in an error for values of the right types. An int-or-string has any type
// to the compiler. What is tried are new objects, for which servers run no rule that needs an older one.
func mayFailForValues(p *engine.Pass, r crd.CELRule) bool {
	if optional, _ := crd.BoolAt(r.At.Node, "optionalOldSelf"); !optional && strings.Contains(r.Text("rule"), "oldSelf") {
		return false
	}
	if sampling.MayFail(r.Text("rule")) {
		return true
	}
	return slices.ContainsFunc(mentioned(p, r.Schema, r.Text("rule")), func(s nthSchema) bool { return s.Flag(intOrStringKey) })
}

// nodeOf is the way to a schema's values.
func nodeOf(s *crd.Schema) sampling.Path {
	if s.Parent == nil {
		return nil
	}
	kind := map[string]sampling.StepKind{"properties": sampling.Property, "items": sampling.Items, "additionalProperties": sampling.Values}[s.Via]
	return nodeOf(s.Parent).To(kind, s.Name)
}

// kindOfValue is a value that was made, in words.
func kindOfValue(v any) text.Text {
	switch v := v.(type) {
	case string:
		if v == "" {
			return text.Sprintf("an empty text")
		}
		return text.Sprintf("a text such as %s", text.Value(strconv.Quote(v)))
	case []any:
		if len(v) == 0 {
			return text.Sprintf("an empty list")
		}
		return text.Sprintf("a list such as %s", text.Value(words.JSONOf(v)))
	case map[string]any:
		if len(v) == 0 {
			return text.Sprintf("an empty map")
		}
		return text.Sprintf("a map such as %s", text.Value(words.JSONOf(v)))
	case bool:
		return text.Sprintf("%v", v)
	}
	return text.Sprintf("the number %v", v)
}

// remedies are what to do about the errors of rules, and about those of functions that ask for a text that they can read.
var remedies = map[string]string{
	"index out of bounds":      "check size() first",
	"min called on empty list": "check size() first, or set minItems", // cmp of k8s.io/apiserver/pkg/cel/library
	"max called on empty list": "check size() first, or set minItems",
	"no such key":              "check first that the key is in the map",
	"division by zero":         "check for 0 first, or set a minimum",
	"modulus by zero":          "check for 0 first, or set a minimum",
	"quantity":                 guardWith("isQuantity"),
	"cidr":                     guardWith("isCIDR"),
	"ip":                       guardWith("isIP"),
	"url":                      guardWith("isURL"),
	"semver":                   guardWith("isSemver"),
}

func guardWith(guard string) string {
	return "guard it with " + guard + "(), or give the field a pattern"
}

// guardAgainst is what to do about a failure of a rule of the node at a path.
func guardAgainst(at sampling.Path, f *sampling.Failure) string {
	if f.Error == "no such overload" {
		return "check its type first: type(" + celOf(f.Node[len(at):]) + ") == string"
	}
	return cmp.Or(remedies[f.Error], remedies[f.Function], "give the field a format, an enum or a pattern that excludes it")
}

// celOf is what a rule calls the node on a way below its own.
func celOf(way sampling.Path) string {
	name := "self"
	for _, step := range way {
		if step.Kind != sampling.Property {
			return "x" // the variable of a macro
		}
		field, _ := cel.Escape(step.Name)
		name += "." + field
	}
	return name
}
