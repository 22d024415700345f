package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	kubeyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/yaml11"
)

func TestReadJSON(t *testing.T) {
	src := " {\n\t\"ä😀\": [1, -2.5e3, true],\r\n  \"b\\ud83d\\udc9d\": {\"c\": null, \"c\": \"\"}} {}"
	_, end, err := readJSON([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if src[end:] != " {}" {
		t.Errorf("rest is %q", src[end:])
	}
	var got []string
	var walk func(*Origin)
	walk = func(o *Origin) {
		n, text := o.Node, src[o.Start:o.End]
		if len(n.Content) > 0 {
			text = text[:1] + text[len(text)-1:]
		}
		got = append(got, fmt.Sprintf("%d:%d %s %d %q %s", n.Line, n.Column, n.Tag, n.Style, n.Value, text))
		for _, c := range o.Children {
			walk(c)
		}
	}
	walk(measuredJSON(t, []byte(src[:end])).Root)
	want := []string{
		`1:2 !!map 32 "" {}`,
		`2:2 !!str 2 "ä😀" "ä😀"`,
		`2:8 !!seq 32 "" []`,
		`2:9 !!int 0 "1" 1`,
		`2:12 !!float 0 "-2.5e3" -2.5e3`,
		`2:20 !!bool 0 "true" true`,
		`3:3 !!str 2 "b💝" "b\ud83d\udc9d"`,
		`3:20 !!map 32 "" {}`,
		`3:21 !!str 2 "c" "c"`,
		`3:26 !!null 0 "null" null`,
		`3:32 !!str 2 "c" "c"`,
		`3:37 !!str 2 "" ""`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestReadJSONErrors(t *testing.T) {
	for _, c := range []struct {
		src, msg string
		offset   int
	}{
		{``, "the JSON text ends where a JSON value should follow", 0},
		{` {"a":1,}`, "'}' where a key in double quotes should be", 8},
		{`[1,]`, "']' where a JSON value should be", 3},
		{`{"a" 1}`, "'1' where the colon after a key should be", 5},
		{`{"a":1 "b":2}`, `'"' where a comma or a closing brace should be`, 7},
		{`[1 2]`, "'2' where a comma or a closing bracket should be", 3},
		{`{// c`, "'/' where a key in double quotes should be", 1},
		{`["a`, "the JSON text ends where the closing quote should follow", 3},
		{"[\"a\tb\"]", `the control character '\t' in a string; write it as an escape`, 3},
		{`"\x"`, "'x' where the rest of an escape should be", 2},
		{`"\u12g4"`, "'g' where a hexadecimal digit should be", 5},
		{`-a`, "'a' where a digit should be", 1},
		{`1.`, "the JSON text ends where a digit should follow", 2},
		{`trüe`, "'ü' where 'u' of true should be", 2},
		{"\ufeff{}", `'\ufeff' where a JSON value should be`, 0},
		{strings.Repeat("[", maxJSONDepth+1), "nested deeper than 10000 levels", maxJSONDepth},
	} {
		if _, _, err := readJSON([]byte(c.src)); err == nil {
			t.Errorf("%.20q was read", c.src)
		}
		if msg, offset := jsonSyntaxError([]byte(c.src)); msg != c.msg || offset != c.offset {
			t.Errorf("%.20q: got %q at %d, want %q at %d", c.src, msg, offset, c.msg, c.offset)
		}
	}
}

// measuredJSON finds the nodes of a text that is one JSON value.
func measuredJSON(t *testing.T, src []byte) *Layout {
	t.Helper()
	l, err := (&Document{JSON: true}).Reread(src)
	if err != nil {
		t.Fatalf("%.200q: %v", src, err)
	}
	return l
}

var jsonSeeds = []string{
	``, ` `, `{}`, `[]`, `null`, `true`, `false`, `0`, `-0`, `01`, `1.5e+10`, `1E400`, `-`, `1.`, `.5`, `+1`, `1e`, `nul`, `truefalse`, `12 34`,
	`"a"`, `"\"\\\/\b\f\n\r\t"`, `"\u00e9\ud83d\udc9d"`, `"\ud800"`, `"\ud800\ud800\udc00"`, `"\udc00x"`, `"\ud800\u0041"`, `"\ud83d\udc9"`, "\"\xff\xc0\x80é\"", "\"\xed\xa0\x80\"",
	"\"\x1f\"", "\"\x7f\"", `"\u0000"`, `"\'"`, `{"a":1,"a":{"b":[1,2,{"c":null}]}}`, `{"a":1,}`, `[1,]`, `{1:2}`, `{"a"}`, "[\n1 ,\r\n\t2\n]", `[1] [2]`, `{"a":"b"`, "\ufeff{}", "[1\u00a0]",
	strings.Repeat("[", maxJSONDepth) + strings.Repeat("]", maxJSONDepth), strings.Repeat(`{"a":`, maxJSONDepth+1) + "1" + strings.Repeat("}", maxJSONDepth+1),
}

func TestReadJSONAgreesWithEncodingJSON(t *testing.T) {
	for _, s := range jsonSeeds {
		agreeWithEncodingJSON(t, []byte(s))
	}
}

func FuzzReadJSON(f *testing.F) {
	for _, s := range jsonSeeds {
		if len(s) < 1000 {
			f.Add([]byte(s))
		}
	}
	f.Fuzz(agreeWithEncodingJSON)
}

func agreeWithEncodingJSON(t *testing.T, src []byte) {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	var want any
	wantErr := d.Decode(&want)
	root, end, err := readJSON(src)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%.200q: got %v, encoding/json %v", src, err, wantErr)
	}
	if err != nil {
		checkOffset(t, src, wantErr)
		return
	}
	if int64(end) != d.InputOffset() {
		t.Errorf("%.200q: ends at %d, by encoding/json at %d", src, end, d.InputOffset())
	}
	if got := plainValue(root); !reflect.DeepEqual(got, want) {
		t.Errorf("%.200q: got %#v, encoding/json %#v", src, got, want)
	}
	checkPositions(t, src, measuredJSON(t, src[:end]).Root)
}

// checkOffset compares with the offset of encoding/json's error, if it has one: after the byte it stops at.
func checkOffset(t *testing.T, src []byte, wantErr error) {
	t.Helper()
	message, offset := jsonSyntaxError(src)
	if message == "" {
		t.Fatalf("%.200q: nothing is said to be wrong", src)
	}
	var their *json.SyntaxError
	switch {
	case errors.As(wantErr, &their):
		if int64(offset)+1 != their.Offset {
			t.Errorf("%.200q: fails at %d (%s), by encoding/json at %d (%v)", src, offset, message, their.Offset-1, their)
		}
	case wantErr == io.EOF || wantErr == io.ErrUnexpectedEOF:
		if offset != len(src) {
			t.Errorf("%.200q: fails at %d (%s), by encoding/json at the end", src, offset, message)
		}
	}
}

// plainValue is what encoding/json decodes into an any.
func plainValue(n *yaml.Node) any {
	switch n.Tag {
	case yaml.NodeTagMap:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plainValue(n.Content[i+1])
		}
		return m
	case yaml.NodeTagSeq:
		s := make([]any, len(n.Content))
		for i, item := range n.Content {
			s[i] = plainValue(item)
		}
		return s
	case yaml.NodeTagBool:
		return n.Value == "true"
	case yaml.NodeTagNull:
		return nil
	case yaml.NodeTagString:
		return n.Value
	}
	return json.Number(n.Value)
}

// checkPositions compares every node's line and column with its bytes, and reads these alone.
func checkPositions(t *testing.T, src []byte, o *Origin) {
	n := o.Node
	before := src[:o.Start]
	line, column := bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])+1
	if n.Line != line || n.Column != column {
		t.Errorf("%.200q: %q at %d:%d, want %d:%d", src, n.Value, n.Line, n.Column, line, column)
	}
	if n.Kind == yaml.ScalarNode {
		alone, end, err := readJSON(src[o.Start:o.End])
		if err != nil || end != o.End-o.Start || alone.Value != n.Value || alone.Tag != n.Tag {
			t.Errorf("%.200q: the bytes of %q are %q", src, n.Value, src[o.Start:o.End])
		}
	}
	if len(src) > 10_000 {
		return // the counting above is quadratic
	}
	for _, c := range o.Children {
		checkPositions(t, src, c)
	}
}

// TestReadJSONPositionsAreKyamls reads the same text with kyaml, where it is YAML too.
func TestReadJSONPositionsAreKyamls(t *testing.T) {
	src := []byte("{\n  \"é\": [1, {\"a\": true, \"b\" : [ ]}],\r\n  \"c😀\": \"x\", \"d\": {}\n}\n")
	root, _, err := readJSON(src)
	if err != nil {
		t.Fatal(err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		t.Fatal(err)
	}
	if want := doc.Content[0]; !reflect.DeepEqual(root, want) {
		got, _ := json.MarshalIndent(root, "", " ")
		want, _ := json.MarshalIndent(want, "", " ")
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func BenchmarkReadJSON(b *testing.B) {
	src := []byte("[" + strings.Repeat(`{"description": "What the field is for.", "type": "string", "maxLength": 64, "enum": ["a", "b"]},`+"\n", 5000) + "1]")
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := readJSON(src); err != nil {
			b.Fatal(err)
		}
	}
}

// TestKubectlReadsAlike: where a file begins with a brace, the documents are those of kubectl's reader.
func TestKubectlReadsAlike(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		`{"a":"\/ \ud83d\ude00"}` + "\n---\n" + `{"b":1}` + "\n",
		`{"a":1}` + "\n---\nb: 2\n---\nc: 3\n",
		`{"a":1}{"b":2}` + "\n" + `{"c":3}`,
		`{"a":1} # note` + "\n---\nb: 2\n",
		`{"a":1}` + "\nb: 2\n",
		`{"a":1}` + " \r\n\n---\nb: 2",
		"{a: 1}\n---\nb: 2\n",
		"\n {\"a\": 1}\n",
	} {
		var want []any
		decoder := kubeyaml.NewYAMLOrJSONDecoder(strings.NewReader(src), 4096)
		for {
			var v any
			if err := decoder.Decode(&v); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%q: %v", src, err)
			}
			if v != nil {
				want = append(want, v)
			}
		}
		var got []any
		for _, d := range Parse("test.yaml", []byte(src)).Documents {
			if d.Err != nil {
				t.Errorf("%q: %v", src, d.Err)
			}
			if d.Root == nil {
				continue
			}
			var v any
			if raw, err := yaml11.ToJSON(d.Root.YNode()); err != nil {
				t.Errorf("%q: %v", src, err)
			} else if err := json.Unmarshal(raw, &v); err != nil {
				t.Errorf("%q: %v", src, err)
			}
			got = append(got, v)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, kubectl reads %v", src, got, want)
		}
	}
}
