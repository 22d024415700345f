package wire

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"
)

type inner struct {
	Text  string
	Count int
	Next  *inner
}

type outer struct {
	Yes     bool
	Small   int8
	Far     uint32
	Real    float64
	Text    string
	List    []inner
	Names   map[string][]string
	Pointer *inner
	Any     any
	Anys    []any
	Rule    *namedValue
	Never   func()
}

type namedValue struct{ ID, Long string }

func coder() *Coder {
	c := &Coder{}
	Refer(c, func(n *namedValue) string { return n.ID }, func(id string) *namedValue {
		if strings.HasPrefix(id, "?") {
			return nil
		}
		return &namedValue{id, "of " + id}
	})
	return c
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	c := coder()
	for name, v := range map[string]outer{
		"zero":      {},
		"all":       {Yes: true, Small: -128, Far: math.MaxUint32, Real: -0.5, Text: "a\x00ß", List: []inner{{Text: "b", Next: &inner{Count: -1}}, {}}, Names: map[string][]string{"": nil, "x": {}, "y": {"", "z"}}, Pointer: &inner{}},
		"empty":     {List: []inner{}, Names: map[string][]string{}, Anys: []any{}},
		"any":       {Any: map[string]any{"a": []any{nil, true, 1, int64(-2), 2.5, "s", []string{"t"}, map[string]any{}}}},
		"anys":      {Anys: []any{nil, []any(nil), math.Inf(1)}},
		"reference": {Rule: &namedValue{"r", "of r"}},
		"long":      {Names: map[string][]string{"n": make([]string, 3*maxAhead)}},
	} {
		text, err := c.Append([]byte("before"), v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got outer
		if err := c.Read(string(text[len("before"):]), &got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(v, got, cmp.Comparer(func(a, b func()) bool { return a == nil && b == nil })); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	same := func(a, b map[string][]string, list []inner, small int8, far uint32, real float64) bool {
		v := outer{Names: a, List: list, Small: small, Far: far, Real: real, Anys: []any{real, b == nil}}
		text, err := c.Append(nil, v)
		var got outer
		return err == nil && c.Read(string(text), &got) == nil && cmp.Equal(v, got, cmp.Comparer(func(a, b func()) bool { return a == nil && b == nil }))
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 50}); err != nil {
		t.Error(err)
	}
}

// TestEqualAlike writes a map many times: its entries have an order.
func TestEqualAlike(t *testing.T) {
	t.Parallel()
	v := map[string]int{}
	for i := range 50 {
		v[strings.Repeat("k", i)] = i
	}
	first, err := coder().Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if again, _ := coder().Append(nil, v); string(again) != string(first) {
			t.Fatal("the same map is written otherwise")
		}
	}
}

func TestRefusesToWrite(t *testing.T) {
	t.Parallel()
	loop := &inner{}
	loop.Next = loop
	var many []reflect.StructField
	for i := range maxFields + 1 {
		many = append(many, reflect.StructField{Name: fmt.Sprint("F", i), Type: reflect.TypeFor[int]()})
	}
	for name, v := range map[string]any{
		"a function":         outer{Never: func() {}},
		"a hidden field":     struct{ hidden int }{1},
		"a struct in an any": outer{Any: inner{Text: "x"}},
		"a loop":             loop,
		"a channel":          make(chan int),
		"an error":           struct{ Err error }{errDepth},
		"many fields":        reflect.New(reflect.StructOf(many)).Elem().Interface(),
	} {
		if _, err := coder().Append(nil, v); err == nil {
			t.Errorf("%s is written", name)
		}
	}
}

func TestRefusesToRead(t *testing.T) {
	t.Parallel()
	c := coder()
	text, err := c.Append(nil, outer{Yes: true, Text: "long enough", List: []inner{{Text: "b"}}, Rule: &namedValue{ID: "r"}, Any: []any{"x", 1.5}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		if err := c.Read(string(text[:i]), &outer{}); err == nil {
			t.Errorf("%d bytes of %d are read", i, len(text))
		}
	}
	if err := c.Read(string(text)+"\x00", &outer{}); err == nil {
		t.Error("what comes after the value is passed over")
	}
	unknown, err := c.Append(nil, outer{Rule: &namedValue{ID: "?"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Read(string(unknown), &outer{}); err == nil || !strings.Contains(err.Error(), `"?"`) {
		t.Errorf("an unknown name: %v", err)
	}
}

// FuzzRead reads any text: it makes an error, or a value that is written and read as the same.
func FuzzRead(f *testing.F) {
	c := coder()
	for _, v := range []outer{
		{}, {Yes: true, Text: "a", List: []inner{{Next: &inner{Count: 3}}}},
		{Names: map[string][]string{"x": {"y"}}, Any: []any{map[string]any{"a": 1.5}}, Rule: &namedValue{ID: "r"}},
	} {
		text, err := c.Append(nil, v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(strings.Repeat("\x06\x01", 200))
	f.Fuzz(func(t *testing.T, text string) {
		var v, again outer
		if c.Read(text, &v) != nil {
			return
		}
		written, err := c.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Read(string(written), &again); err != nil {
			t.Fatal(err)
		}
		twice, err := c.Append(nil, again)
		if err != nil || string(twice) != string(written) {
			t.Errorf("%q, and then %q: %v", written, twice, err)
		}
	})
}
