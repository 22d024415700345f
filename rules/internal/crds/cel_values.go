package crds

import (
	"cmp"
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
	"k8s.io/apiserver/pkg/cel"
)

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
				p.Reportf(r.At.At("rule"), "%s of this version may end in an error as well, which was not tried: the version has too many rules and fields; mend what is said of the others, and lint again",
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
	"index out of bounds":      "ask for the size() first",
	"min called on empty list": "ask for the size() first, or set minItems", // cmp of k8s.io/apiserver/pkg/cel/library
	"max called on empty list": "ask for the size() first, or set minItems",
	"no such key":              "ask whether the key is in the map first",
	"division by zero":         "exclude 0 first, or by a minimum",
	"modulus by zero":          "exclude 0 first, or by a minimum",
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
		return "ask for its type first: type(" + celOf(f.Node[len(at):]) + ") == string"
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
