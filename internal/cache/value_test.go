package cache

import (
	"math"
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
	Real    float64
	Text    string
	List    []inner
	Names   map[string][]string
	By      map[inner]string
	Pointer *inner
	Any     any
}

// TestRoundTrip reads what was written: lists that are empty and lists that are none, text that is not UTF-8, numbers.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	deep := any(int64(1))
	for range 400 {
		deep = map[string]any{"properties": deep}
	}
	for name, v := range map[string]outer{
		"zero":  {},
		"all":   {Yes: true, Small: -128, Real: -0.5, Text: "a\x00\xffß", List: []inner{{Text: "b", Next: &inner{Count: -1}}, {}}, Names: map[string][]string{"": nil, "x": {}}, By: map[inner]string{{Text: "\xff"}: "c"}, Pointer: &inner{}},
		"empty": {List: []inner{}, Names: map[string][]string{}},
		"any":   {Any: map[string]any{"a": []any{nil, true, int64(-2), int64(math.MaxInt64), 2.5, math.Inf(1), "s\xff", []any{}, map[string]any{}}}},
		"deep":  {Any: deep},
	} {
		text, err := Write(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got outer
		if err := Read(text, &got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(v, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	same := func(a map[string][]string, list []inner, small int8, real float64, text string) bool {
		v := outer{Names: a, List: list, Small: small, Real: real, Any: text}
		written, err := Write(v)
		var got outer
		return err == nil && Read(written, &got) == nil && cmp.Equal(v, got)
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
	first, err := Write(v)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if again, _ := Write(v); string(again) != string(first) {
			t.Fatal("the same map is written otherwise")
		}
	}
}

// TestRefuses writes and reads what has no other side.
func TestRefuses(t *testing.T) {
	t.Parallel()
	for name, v := range map[string]any{"a function": struct{ Never func() }{}, "a channel": make(chan int)} {
		if _, err := Write(v); err == nil {
			t.Errorf("%s is written", name)
		}
	}
	text, err := Write(outer{Yes: true, Text: "long enough", List: []inner{{Text: "b"}}, Any: []any{"x", 1.5}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		if err := Read(text[:i], &outer{}); err == nil {
			t.Errorf("%d bytes of %d are read", i, len(text))
		}
	}
	if err := Read(append(text, 0), &outer{}); err == nil {
		t.Error("what comes after the value is passed over")
	}
}

// FuzzRead reads any bytes: they make an error, or a value that is written and read as the same.
func FuzzRead(f *testing.F) {
	for _, v := range []outer{
		{}, {Yes: true, Text: "a", List: []inner{{Next: &inner{Count: 3}}}},
		{Names: map[string][]string{"x": {"y"}}, Any: []any{map[string]any{"a": 1.5}}},
	} {
		text, err := Write(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v, again outer
		if Read(text, &v) != nil {
			return
		}
		written, err := Write(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := Read(written, &again); err != nil {
			t.Fatal(err)
		}
		if twice, err := Write(again); err != nil || string(twice) != string(written) {
			t.Errorf("%q, and then %q: %v", written, twice, err)
		}
	})
}
