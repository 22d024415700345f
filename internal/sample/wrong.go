package sample

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
)

// most is how long values are made at most that exceed a limit.
const most = 5000

// Wrong are values for a node that may break a keyword there and nothing else. They are made from one that is valid.
func (g *Generator) Wrong(at Path, keyword string, valid any) []any {
	s := g.shapeOf(at)
	switch valid := valid.(type) {
	case string:
		return s.wrongTexts(keyword, valid)
	case int64:
		return s.wrongNumbers(keyword, float64(valid))
	case float64:
		return s.wrongNumbers(keyword, valid)
	case bool:
		if keyword == "enum" {
			return []any{!valid}
		}
	case []any:
		return g.wrongLists(s, at, keyword, valid)
	case map[string]any:
		return g.wrongObjects(s, at, keyword, valid)
	}
	return nil
}

func (s *shape) wrongTexts(keyword, valid string) (all []any) {
	add := func(texts ...string) {
		for _, text := range texts {
			if isLength := strings.HasSuffix(keyword, "Length"); !isLength || s.matchesAll(text) { // upstream tells the length alone
				all = append(all, text)
			}
		}
	}
	least, longest := length(s.MinLength, 0), length(s.MaxLength, most)
	runes := []rune(valid)
	switch keyword {
	case "enum":
		add("Other", "other", "")
	case "pattern", "format":
		add("?", "not valid", "")
		add(valid+"?", "?"+valid, valid+" ", " "+valid, strings.ToUpper(valid), "-"+valid, valid+"-", valid+"/", valid+".", "_"+valid, valid+"\n", "a", "A", "0", "-1",
			strings.Repeat("?", max(least, 1)), strings.Repeat("a", max(least, 1)), strings.Repeat("a", min(longest, 64)), "ü")
		if n := length(s.MinLength, 0); n > 1 {
			add(strings.Repeat("a b", n)[:n])
		}
		if len(runes) > 1 {
			add(string(runes[:len(runes)-1]), string(runes[1:]), string(runes[:len(runes)-1])+"?")
		}
	case "minLength":
		if least > 0 && len(runes) >= least {
			add(string(runes[:least-1]), strings.Repeat("a", least-1))
		}
	case "maxLength":
		if missing := longest + 1 - len(runes); s.MaxLength != nil && longest < most && missing > 0 {
			add(valid+strings.Repeat(".a", missing/2+1), valid+strings.Repeat("/a", missing/2+1))
			add(strings.Repeat("a", longest+1), valid+strings.Repeat("a", missing), strings.Repeat("a", missing)+valid, strings.Repeat("0", longest+1),
				valid+strings.Repeat("0", missing))
			if len(runes) > 0 {
				half := len(runes) / 2
				add(string(runes[:half])+strings.Repeat("a", missing)+string(runes[half:]), strings.Repeat(valid, longest/len(runes)+1))
			}
			for _, p := range s.patterns {
				for _, text := range spellings(p, int64(longest+1)) {
					add(text)
				}
			}
		}
	}
	return all
}

func (s *shape) matchesAll(text string) bool {
	return !slices.ContainsFunc(s.patterns, func(pattern string) bool {
		made := compile(pattern)
		return made != nil && !made.MatchString(text)
	})
}

func (s *shape) wrongNumbers(keyword string, valid float64) (all []any) {
	add, step := func(n float64) { all = append(all, Plain(n)) }, 1.0
	if s.MultipleOf != nil {
		step = *s.MultipleOf
	}
	switch {
	case keyword == "enum":
		return []any{int64(-1), int64(0), int64(99999)}
	case keyword == "pattern" && s.kind() == "int or string":
		return s.wrongTexts(keyword, "")
	case keyword == "format" && s.Format == "int32":
		return []any{int64(1) << 31, -int64(1)<<31 - 1}
	case keyword == "format":
		return []any{1e39, -1e39, 1e19}
	case keyword == "minimum" && s.Minimum != nil:
		if add(*s.Minimum); s.kind() == "number" {
			add(*s.Minimum - 0.5)
		}
		add(*s.Minimum - 1)
		add(*s.Minimum - step)
	case keyword == "maximum" && s.Maximum != nil:
		if add(*s.Maximum); s.kind() == "number" {
			add(*s.Maximum + 0.5)
		}
		add(*s.Maximum + 1)
		add(*s.Maximum + step)
	case keyword == "multipleOf" && s.MultipleOf != nil:
		add(valid + 1)
		add(valid - 1)
		add(valid + step/2)
	}
	return all
}

func (g *Generator) wrongLists(s *shape, at Path, keyword string, valid []any) (all []any) {
	m := g.maker(at, 1)
	switch {
	case keyword == "x-kubernetes-list-type" && len(valid) == 0:
		if items := m.items(s, at, 1); len(items) > 0 {
			all = append(all, []any{items[0], runtime.DeepCopyJSONValue(items[0])})
		}
	case keyword == "x-kubernetes-list-type":
		all = append(all, append(runtime.DeepCopyJSONValue(valid).([]any), runtime.DeepCopyJSONValue(valid[0])))
	case keyword == "minItems" && 0 < length(s.MinItems, 0) && length(s.MinItems, 0) <= len(valid):
		all = append(all, valid[:*s.MinItems-1])
	case keyword == "maxItems" && length(s.MaxItems, most) < 300:
		missing := int(*s.MaxItems) + 1 - len(valid)
		if all = append(all, m.items(s, at, int(*s.MaxItems)+1)); len(valid) > 0 {
			all = append(all, append(runtime.DeepCopyJSONValue(valid).([]any), g.again(s, Concrete(at), valid[:1], missing)...))
		} else if first := m.items(s, at, 1); len(first) > 0 {
			all = append(all, append(first, g.again(s, Concrete(at), first, missing-1)...))
		}
	}
	return all
}

func (g *Generator) wrongObjects(s *shape, at Path, keyword string, valid map[string]any) (all []any) {
	m := g.maker(at, 1)
	switch {
	case keyword == "minProperties" && s.MinProperties != nil:
		less := runtime.DeepCopyJSON(valid)
		for _, name := range sorted(valid) {
			if len(less) >= int(*s.MinProperties) {
				delete(less, name)
			}
		}
		all = append(all, less, map[string]any{})
	case keyword == "maxProperties" && length(s.MaxProperties, most) < 300:
		more := runtime.DeepCopyJSON(valid)
		for _, name := range sorted(s.properties) {
			if _, has := more[name]; !has && len(more) <= int(*s.MaxProperties) {
				more[name] = m.value(s.properties[name], at.To(Property, name))
			}
		}
		for i := 0; len(s.values) > 0 && len(more) <= int(*s.MaxProperties); i++ {
			more["key-"+string(rune('a'+i%26))+strings.Repeat("x", i/26)] = m.value(s.values, at.To(Values, ""))
		}
		all = append(all, more)
	}
	return all
}

// again is an item n times, each time with other keys where these have to differ.
func (g *Generator) again(s *shape, at request.Path, item []any, n int) (all []any) {
	node := nodeAt(g.root, at).To(Items, "")
	for i := range n {
		copied := runtime.DeepCopyJSONValue(item[0])
		switch value := copied.(type) {
		case string:
			if s.listType == "set" {
				copied = value + strings.Repeat("a", i+1)
			}
		case map[string]any:
			for _, key := range s.listKeys {
				at := node.To(Property, key)
				value[key] = g.shapeOf(at).anotherThan(value[key], at, i)
			}
		}
		all = append(all, copied)
	}
	return all
}

// anotherThan is the i-th value that is not the given one.
func (s *shape) anotherThan(value any, at Path, i int) any {
	switch value := value.(type) {
	case int64:
		return value + int64(i) + 1
	case string:
		if len(s.Enum) > 0 {
			return Plain(s.Enum[(i+1)%len(s.Enum)])
		}
		if other := s.text(at, i+1); other != value {
			return other
		}
		return s.text(at, i+1000)
	}
	return value
}
