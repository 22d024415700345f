package yaml11

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigs "sigs.k8s.io/yaml"
	yamlv2 "sigs.k8s.io/yaml/goyaml.v2"
)

func parse(t *testing.T, text string) *yaml.Node {
	t.Helper()
	n, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("kyaml: %v in\n%s", err, text)
	}
	return n
}

// samples are documents with the JSON that both sides make of them, or "error: " and a part of our message.
var samples = []struct{ yaml, json string }{
	// The words of YAML 1.1.
	{"[y, Y, yes, on, ON, true, True]", `[true,true,true,true,true,true,true]`},
	{"[n, N, no, off, Off, false]", `[false,false,false,false,false,false]`},
	{"[yES, oN, tRUE, nULL]", `["yES","oN","tRUE","nULL"]`},
	{"[~, null, Null, NULL, ]", `[null,null,null,null]`},
	{"a:\nb: ''\nc: !!str\n", `{"a":null,"b":"","c":""}`},
	{"", "null"},
	{"# nothing\n", "null"},
	{"--- ~\n", "null"},
	// Integers.
	{"[0, -0, +1, 010, 0o10, 0x1F, -0x1f, 0b11, -0b11, 1_000, 0b-1]", `[0,0,1,8,8,31,-31,3,-3,1000,-1]`},
	{"[08, 0o9, 0x, 0b2, _1, 1_, +_1]", `[8,"0o9","0x","0b2","_1",1,1]`},
	{"[9223372036854775807, 9223372036854775808, 18446744073709551615]", `[9223372036854775807,9223372036854775808,18446744073709551615]`},
	{"[18446744073709551616, -9223372036854775809]", `[18446744073709552000,-9223372036854776000]`},
	// Floats.
	{"[1.5, .5, 5., 1e3, 1E+3, -1.5e-3, 1e21, 1e-7, -0.0]", `[1.5,0.5,5,1000,1000,-0.0015,1e+21,1e-7,-0]`},
	{"[1e400, 1.2.3, 1e, ., -, +, 1_0.5_0, .5_0]", `["1e400","1.2.3","1e",".","-","+",10.5,0.5]`},
	{"[12:30:45, 1:2]", `["12:30:45","1:2"]`},
	{"a: .inf", "error: .inf is not a JSON number"},
	{"a: [-.INF]", "error: -.INF is not a JSON number"},
	{"a: .nan", "error: .nan is not a JSON number"},
	{".inf: 1\n-.inf: 2\n.nan: 3", `{".inf":1,"-.inf":2,".nan":3}`},
	{"a: .inf\na: 1", `{"a":1}`},
	{"z: {a: 1, a: {b: .inf}, a: 2, c: 3}\ny: .inf", "error: .inf"},
	// Timestamps stay strings.
	{"[2001-01-01, 2001-12-14t21:59:43.10-05:00, !!timestamp 2001-01-01]", `["2001-01-01","2001-12-14t21:59:43.10-05:00","2001-01-01"]`},
	{"!!timestamp x", "error: cannot decode"},
	// Tags.
	{`[!!str y, !!bool "y", !!int "010", !!float 1, !!null "", !!null ~]`, `["y",true,8,1,null,null]`},
	{"!<tag:yaml.org,2002:int> '7'", "7"},
	{"[!foo y, !!foo 1, !!map x, !!seq 1]", `["y","1","x","1"]`},
	{"[!foo {a: y}, !!set {b}, !!str [1]]", `[{"a":true},{"b":null},[1]]`},
	{"!!binary aGVsbG8=", `"hello"`},
	{"!!binary /w==", `"\ufffd"`},
	{"!!binary '*'", "error: base64"},
	{"!!int x", "error: cannot decode"},
	{"!!int 1.5", "error: cannot decode"},
	{"!!float 18446744073709551615", "error: cannot decode"},
	{"a: !!int x\na: 1", "error: cannot decode"},
	// The tag "!" makes a string of a scalar.
	{"[! true, ! 1, ! , ! ~, ! 'x', ! [1], ! {a: y}]", `["true","1","","~","x",[1],{"a":true}]`},
	{"a: !\nb: ! # c\n  no\nc: &x ! on\nd: ! &y 08\ne: &z # c\n  ! 1\nf: *x", `{"a":"","b":"no","c":"on","d":"08","e":"1","f":"on"}`},
	{"! on: 1\nb: ! |\n  a\nc: ! >-\n  b\n", `{"on":1,"b":"a\n","c":"b"}`},
	{"\ufeffé: ! 1\r\nc: ! 3 # \u2028b: !<!> 2\r\n", `{"é":"1","c":"3","b":"2"}`},
	{"a: '! 1'\nb: x ! 1\nc: a! 1\nd: !x 1\n# ! 1\ne: 1", `{"a":"! 1","b":"x ! 1","c":"a! 1","d":"1","e":1}`},
	{"! <<: {a: 1}\n! '<<': {b: 1}\nc: ! <<", `{"a":1,"b":1,"c":"<<"}`},
	// Keys.
	{"on: 1\n010: 2\n1.50: 3\n2001-01-01: 4\n!!binary eA==: 5\n", `{"true":1,"8":2,"1.5":3,"2001-01-01":4,"x":5}`},
	{"0.1234567890123: 1", `{"0.12345679":1}`},
	{"null: 1", "error: null as a key"},
	{"18446744073709551615: 1", "error: an integer of more than 63 bits as a key"},
	{"a: {null: 1}\na: 2", `{"a":2}`},
	{"[a]: 1", "error: a mapping or sequence as a key"},
	{"{a: 1}: 1\n", "error: a mapping or sequence as a key"},
	{"a: &k b\n*k : c", `{"a":"b","b":"c"}`},
	// Duplicates.
	{"a: 1\nb: 2\na: {c: 3, c: 4}\n", `{"b":2,"a":{"c":4}}`},
	{"a: 1\na: 2\na: 3\n", `{"a":3}`},
	{"a: {b: {c: 1}}\na: {}\n", `{"a":{}}`},
	{`{"<<": 1, a: <<}`, `{"<<":1,"a":"<<"}`},
	// Aliases and merge keys.
	{"a: &x [1, &y {b: 2}]\nc: *x\nd: *y", `{"a":[1,{"b":2}],"c":[1,{"b":2}],"d":{"b":2}}`},
	{"a: &x [*x]", "error: contains itself"},
	{"a: &x {<<: *x}", "error: contains itself"},
	{"b: &b {x: 1, y: 2}\na:\n  <<: *b\n  x: 3\n", `{"b":{"x":1,"true":2},"a":{"true":2,"x":3}}`},
	{"b: &b {x: 1, z: 2}\na:\n  x: 3\n  <<: *b\n", `{"b":{"x":1,"z":2},"a":{"x":1,"z":2}}`},
	{"- &b {x: 1, z: 2}\n- &c {x: 5, w: 6}\n- <<: [*b, *c]\n- {<<: *b, <<: *c}", `[{"x":1,"z":2},{"x":5,"w":6},{"w":6,"x":1,"z":2},{"z":2,"x":5,"w":6}]`},
	{"<<: {<<: {a: 1}, b: 2}\n", `{"a":1,"b":2}`},
	{"!!merge <<: {a: 1}\n", `{"a":1}`},
	{"!!str <<: {a: 1}\n", `{"<<":{"a":1}}`},
	{"<<: 1", "error: a merge key needs"},
	{"<<: [[{a: 1}]]", "error: a merge key needs"},
	{"a: &a [{b: 1}]\n<<: *a", "error: a merge key needs"},
	// Text.
	{"a: |\n  x\n  y\nb: >-\n  x\n  y\nc: \"\\t\\\"\\\\\\u00e9\\x07</>&\"", `{"a":"x\ny\n","b":"x y","c":"\t\"\\é\u0007</>&"}`},
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"a: b\n---\nc: d\n", "a: b\r--- # empty\n", " a: b\nc: d\n", "a: b\n---\n[\n"} {
		if n, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q: got %v, want an error", text, n)
		}
	}
}

func TestToJSON(t *testing.T) {
	for _, s := range samples {
		got, err := ToJSON(parse(t, s.yaml))
		if want, ok := strings.CutPrefix(s.json, "error: "); ok {
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(e.Msg, want) || e.Node == nil {
				t.Errorf("%q: got %s and error %v, want error %q", s.yaml, got, err, want)
			}
		} else if err != nil {
			t.Errorf("%q: %v", s.yaml, err)
		} else if want := canonical(t, s.json); canonical(t, string(got)) != want || order(string(got)) != order(s.json) {
			t.Errorf("%q:\n got %s\nwant %s", s.yaml, got, s.json)
		}
		agree(t, s.yaml)
	}
}

// order is JSON without what may be spelled in several ways.
func order(s string) string { return regexp.MustCompile(`[-+.e0-9]+|\\u....`).ReplaceAllString(s, "") }

func TestToJSONManyMembers(t *testing.T) {
	var b strings.Builder
	for i := range 72 {
		fmt.Fprintf(&b, "k%d: {a: %d, null: .inf}\n", i, i)
	}
	for i := range 72 {
		fmt.Fprintf(&b, "k%d: {b: %d}\n", i, i)
	}
	b.WriteString("k0: last\n")
	agree(t, b.String())
	got, err := ToJSON(parse(t, b.String()))
	if err != nil || !strings.HasPrefix(string(got), `{"k1":{"b":1},"k2":`) || !strings.HasSuffix(string(got), `,"k0":"last"}`) {
		t.Errorf("got %s, %v", got, err)
	}
	for n := 1; n < 2*few; n++ { // an index is made on the way
		for again := range n {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "k%d: %d\n", i, i)
			}
			fmt.Fprintf(&b, "k%d: {k%d: 1, k%d: 2}\nk%d: last\n", again, again, again, again)
			agree(t, b.String())
			if got, err := ToJSON(parse(t, b.String())); err != nil || !strings.HasSuffix(string(got), fmt.Sprintf(`"k%d":"last"}`, again)) || strings.Count(string(got), ":") != n {
				t.Errorf("k%d of %d again: got %s, %v", again, n, got, err)
			}
		}
	}
}

func TestToJSONLimits(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'i'; c++ {
		p := string(c - 1)
		bomb += fmt.Sprintf("%c: &%c [*%s]\n", c, c, strings.Repeat(p+",*", 8)+p)
	}
	long := "a: &a " + strings.Repeat("x", 1<<20) + "\nb: [" + strings.Repeat("*a,", 100) + "]\n"
	chain := "- &a0 x\n"
	for i := 1; i < 6000; i++ {
		chain += fmt.Sprintf("- &a%d [*a%d]\n", i, i-1)
	}
	longKey := "a: &a {? " + strings.Repeat("x", 1<<20) + " : y}\nb: [" + strings.Repeat("*a,", 100) + "]\n"
	for text, name := range map[string]string{bomb: "excessive aliasing", long: "64 MiB", longKey: "64 MiB"} {
		if _, err := ToJSON(parse(t, text)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %q", err, name)
		}
	}
	for text, want := range map[string]bool{bomb: true, "z: !!binary '!'\n" + bomb: true, "a: &a [x]\nb: [*a, *a]\n": false, "a: &a [*a]\n": true} {
		if got := Excessive(parse(t, text)); got != want {
			t.Errorf("Excessive is %t for %.40s", got, text)
		}
	}
	// Every item of the chain nests two levels deeper, so the limits must stop it one way or another.
	if _, err := ToJSON(parse(t, chain)); err == nil {
		t.Error("the chain of aliases was expanded")
	}
	deep := &yaml.Node{Kind: yaml.ScalarNode, Value: "x"}
	for range maxDepth + 1 {
		deep = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{deep}}
	}
	if _, err := ToJSON(deep); err == nil || !strings.Contains(err.Error(), "nested deeper") {
		t.Errorf("got %v", err)
	}
	if _, err := ToJSON(deep.Content[0]); err != nil {
		t.Error(err)
	}
	for _, n := range []*yaml.Node{nil, {}, {Kind: yaml.DocumentNode}} {
		if got, err := ToJSON(n); string(got) != "null" || err != nil {
			t.Errorf("got %s, %v", got, err)
		}
	}
	for _, n := range []*yaml.Node{{Kind: yaml.AliasNode}, {Kind: 77}, {Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "<<"}, {Kind: yaml.AliasNode}}}} {
		if _, err := ToJSON(n); err == nil {
			t.Errorf("%+v: no error", n)
		}
	}
}

func TestResolve(t *testing.T) {
	for text, want := range map[string]any{
		"on": true, "no": false, "~": nil, "010": int64(8), "18446744073709551615": uint64(math.MaxUint64),
		"1.0": 1.0, "-.inf": math.Inf(-1), "2001-01-01": "2001-01-01", "'y'": "y", "!!str 1": "1", "!!float 1": 1.0, "08": 8.0,
	} {
		if _, got := Resolve(parse(t, text)); got != want {
			t.Errorf("%s: got %#v, want %#v", text, got, want)
		}
	}
	for _, text := range []string{"!!int x", "[]", "{}", "!!binary '*'"} {
		if kind, _ := Resolve(parse(t, text)); kind != Invalid {
			t.Errorf("%s: got %v", text, kind)
		}
	}
	if key, ok := Key(parse(t, "on")); key != "true" || !ok {
		t.Errorf("got %q, %v", key, ok)
	}
}

// TestCorpus compares every document of a folder of manifests.
func TestCorpus(t *testing.T) {
	var documents, compared int
	for _, path := range corpus.Sample(t, corpus.Files(t), 8) {
		if ext := filepath.Ext(path); ext != ".yaml" && ext != ".yml" && ext != ".json" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range split(string(text)) {
			documents++
			if agree(t, doc) {
				compared++
			} else {
				t.Logf("%s: not compared: %.60q", path, doc)
			}
			if t.Failed() {
				t.Fatal(path)
			}
		}
	}
	t.Logf("%d documents, %d compared", documents, compared)
}

// split cuts where kubectl does.
func split(text string) []string {
	return regexp.MustCompile(`(?m)^---`).Split(strings.TrimPrefix(text, "\ufeff"), -1)
}

// agree compares ToJSON with sigs.k8s.io/yaml. It is false when the text cannot be compared.
func agree(t *testing.T, text string) bool {
	t.Helper()
	n, err := parseKyaml([]byte(text))
	if err != nil || yamlv2.Unmarshal([]byte(text), &blackHole{}) != nil {
		return false // one of the two parsers rejects the text
	}
	want, wantErr := sigs.YAMLToJSON([]byte(text))
	got, err := ToJSON(n)
	switch {
	case err != nil && wantErr != nil:
		return true
	case err == nil && !json.Valid(got):
		t.Errorf("%.2000q: not JSON: %.2000s", text, got)
		return true
	case err == nil && wantErr == nil && canonical(t, string(got)) == canonical(t, string(want)):
		return true
	case err != nil && (beyondOracle(err) || emptyFlowKey(err)) || excluded(text):
		return false
	}
	t.Errorf("%.2000q:\n   got %.2000s, %v\noracle %.2000s, %v", text, got, err, want, wantErr)
	return true
}

// parseKyaml turns kyaml's panics into errors; there are some.
func parseKyaml(text []byte) (n *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return Parse(text)
}

// blackHole makes yaml.v2 parse without decoding.
type blackHole struct{}

func (*blackHole) UnmarshalYAML(func(any) error) error { return nil }

// beyondOracle reports whether err is about a limit that the oracle does not have.
func beyondOracle(err error) bool {
	return strings.Contains(err.Error(), "nested deeper") || strings.Contains(err.Error(), "MiB")
}

// emptyFlowKey reports whether the error is about a key `{}` or `[]`. yaml.v2's scanner forgets that it might be a key
// and ends the document before the colon.
func emptyFlowKey(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Node.Kind != yaml.ScalarNode && e.Node.Style&yaml.FlowStyle != 0 && len(e.Node.Content) == 0
}

var verbatimTag = regexp.MustCompile(`!<[^>]*[^>!]`)

// excluded reports whether two readings of a text may differ without a fault of ours.
func excluded(text string) bool {
	// A verbatim tag can spell a short one literally (!<!!int>), which kyaml confuses with the long one; so can a %TAG
	// directive.
	if verbatimTag.MatchString(text) || strings.Contains(text, "%TAG") {
		return true
	}
	// Different keys that become the same string: the oracle takes one by the order of a Go map. And zeros: -0.0 and
	// 0.0 are one key in Go and two strings.
	var v any
	return yamlv2.Unmarshal([]byte(text), &v) == nil && colliding(v)
}

func colliding(v any) bool {
	switch v := v.(type) {
	case []any:
		if slices.ContainsFunc(v, colliding) {
			return true
		}
	case map[any]any:
		seen := map[string]bool{}
		for k, item := range v {
			name := fmt.Sprint(k)
			if f, ok := k.(float64); ok {
				if f == 0 {
					return true
				}
				name = strconv.FormatFloat(f, 'g', -1, 32)
				if math.IsInf(float64(float32(f)), 0) || math.IsNaN(f) {
					name = map[string]string{"+Inf": ".inf", "-Inf": "-.inf", "NaN": ".nan"}[name]
				}
			}
			if seen[name] || colliding(item) {
				return true
			}
			seen[name] = true
		}
	}
	return false
}

// canonical is s with sorted members. Numbers keep their text: both sides write them by the same rules.
func canonical(t *testing.T, s string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.2000s", err, s)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("more than one value: %.2000s", s)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var seeds = []string{
	"a: b\n", "- a\n- b: [c, {d: e}]\n", "{a: 1, b: 0x1, c: 0b1, d: 0o7, e: 1_0}", "a: &a {b: c}\nd: {<<: *a, b: e}\n",
	"? a\n: b\n? [x]\n: y\n", "a: !!binary |\n  aGVsbG8=\n", "a: 'it''s'\nb: \"\\u00e9\\n\"\n", "a:\n  # comment\n  - b # c\n\n  - d\n",
	"%YAML 1.1\n---\na: on\n...\n", "a: !!float 1\nb: !x y\n", "a: >+\n  x\n\n   y\n\nb: |2-\n   z\n", "apiVersion: v1\r\nkind: y\r\n",
	"null: 1\n", ".nan: .inf\n", "a\u0085b: c\u2028d\n", "- 2001-01-01\n- 1e5\n- -.5e-3\n- +12\n", "&a [*a]", "- &a [x]\n- *a\n", "<<: [{a: 1}, {a: 2}]\na: 3\n<<: {a: 4}\n",
}

func FuzzToJSON(f *testing.F) {
	for _, s := range samples {
		f.Add(s.yaml)
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1<<14 {
			agree(t, text)
		}
	})
}

func BenchmarkToJSON(b *testing.B) {
	var text strings.Builder
	text.WriteString("spec:\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "  field%d:\n    description: |-\n      What the field is for.\n      More of it.\n    type: string\n    maxLength: 64\n    x-kubernetes-preserve-unknown-fields: true\n    enum: [a, b]\n", i)
	}
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text.String()), &n); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ToJSON(&n); err != nil {
			b.Fatal(err)
		}
	}
}
