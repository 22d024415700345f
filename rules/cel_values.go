package rules

import (
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
)

var unguardedValues = &engine.Rule{
	ID:       "cel-value-unguarded",
	Summary:  "validation rules that end in an error for values that the schema accepts",
	Severity: lint.Warning,
	Run:      rulesWithoutGuard,
}

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
		for _, r := range crd.CELRules(v.Root().All()) {
			at, rule := nodeOf(r.Schema), r.Text("rule")
			if !mayFailForValues(p, r) || tried.Hold(p.Hub(), v.Name, at, r.Index, rule) || whole() == nil {
				continue
			}
			if f := whole().Failing(at, r.Index, rule); f != nil {
				field := strings.NewReplacer("[]", "[*]", "{}", "[*]").Replace(f.Node.String())
				p.Reportf(r.At.At("rule"), "the rule ends in an error where %s is %s; %s", text.Path(field), kindOfValue(f.Value), guardAgainst(rule, f))
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
		return text.Sprintf("a list of %s", text.Count(len(v), "item"))
	case map[string]any:
		return text.Sprintf("a map with %s", text.Count(len(v), "other key"))
	case bool:
		return text.Sprintf("%v", v)
	}
	return text.Sprintf("the number %v", v)
}

// guards are the functions that ask whether a text is what another function reads.
var guards = []struct{ function, guard string }{
	{"quantity", "isQuantity"}, {"cidr", "isCIDR"}, {"ip", "isIP"}, {"url", "isURL"}, {"semver", "isSemver"},
}

// guardAgainst is what to do about a failure.
func guardAgainst(rule string, f *sampling.Failure) string {
	switch f.Error {
	case "no such overload":
		return "ask for its type first: type(self) == string"
	case "index out of bounds":
		return "ask for the size() first"
	case "no such key":
		return "ask whether the key is in the map first"
	case "division by zero", "modulus by zero":
		return "exclude 0 first, or by a minimum"
	}
	for _, g := range guards {
		if strings.Contains(rule, g.function+"(") {
			return "guard it with " + g.guard + "(), or give the field a pattern"
		}
	}
	return "give the field a format, an enum or a pattern that excludes it"
}
