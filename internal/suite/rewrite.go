package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/request"
)

// Rewritten is a suite in our own format that tests what another one does, whose cases, one at least, have passed: what all objects have is the base,
// and all causes are named, as they are.
func Rewritten(s *Suite, results []*Result) *Suite {
	var all []request.Object
	for _, r := range results {
		all = append(all, r.Case.Change.Object)
		if r.Case.Old != nil {
			all = append(all, r.Case.Old.Object)
		}
	}
	out := &Suite{CRD: s.CRD, Version: s.Version}
	base, names := common(all), map[string]bool{}
	for _, r := range results {
		c := r.rewritten(base)
		for n := 2; names[c.Name]; n++ {
			c.Name = fmt.Sprintf("%s (%d)", r.Case.Name, n)
		}
		names[c.Name] = true
		out.Cases = append(out.Cases, c)
	}
	return out
}

func (r *Result) rewritten(base request.Object) *Case {
	from, to := base, r.Case.Change.Object
	one := &Case{Name: r.Case.Name, Base: base, Request: r.Case.Request, Validation: Strict}
	if slices.ContainsFunc(r.Exchanges, dropsFields) {
		one.Validation = Warn
	}
	if old := r.Case.Old; old != nil {
		from = old.Object
		made := Difference(base, from)
		one.Old = &made
	}
	if patches := r.Case.Before.Patches; patches != nil {
		var ok bool
		if one.Before, ok = beforeOf(r, patches); !ok {
			one.Skip = "its patches remove more from the CRD than constraints"
			return one
		}
	}
	last := one
	switch {
	case len(r.Case.Steps) == 0:
		one.Change = Difference(from, to)
	case Equal(withoutStatus(from), withoutStatus(to)):
		one.Request, one.Change = Status, Difference(from, to)
	default:
		one.Change = Difference(withoutStatus(from), withoutStatus(to))
		last = &Case{Name: one.Name + "/status", Request: Status, Validation: one.Validation}
		last.Change = Difference(statusOf(from), statusOf(to))
		one.Then = []*Case{last}
	}
	x := r.Exchanges[len(r.Exchanges)-1]
	for _, c := range Essential(x.Outcome.Causes) {
		last.Want.Rejected = append(last.Want.Rejected, Name(c))
	}
	if want := r.Case.Want.Exactly; want != nil {
		d := Difference(looked(to, false), looked(want, false))
		last.Want.Stored, last.Want.Absent = d.Set, d.Unset
	}
	return one
}

func dropsFields(x Exchange) bool {
	return slices.ContainsFunc(x.Outcome.Changes, func(c request.Change) bool { return c.Kind == request.Pruned })
}

func statusOf(o request.Object) request.Object {
	alone := request.Object{}
	if status, has := o["status"]; has {
		alone["status"] = status
	}
	return alone
}

func withoutStatus(o request.Object) request.Object {
	o = maps.Clone(o)
	delete(o, "status")
	return o
}

// beforeOf is what patches of a CRD take away or change, if these are constraints.
func beforeOf(r *Result, patches []byte) (b Before, ok bool) {
	var all []struct {
		Op, Path string
		Value    any
	}
	if json.Unmarshal(patches, &all) != nil {
		return b, false
	}
	for _, p := range all {
		c := Constraint{Value: p.Value, Had: p.Op != "remove"}
		_, pointer, found := strings.Cut(p.Path, "/schema/openAPIV3Schema/")
		steps := strings.Split(pointer, "/")
		i := 0
		for ; i < len(steps)-1; i++ {
			switch {
			case steps[i] == "properties":
				i++
				c.Path = append(c.Path, request.Key(unescaped.Replace(steps[i])))
			case steps[i] == "items":
				c.Path = append(c.Path, request.Index(0))
			default:
				found = found && steps[i] == validations && i == len(steps)-2 && !c.Had
			}
		}
		if !found || i >= len(steps) {
			return b, false
		}
		if c.Keyword = steps[i]; steps[max(i-1, 0)] == validations {
			if c.Keyword, c.Rule = "rule", r.ruleAt(c.Path, c.Keyword); c.Rule == "" {
				return b, false
			}
		}
		b.Without = append(b.Without, c)
	}
	return b, true
}

const validations = "x-kubernetes-validations"

// unescaped is a step of a JSON pointer.
var unescaped = strings.NewReplacer("~1", "/", "~0", "~")

// ruleAt is a rule of the CRD by its number.
func (r *Result) ruleAt(at request.Path, number string) (rule string) {
	n, err := strconv.Atoi(number)
	schema, _ := apiextensions.GetSchemaForVersion(r.Definition.Whole(), r.Version)
	if err != nil || schema == nil {
		return ""
	}
	_ = change(schema.OpenAPIV3Schema.DeepCopy(), &Constraint{Path: at}, func(s *apiextensions.JSONSchemaProps) error {
		if n < len(s.XValidations) {
			rule = s.XValidations[n].Rule
		}
		return nil
	})
	return rule
}
