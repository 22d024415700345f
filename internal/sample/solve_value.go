package sample

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/runtime"
)

// values are those that an expression may have: that of a literal, those in a list, or what stands in the object.
func (s *solver) values(e ast.Expr, bound map[string]ref) (all []any) {
	switch e.Kind() {
	case ast.LiteralKind:
		switch v := e.AsLiteral().(type) {
		case types.String:
			return []any{string(v)}
		case types.Int:
			return []any{int64(v)}
		case types.Bool:
			return []any{bool(v)}
		case types.Double:
			return []any{Plain(float64(v))}
		}
		return nil
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			all = append(all, s.values(element, bound)...)
		}
		return all
	}
	if r, ok := s.ref(e, bound); ok {
		value, has := r.path.In(s.object)
		list, is := value.([]any)
		switch {
		case has && r.size && request.Length(value) >= 0:
			return []any{request.Length(value)}
		case has && is && !r.size:
			return list
		case has && !r.size:
			return []any{value}
		}
	}
	return nil
}

// make are plans after which an expression has a value.
func (s *solver) make(e ast.Expr, value any, bound map[string]ref) []Plan {
	r, ok := s.ref(e, bound)
	n, isNumber := value.(int64)
	switch {
	case ok && r.size && isNumber:
		return s.resize(r, int(n))
	case ok && !r.size:
		return s.plan(r, change{value: value})
	}
	return nil
}

func (s *solver) resize(r ref, n int) []Plan {
	value, has := r.path.In(s.object)
	if n < 0 || n > maxSize {
		return nil
	}
	if !has {
		value = s.g.valueAt(s.m, r.path, true)
	}
	sh := s.shapeOf(r)
	switch v := value.(type) {
	case string:
		runes := []rune(v)
		value = string(runes[:min(n, len(runes))]) + strings.Repeat("a", max(0, n-len(runes)))
	case []any:
		if len(v) == 0 {
			v = s.m.items(sh, nodeAt(s.g.root, r.path), 1)
		}
		if value = v[:min(n, len(v))]; n > len(v) && len(v) > 0 {
			value = append(runtime.DeepCopyJSONValue(v).([]any), s.g.again(sh, r.path, v[:1], n-len(v))...)
		}
	case map[string]any:
		changed := map[string]any{}
		for i, name := range sorted(v) {
			if i < n {
				changed[name] = v[name]
			}
		}
		for i := 0; len(changed) < n && len(sh.values) > 0; i++ {
			changed["key-"+strings.Repeat("a", i+1)] = s.m.value(sh.values, nil)
		}
		value = changed
	}
	return s.plan(r, change{value: value})
}

// equal are plans after which the first is what the second is.
func (s *solver) equal(a, b ast.Expr, bound map[string]ref) (all []Plan) {
	for _, v := range s.values(b, bound) {
		all = either(all, s.make(a, v, bound))
	}
	if r, ok := s.ref(a, bound); len(all) == 0 && ok && !r.size { // neither has a value
		if _, has := r.path.In(s.object); !has {
			v := s.g.valueAt(s.m, r.path, false)
			all = both(s.make(a, v, bound), s.make(b, v, bound))
		}
	}
	return all
}

// differ are plans after which an expression is not what it was.
func (s *solver) differ(a ast.Expr, bound map[string]ref) (all []Plan) {
	r, ok := s.ref(a, bound)
	if !ok {
		return s.anything(a, bound)
	}
	for _, v := range s.others(r) {
		all = either(all, s.make(a, v, bound))
	}
	return all
}

// apart are plans after which the first of two numbers is larger than the second by so much.
func (s *solver) apart(a, b ast.Expr, by int64, bound map[string]ref) (all []Plan) {
	for _, v := range s.values(b, bound) {
		switch v := v.(type) {
		case int64:
			all = either(all, s.make(a, v+by, bound))
		case float64:
			all = either(all, s.make(a, Plain(v+float64(by)), bound))
		}
	}
	if len(all) > 0 {
		return all
	}
	if len(s.values(a, bound)) == 0 {
		if all = both(s.make(a, 10+by, bound), s.make(b, int64(10), bound)); len(all) > 0 {
			return all
		}
	}
	return s.anything(a, bound) // quantities and durations, say
}

// others are values that the reference may have instead of what it has.
func (s *solver) others(r ref) (all []any) {
	value, _ := r.path.In(s.object)
	if r.size {
		n := max(0, request.Length(value))
		return []any{n + 1, n - 1, n + 2, int64(0)}
	}
	sh := s.shapeOf(r)
	for _, v := range sh.Enum {
		all = append(all, Plain(v))
	}
	switch v := value.(type) {
	case bool:
		all = append(all, !v)
	case int64:
		all = append(all, v+1, v-1)
	case string:
		all = append(all, s.g.valueAt(s.m, r.path, false), v+"a", "")
	case []any:
		if len(v) > 0 {
			all = append(all, append(runtime.DeepCopyJSONValue(v).([]any), s.g.again(sh, r.path, v[:1], 1)...), []any{}, v[1:])
		}
	}
	full, full2 := s.g.valueAt(s.m, r.path, true), s.g.valueAt(s.m, r.path, true)
	return append(all, s.g.valueAt(s.m, r.path, false), full, full2)
}

// extremes are texts that functions read, from the least to the most, and some that none reads.
var extremes = []any{"0", "1", "1000Ti", "0s", "1ms", "100000h", "2001:db8::1", "10.0.0.1", "10.0.0.0/8", "http://example.com", "https://example.com/a?b#c", "?", "", "a", "A", "-"}

// mentioned are the values that an expression mentions: those of the object, without those around them, and its literals.
func (s *solver) mentioned(e ast.Expr, bound map[string]ref) (refs []ref, literals []any) {
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if r, ok := s.ref(e, bound); ok {
			if !slices.ContainsFunc(refs, func(other ref) bool { return r.path.Leads(other.path) && r.old == other.old }) {
				refs = append(refs, r)
			}
		} else if e.Kind() == ast.LiteralKind {
			literals = append(literals, s.values(e, bound)...)
		}
	}))
	return refs, literals
}

// anything are plans after which what an expression mentions is something else.
func (s *solver) anything(e ast.Expr, bound map[string]ref) (all []Plan) {
	refs, literals := s.mentioned(e, bound)
	for _, r := range refs {
		var values []any
		for _, literal := range literals {
			if text, is := literal.(string); is {
				values = append(values, text, text+"a", "a"+text)
				spelled := spellings(text, 0)
				for _, text := range spelled[:min(4, len(spelled))] {
					values = append(values, text)
				}
			}
		}
		r.size = false
		for _, v := range append(values, s.others(r)...) {
			all = append(all, s.plan(r, change{value: v})...)
		}
		if s.shapeOf(r).kind() == "string" {
			for _, v := range extremes {
				all = append(all, s.plan(r, change{value: v})...)
			}
		}
	}
	return all[:min(len(all), maxPlans)]
}
