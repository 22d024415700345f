package sample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/request"
)

type props = apiextensions.JSONSchemaProps

// TestNumbers makes numbers for all small limits: one that the schema takes if there is one above 0, and others as long as there
// are others.
func TestNumbers(t *testing.T) {
	t.Parallel()
	limits := []*float64{nil}
	for n := 0.0; n <= 4; n += 0.5 {
		limits = append(limits, new(n))
	}
	for _, least := range limits {
		for _, most := range limits {
			for _, step := range []*float64{nil, new(1.0), new(2.0), new(3.0)} {
				for exclusive := range 4 {
					s := &shape{JSONSchemaProps: props{
						Minimum: least, Maximum: most, MultipleOf: step, ExclusiveMinimum: exclusive&1 != 0, ExclusiveMaximum: exclusive&2 != 0,
					}}
					takes := func(n float64) bool {
						return (least == nil || n > *least || n == *least && !s.ExclusiveMinimum) &&
							(most == nil || n < *most || n == *most && !s.ExclusiveMaximum) && (step == nil || math.Mod(n, *step) == 0)
					}
					about := fmt.Sprintf("from %v to %v in steps of %v, exclusive %d", show(least), show(most), show(step), exclusive)
					possible := 0
					for n := 1; n <= 9; n++ {
						if takes(float64(n)) {
							possible++
						}
					}
					seen := map[int64]bool{}
					for n := 1; n <= min(3, possible); n++ {
						whole := s.integer(n)
						if !takes(float64(whole)) || seen[whole] {
							t.Errorf("%s: the %d. is %d, after %v", about, n, whole, seen)
						}
						seen[whole] = true
					}
					if possible == 0 {
						continue
					}
					switch n := s.fraction(1).(type) {
					case int64:
						if !takes(float64(n)) {
							t.Errorf("%s: the number is %d", about, n)
						}
					case float64:
						if !takes(n) {
							t.Errorf("%s: the number is %v", about, n)
						}
					}
				}
			}
		}
	}
	// Numbers that are not whole, where there is room for them.
	for _, test := range []struct {
		of   props
		want any
	}{
		{props{}, 1.5},
		{props{Maximum: new(1.5)}, int64(1)},
		{props{MultipleOf: new(0.25)}, 1.25},
		{props{MultipleOf: new(0.25), Maximum: new(1.25)}, 1.25},
		{props{MultipleOf: new(0.25), Maximum: new(1.0)}, int64(1)},
		{props{Minimum: new(0.5), Maximum: new(0.9)}, 0.5},
	} {
		if got := (&shape{JSONSchemaProps: test.of}).fraction(1); got != test.want {
			t.Errorf("%+v: got %v, want %v", test.of, got, test.want)
		}
	}
}

func show(n *float64) any {
	if n == nil {
		return "none"
	}
	return *n
}

// randomly is a maker that fills in what is not required, too.
func randomly(seed uint64) maker {
	return maker{full: true, random: rand.New(rand.NewPCG(1, seed)), number: new(int)}
}

// TestVariants has values that mistakes of conversions change, where nothing speaks against them.
func TestVariants(t *testing.T) {
	t.Parallel()
	text, number := func(s props) props { s.Type = "string"; return s }, func(s props) props { s.Type = "integer"; return s }
	fraction := func(s props) props { s.Type = "number"; return s }
	var def apiextensions.JSON = "x"
	at := Path{}.To(Property, "spec").To(Property, "host")
	for _, test := range []struct {
		about string
		of    props
		want  []any
		not   []any
	}{
		{"a text", text(props{}), []any{"", " host-7 ", "HOST-7", "host\n7\n", "/host//7/", "07.10", "latest", "default", "0", "host-7" + strings.Repeat("a", 294)}, nil},
		{"a text of a length", text(props{MinLength: new(int64(3)), MaxLength: new(int64(12))}),
			[]any{" host-7 ", "host-7aaaaaa", "t-7", "07.10", "yes"}, []any{"", "*", "80"}},
		{"a text that may be very long", text(props{MaxLength: new(int64(1 << 20))}), []any{"host-7" + strings.Repeat("a", 294)}, nil},
		{"a text of letters that count as one each", text(props{MaxLength: new(int64(24))}), []any{"a <b> & \"c\" \u2028 ü \U0001F600 7"}, nil},
		{"a text with a default", text(props{Default: &def}), []any{" host-7 "}, []any{""}},
		{"a text of a pattern", text(props{Pattern: "^[a-zA-Z0-9-]*$", MaxLength: new(int64(63))}), []any{"", "HOST-7", "host-7" + strings.Repeat("a", 57), "host-7", "7"}, []any{" host-7 "}},
		{"a text of a pattern of durations", text(props{Pattern: "^([0-9]{1,5}(h|m|s|ms)){1,4}$"}), []any{"36h0m0s", "2160h0m0s", "1ms", "1m30s", "36h"}, []any{"1.5s", "latest"}},
		{"a text of a pattern of one unit", text(props{Pattern: "^[0-9]+(m|h|d)$"}), []any{"36h", "2160h"}, []any{"36h0m0s", "1ms"}},
		{"a text of a pattern that takes durations and all else", text(props{Pattern: "^.+$"}), []any{"latest"}, []any{"36h", "1ms"}},
		{"a duration by its format", text(props{Format: "duration"}), []any{"36h0m0s", "2160h0m0s", "1ms"}, []any{"36h"}},
		{"a time", text(props{Format: "date-time"}), []any{"2020-01-01T02:00:17+02:00", "2019-12-31T23:30:17-00:30", "2020-01-01T00:00:17.123456Z"}, []any{"", "*"}},
		{"an address", text(props{Format: "ipv4"}), nil, []any{"", "*"}},
		{"a format that servers do not know", text(props{Format: "quantity"}), []any{"", " host-7 "}, nil},
		{"a number", number(props{}), []any{int64(0), int64(-7), int64(1)<<53 + 15, int64(math.MaxInt64), int64(1)<<32 + 7}, nil},
		{"a number of 32 bits", number(props{Format: "int32"}), []any{int64(0), int64(-7)}, []any{int64(math.MaxInt64), int64(1)<<32 + 7}},
		{"a number from 0", number(props{Minimum: new(0.0)}), []any{int64(0), int64(math.MaxInt64)}, []any{int64(-7)}},
		{"a number above 0", number(props{Minimum: new(0.0), ExclusiveMinimum: true}), []any{int64(1)}, []any{int64(0)}},
		{"a number in steps", number(props{Minimum: new(1.0), Maximum: new(99.0), MultipleOf: new(5.0)}), []any{int64(5), int64(95)}, []any{int64(1), int64(99)}},
		{"a fraction", fraction(props{}), []any{0.1, 7.25, 7.123456789012, int64(1)<<24 + 1, -7.5}, nil},
		{"a fraction of 32 bits", fraction(props{Format: "float"}), []any{7.25, -7.5, 7.015625}, []any{0.1, 7.123456789012, int64(1)<<24 + 1}},
		{"a fraction to 7.2", fraction(props{Minimum: new(0.05), Maximum: new(7.2)}), []any{0.1, 0.05, 7.2, 7.123456789012}, []any{7.25, int64(0)}},
		{"a fraction from 0 to 1", fraction(props{Minimum: new(0.0), Maximum: new(1.0)}), []any{0.123456789012, 1.0 / 3, 0.015625, 0.1, int64(0), int64(1)}, []any{7.25}},
		{"a fraction from 10 to 11", fraction(props{Minimum: new(10.0), Maximum: new(11.0)}), []any{10.123456789012}, []any{7.123456789012}},
		{"a fraction of at least 10", fraction(props{Minimum: new(10.0)}), []any{10.123456789012}, []any{7.123456789012}},
		{"a fraction of at most -1", fraction(props{Maximum: new(-1.0)}), []any{-1.984375}, []any{7.015625}},
		{"a number or a text", props{XIntOrString: true}, []any{int64(0), int64(80), "80", "50%"}, nil},
		{"a boolean", props{Type: "boolean"}, nil, nil},
	} {
		s := randomly(1).shape(Schemas{&test.of}, "")
		var all []any
		for _, v := range s.variants(at, 7) {
			all = append(all, v.value)
		}
		for _, want := range test.want {
			if !slices.Contains(all, want) {
				t.Errorf("%s: there is no %#v in %#v", test.about, want, all)
			}
		}
		for _, not := range test.not {
			if slices.Contains(all, not) {
				t.Errorf("%s: there is %#v", test.about, not)
			}
		}
		if len(all) > 0 != (len(test.want) > 0) {
			t.Errorf("%s: %#v", test.about, all)
		}
	}
}

// TestTurns has each of the values of a node once before one is there twice, half of them ordinary, and not always with the same
// ones of another node.
func TestTurns(t *testing.T) {
	t.Parallel()
	at, other := Path{}.To(Property, "a"), Path{}.To(Property, "b")
	seen, together := map[int]int{}, map[[2]int]bool{}
	for nth := range 12 {
		m := maker{turns: &turns{seed: 3, nth: nth, seen: map[string]int{}}}
		one := m.pick(at, 4)
		seen[one]++
		together[[2]int{one, m.pick(other, 4)}] = true
		if again := m.pick(at, 4); nth%4 != 3 && again == one {
			t.Errorf("%d is there twice in a row", again)
		}
	}
	if len(seen) != 4 || seen[0] != 3 || seen[1] != 3 || seen[2] != 3 {
		t.Errorf("got %v", seen)
	}
	if len(together) < 5 {
		t.Errorf("together are only %v", together)
	}
	told := 0
	for nth := range 24 { // there are 12 of a text
		m := maker{number: new(int), turns: &turns{nth: nth, seen: map[string]int{}}}
		if _, ok := m.telling(&shape{JSONSchemaProps: props{Type: "string"}}, at); ok {
			told++
		}
	}
	if told != 12 {
		t.Errorf("%d of 24 are not ordinary", told)
	}
}

// TestLists has as many items as there are to be, and none twice where a list is a set or a map.
func TestLists(t *testing.T) {
	t.Parallel()
	set, atomic, keyed := "set", "atomic", "map"
	enum := props{Type: "string", Enum: []apiextensions.JSON{"a", "b", "c", "d"}}
	object := props{Type: "object", Required: []string{"k", "l"}, Properties: map[string]props{"k": enum, "l": {Type: "string", Enum: []apiextensions.JSON{"x"}}}}
	of := func(items props, s props) props {
		s.Type, s.Items = "array", &apiextensions.JSONSchemaPropsOrArray{Schema: &items}
		return s
	}
	for _, test := range []struct {
		about       string
		of          props
		least, most int
		distinct    bool
	}{
		{"a set", of(enum, props{XListType: &set, MinItems: new(int64(4))}), 4, 4, true},
		{"a map", of(object, props{XListType: &keyed, XListMapKeys: []string{"k"}, MinItems: new(int64(4))}), 4, 4, true},
		{"a map of two keys", of(object, props{XListType: &keyed, XListMapKeys: []string{"k", "l"}, MinItems: new(int64(4))}), 4, 4, true},
		{"items that are to be unique", of(enum, props{UniqueItems: true, MinItems: new(int64(4))}), 4, 4, true},
		{"any items", of(enum, props{MinItems: new(int64(4))}), 4, 4, false},
		{"an atomic list", of(enum, props{XListType: &atomic, UniqueItems: true, MinItems: new(int64(4))}), 4, 4, false},
		{"no limits", of(props{Type: "string"}, props{}), 0, 3, true},
		{"few", of(props{Type: "string"}, props{MaxItems: new(int64(1))}), 0, 1, true},
	} {
		least, most, alike := math.MaxInt, 0, false
		for seed := range uint64(60) {
			m := randomly(seed)
			s := m.shape(Schemas{&test.of}, "")
			s.UniqueItems = test.of.UniqueItems
			list := m.list(s, nil)
			least, most = min(least, len(list)), max(most, len(list))
			seen := map[string]bool{}
			for _, item := range list {
				if with, ok := item.(map[string]any); ok {
					item = with["k"]
				}
				alike = alike || seen[fmt.Sprint(item)]
				seen[fmt.Sprint(item)] = true
			}
		}
		if least != test.least || most != test.most {
			t.Errorf("%s: from %d to %d items, not from %d to %d", test.about, least, most, test.least, test.most)
		}
		if alike == test.distinct {
			t.Errorf("%s: items are alike: %t", test.about, alike)
		}
	}
}

// TestMembers has the members that are required, others as long as there is room, and of each what its schema says.
func TestMembers(t *testing.T) {
	t.Parallel()
	number, text := props{Type: "integer"}, props{Type: "string"}
	declared := map[string]props{"a": number, "b": number, "c": number}
	values := &apiextensions.JSONSchemaPropsOrBool{Schema: &text}
	for _, test := range []struct {
		about       string
		of          props
		full, least string // the members, where there are most, and with no more than has to be
	}{
		{"declared", props{Properties: declared}, "a b c", ""},
		{"required", props{Properties: declared, Required: []string{"b"}}, "a b c", "b"},
		{"room for two", props{Properties: declared, Required: []string{"c"}, MaxProperties: new(int64(2))}, "a c", "c"},
		{"at least two", props{Properties: declared, MinProperties: new(int64(2))}, "a b c", "a b"},
		{"at least two, one required", props{Properties: declared, Required: []string{"c"}, MinProperties: new(int64(2))}, "a b c", "a c"},
		{"a map", props{AdditionalProperties: values}, "key", ""},
		{"a map with at least two", props{AdditionalProperties: values, MinProperties: new(int64(2))}, "key keyx", "key keyx"},
		{"a map without room", props{AdditionalProperties: values, MaxProperties: new(int64(0))}, "", ""},
		{"a key that is required", props{AdditionalProperties: values, Required: []string{"z"}}, "z", "z"},
		{"what is kept", props{XPreserveUnknownFields: new(true)}, "anything", ""},
		{"what is kept, without room", props{XPreserveUnknownFields: new(true), MaxProperties: new(int64(0))}, "", ""},
		{"what is kept beside what is declared", props{XPreserveUnknownFields: new(true), Properties: declared}, "a b c", ""},
		{"a resource", props{XEmbeddedResource: true, Properties: map[string]props{"kind": number}}, "apiVersion kind", "apiVersion kind"},
	} {
		test.of.Type = "object"
		for _, full := range []bool{true, false} {
			m := maker{full: full, number: new(int)}
			object := m.object(m.shape(Schemas{&test.of}, ""), Path(nil).To(Property, "spec"))
			want := test.least
			if full {
				want = test.full
			}
			if got := strings.Join(sorted(object), " "); got != want {
				t.Errorf("%s, full %t: got %q, want %q", test.about, full, got, want)
			}
			for name, value := range object {
				_, isNumber := value.(int64)
				if _, is := declared[name]; is != isNumber {
					t.Errorf("%s: %s is %v", test.about, name, value)
				}
			}
		}
	}
	// Values that are made at random have both truths, and keys of more than one kind.
	truths, keys := map[any]bool{}, map[string]bool{}
	for seed := range uint64(40) {
		m := randomly(seed)
		truths[m.value(Schemas{{Type: "boolean"}}, nil)] = true
		for name := range m.value(Schemas{{Type: "object", AdditionalProperties: values}}, nil).(map[string]any) {
			keys[strings.TrimRight(name, "0123456789")] = true
		}
		few := m.value(Schemas{{Type: "object", AdditionalProperties: values, MaxProperties: new(int64(1))}}, nil).(map[string]any)
		if len(few) > 1 {
			t.Errorf("of one member there are %v", few)
		}
	}
	if len(truths) != 2 || !slices.Equal(sorted(keys), []string{"KEY_", "example.com/key.", "key"}) {
		t.Errorf("got %v and %v", truths, keys)
	}
	if (maker{number: new(int)}).value(Schemas{{Type: "boolean"}}, nil) != true {
		t.Error("the first truth is not true")
	}
}

// TestMerge has all that the schemas of a node say, in whichever of them, and of two limits the tighter one.
func TestMerge(t *testing.T) {
	t.Parallel()
	listType := "map"
	var def apiextensions.JSON = "x"
	text := props{Type: "string"}
	m := maker{number: new(int)}
	options := cmp.AllowUnexported(shape{})
	for i, s := range []props{
		{Type: "string"}, {XIntOrString: true}, {XEmbeddedResource: true}, {XPreserveUnknownFields: new(true)}, {XListType: &listType, XListMapKeys: []string{"k"}},
		{Nullable: true}, {Default: &def}, {Format: "date"}, {Pattern: "^a$"}, {Enum: []apiextensions.JSON{"a"}}, {Required: []string{"a"}},
		{MinLength: new(int64(1))}, {MinItems: new(int64(1))}, {MinProperties: new(int64(1))}, {Minimum: new(1.0)}, {MaxLength: new(int64(1))},
		{MaxItems: new(int64(1))}, {MaxProperties: new(int64(1))}, {Maximum: new(1.0)}, {ExclusiveMinimum: true}, {ExclusiveMaximum: true},
		{MultipleOf: new(2.0)}, {Properties: map[string]props{"a": text}}, {Items: &apiextensions.JSONSchemaPropsOrArray{Schema: &text}},
		{AdditionalProperties: &apiextensions.JSONSchemaPropsOrBool{Schema: &text}},
	} {
		none := m.shape(Schemas{{}}, "")
		alone := m.shape(Schemas{&s}, "")
		if cmp.Equal(none, alone, options) {
			t.Errorf("%d: %+v says nothing", i, s)
		}
		for about, with := range map[string]Schemas{
			"before": {{}, &s}, "after": {&s, {}}, "in allOf": {{AllOf: []props{{}, s}}}, "in oneOf": {{OneOf: []props{s, {}}}}, "in anyOf": {{AnyOf: []props{s}}},
		} {
			if diff := cmp.Diff(alone, m.shape(with, ""), options); diff != "" {
				t.Errorf("%d: %+v %s: %s", i, s, about, diff)
			}
		}
	}
	loose := props{MinLength: new(int64(1)), MaxLength: new(int64(9)), Minimum: new(1.0), Maximum: new(9.0)}
	tight := props{MinLength: new(int64(2)), MaxLength: new(int64(8)), Minimum: new(2.0), Maximum: new(8.0)}
	for _, both := range []Schemas{{&loose, &tight}, {&tight, &loose}} {
		if diff := cmp.Diff(m.shape(Schemas{&tight}, ""), m.shape(both, ""), options); diff != "" {
			t.Error(diff)
		}
	}
	// The branch that mentions what is wanted is taken.
	branches := []props{{Required: []string{"a"}}, {Properties: map[string]props{"b": text}}, {Required: []string{"c"}}}
	for want, at := range map[string]int{"": 0, "a": 0, "b": 1, "c": 2, "d": 0} {
		if got := m.branch(branches, want); got != at {
			t.Errorf("for %q it takes branch %d", want, got)
		}
	}
}

// TestKind guesses the type of a node from what else is said of it.
func TestKind(t *testing.T) {
	t.Parallel()
	text := props{Type: "string"}
	for i, test := range []struct {
		of   props
		want string
	}{
		{props{}, "string"},
		{props{Type: "number", XIntOrString: true}, "int or string"},
		{props{Type: "number", MinItems: new(int64(1))}, "number"},
		{props{Properties: map[string]props{"a": text}}, "object"},
		{props{Required: []string{"a"}}, "object"},
		{props{AdditionalProperties: &apiextensions.JSONSchemaPropsOrBool{Schema: &text}}, "object"},
		{props{MinProperties: new(int64(1))}, "object"},
		{props{XPreserveUnknownFields: new(true)}, "object"},
		{props{Items: &apiextensions.JSONSchemaPropsOrArray{Schema: &text}}, "array"},
		{props{MinItems: new(int64(1))}, "array"},
		{props{Minimum: new(1.0)}, "integer"},
		{props{Maximum: new(1.0)}, "integer"},
		{props{MultipleOf: new(1.0)}, "integer"},
		{props{MinLength: new(int64(1))}, "string"},
	} {
		if got := (maker{}).shape(Schemas{&test.of}, "").kind(); got != test.want {
			t.Errorf("%d: %+v is of type %s, not %s", i, test.of, got, test.want)
		}
	}
}

// TestHint takes of what rules mention what is of the type of the node.
func TestHint(t *testing.T) {
	t.Parallel()
	m := randomly(1)
	m.hints = func() hints { return hints{"spec": {"word", int64(7)}} }
	at := Path(nil).To(Property, "spec")
	for _, test := range []struct {
		about string
		of    props
		want  any
	}{
		{"a text", props{Type: "string"}, "word"},
		{"a number", props{Type: "integer"}, int64(7)},
		{"a text of a format", props{Type: "string", Format: "date"}, nil},
		{"a number with a format", props{Type: "integer", Format: "int32"}, int64(7)},
		{"a boolean", props{Type: "boolean"}, nil},
	} {
		seen, none := map[any]bool{}, 0
		for range 80 {
			if value, ok := m.hint(m.shape(Schemas{&test.of}, ""), at); ok {
				seen[value] = true
			} else {
				none++
			}
			if _, ok := m.hint(m.shape(Schemas{&test.of}, ""), nil); ok {
				t.Errorf("%s: there is a hint for another node", test.about)
			}
		}
		if none == 0 || len(seen) > 1 || (len(seen) == 1) != (test.want != nil) || test.want != nil && !seen[test.want] {
			t.Errorf("%s: got %v, want %v", test.about, seen, test.want)
		}
	}
}

// TestOthers tries of what a rule mentions what is of the type of the node, and values beside it.
func TestOthers(t *testing.T) {
	t.Parallel()
	told := &reading{literals: []any{int64(70), "word"}}
	for _, test := range []struct {
		kind       string
		of         props
		text, next bool
	}{
		{"integer", props{Type: "integer"}, false, true},
		{"number", props{Type: "number"}, false, true},
		{"string", props{Type: "string"}, true, false},
		{"int or string", props{XIntOrString: true}, true, true},
		{"boolean", props{Type: "boolean"}, false, false},
	} {
		g := &Generator{root: Schemas{{Type: "object", Properties: map[string]props{"f": test.of}}}}
		var tried []any
		for _, c := range g.others(randomly(1), nil, request.Keys("f"), nil, told, nil) {
			tried = append(tried, c.value)
		}
		if slices.Contains(tried, any("word")) != test.text {
			t.Errorf("%s: tried is %v", test.kind, tried)
		}
		for _, number := range []int64{69, 70, 71} {
			if slices.Contains(tried, any(number)) != test.next {
				t.Errorf("%s: that %d is tried is %t", test.kind, number, !test.next)
			}
		}
	}
}
