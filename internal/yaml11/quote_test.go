package yaml11

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigs "sigs.k8s.io/yaml"
)

func TestPlainSafe(t *testing.T) {
	for _, s := range []string{
		"a", "foo bar", "apiextensions.k8s.io/v1", "CronTab", "stable.example.com", ".spec.replicas", "10Gi", "500m", "v1beta1",
		"https://example.com/a#b", "The name: of it"[:8], "it's", "a\"b", "é", "a:b", "$(NAME)", "self.x > 1", "x-kubernetes-int-or-string", "日本",
	} {
		if !PlainSafe(s) {
			t.Errorf("%q is not safe", s)
		}
	}
	for _, s := range []string{
		"", " a", "a ", "y", "on", "NO", "null", "~", "true", "1", "010", "0x1f", "1e3", "1.5", ".5", ".inf", "-1", "-", "--- a", "...", "<<", "=",
		"2001-01-01", "12:30:45", "1_000", "a: b", "a:", "a #b", "#a", "[a", "a, b", "{a", "*a", "&a", "!a", "|", ">", "@a", "`a", "%a", "? a", ": a",
		"'a", "\"a", "a\nb", "a\tb", "a\u0085b", "a\u2028b", "\ufeffa", "a\x00", "\xff", "{{ a }}", "a\x7f", "+1", "18446744073709551616",
	} {
		if PlainSafe(s) {
			t.Errorf("%q is safe", s)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"":                                     `""`,
		"a<b>&c":                               `"a<b>&c"`,
		"\"\\\n\t\x01":                         `"\"\\\n\t\u0001"`,
		"é😀":                                   `"é😀"`,
		"\xff\ufffd":                           `"\ufffd` + "\ufffd" + `"`,
		"\u0085\u2028\ufeff\u007f\uffff\u009f": `"\u0085\u2028\ufeff\u007f\uffff\u009f"`,
	} {
		if got := Quote(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
		roundTrip(t, s)
	}
}

// roundTrip reads Quote's text as JSON and both YAMLs.
func roundTrip(t *testing.T, s string) {
	t.Helper()
	want := strings.ToValidUTF8(s, "\ufffd")
	if !utf8.ValidString(s) {
		want = string([]rune(s)) // one for each byte
	}
	q := Quote(s)
	var fromJSON string
	if err := json.Unmarshal([]byte(q), &fromJSON); err != nil || fromJSON != want {
		t.Errorf("JSON reads %s as %q, %v", q, fromJSON, err)
	}
	readBack(t, q, want)
}

// readBack reads text, the plain or quoted form of want, where a scalar can be.
func readBack(t *testing.T, text, want string) {
	t.Helper()
	list := []any{want}
	places := map[string]any{
		text:                              want,
		"k: " + text + "\n":               map[string]any{"k": want},
		"k: " + text + " # c\nl: m\n":     map[string]any{"k": want, "l": "m"},
		"- " + text + "\n- x\n":           []any{want, "x"},
		"k:\n  - - " + text:               map[string]any{"k": []any{list}},
		"[" + text + "]":                  list,
		"[x, " + text + ",x]":             []any{"x", want, "x"},
		"{k: " + text + "}":               map[string]any{"k": want},
		"{k: [" + text + " ], l: m}":      map[string]any{"k": list, "l": "m"},
		"- k: " + text + "\r\n  l: m\r\n": []any{map[string]any{"k": want, "l": "m"}},
	}
	if len(text) < 1000 {
		places[text+": x\n"] = map[string]any{want: "x"}
		places["a:\n  "+text+":\n    - x\n"] = map[string]any{"a": map[string]any{want: []any{"x"}}}
		places["{"+text+": x}"] = map[string]any{want: "x"}
		places["- "+text+" : x"] = []any{map[string]any{want: "x"}}
	}
	for place, value := range places {
		wantJSON, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		got, err := sigs.YAMLToJSON([]byte(place))
		if err != nil || string(got) != string(wantJSON) {
			t.Errorf("YAML 1.1 reads %q as %s, %v", place, got, err)
		}
		var v any
		if err := yaml.Unmarshal([]byte(place), &v); err != nil {
			t.Errorf("YAML 1.2 rejects %q: %v", place, err)
			continue
		}
		if got, err := json.Marshal(v); err != nil || string(got) != string(wantJSON) {
			t.Errorf("YAML 1.2 reads %q as %s, %v", place, got, err)
		}
	}
}

func FuzzPlainSafe(f *testing.F) {
	for _, s := range []string{"a", "a b", "10Gi", ".a", "a:b", "a#b", "y", "-1", "1:2", "é", "a'b\"c", "x!y&z*w", "\u00a0", "a\\b", "0b1", "a/b: c", "$x", "(a)", "+x", "=", "<<"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return
		}
		roundTrip(t, s)
		if PlainSafe(s) {
			readBack(t, s, s)
		}
	})
}
