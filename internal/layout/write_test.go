package layout

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/testing/styles"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// valueOf reads a document.
func valueOf(t *testing.T, src []byte) any {
	t.Helper()
	n, err := yaml11.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	value, err := Value(n)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// written rewrites the only document of a text.
func written(t *testing.T, src []byte, value any) []byte {
	t.Helper()
	out, err := rewritten(src, value)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return out
}

func rewritten(src []byte, value any) ([]byte, error) {
	made, err := Write(manifest.Parse("a.yaml", src).Documents[0], value, true)
	if err != nil {
		return nil, err
	}
	return rewrite.Apply(src, made.Edits), nil
}

// TestSame: values are the same in JSON, and those that JSON cannot have never are.
func TestSame(t *testing.T) {
	none := func() {}
	for _, test := range []struct {
		a, b any
		want bool
	}{
		{1, 1.0, true}, {int64(1), "1", false}, {nil, nil, true}, {nil, "", false}, {[]any{1}, []any{1.0}, true},
		{map[string]any{"a": 1, "b": 2}, map[string]any{"b": 2, "a": 1}, true}, {none, none, false}, {none, nil, false}, {math.NaN(), math.Inf(1), false},
	} {
		if got := Same(test.a, test.b); got != test.want {
			t.Errorf("that %v and %v are the same is %t", test.a, test.b, got)
		}
	}
}

func TestWrite(t *testing.T) {
	for _, test := range []struct{ name, src, becomes, want string }{
		{
			name:    "nothing changes",
			src:     "# a database\nspec:   {size: 1Gi} # small\n",
			becomes: `{"spec": {"size": "1Gi"}}`,
			want:    "# a database\nspec:   {size: 1Gi} # small\n",
		},
		{
			name:    "a value stays as it is written, where another changes",
			src:     "a: 0x10 # sixteen\nb: 'x'\nc: 1.0\nd: 1\n",
			becomes: `{"a": 16, "b": "x", "c": 1, "d": 2}`,
			want:    "a: 0x10 # sixteen\nb: 'x'\nc: 1.0\nd: 2\n",
		},
		{
			name:    "an undeclared field goes and a default comes",
			src:     "kind: Database\nspec:\n  # how much it holds\n  size: 1Gi # enough\n  sizes: 2\n",
			becomes: `{"kind": "Database", "spec": {"size": "1Gi", "replicas": 1}}`,
			want:    "kind: Database\nspec:\n  replicas: 1\n  # how much it holds\n  size: 1Gi # enough\n",
		},
		{
			name:    "a comment above a field that goes stays",
			src:     "spec:\n  a: 1\n  # why b is 2\n  b: 2\n  c: 3\n",
			becomes: `{"spec": {"a": 1, "c": 3}}`,
			want:    "spec:\n  a: 1\n  # why b is 2\n  c: 3\n",
		},
		{
			name:    "defaults of objects and lists",
			src:     "spec:\n  b: x\n  a: z\n",
			becomes: `{"spec": {"a": "z", "b": "x", "limits": {"cpu": "1", "on": true}, "ports": [80, 443], "ratio": 0.5, "none": null, "empty": {}, "no": []}}`,
			want:    "spec:\n  b: x\n  a: z\n  empty: {}\n  limits:\n    cpu: \"1\"\n    \"on\": true\n  \"no\": []\n  none: null\n  ports:\n  - 80\n  - 443\n  ratio: 0.5\n",
		},
		{
			name:    "a null gives way to the default",
			src:     "spec:\n  size: null\n",
			becomes: `{"spec": {"size": "1Gi"}}`,
			want:    "spec:\n  size: 1Gi\n",
		},
		{
			name:    "items of lists",
			src:     "spec:\n  ports:\n  - name: web # public\n    port: 80\n  - name: db\n    prot: 1\n",
			becomes: `{"spec": {"ports": [{"name": "web", "port": 80, "protocol": "TCP"}, {"name": "db", "protocol": "TCP"}]}}`,
			want:    "spec:\n  ports:\n  - name: web # public\n    port: 80\n    protocol: TCP\n  - name: db\n    protocol: TCP\n",
		},
		{
			name:    "JSON",
			src:     "{\n  \"spec\": {\n    \"a\": 1,\n    \"b\": 2\n  }\n}\n",
			becomes: `{"spec": {"a": 1, "c": "x"}}`,
			want:    "{\n  \"spec\": {\n    \"a\": 1,\n    \"c\": \"x\"\n  }\n}\n",
		},
		{
			name:    "an alias that both places agree on stays",
			src:     "spec:\n  a: &x\n    k: 1\n    gone: 2\n  b: *x\n",
			becomes: `{"spec": {"a": {"k": 1}, "b": {"k": 1}}}`,
			want:    "spec:\n  a: &x\n    k: 1\n  b: *x\n",
		},
		{
			name:    "an alias in a place that becomes something else is a copy",
			src:     "spec:\n  a: &x\n    k: 1\n  b: *x\n",
			becomes: `{"spec": {"a": {"k": 1}, "b": {"k": 1, "d": 2}}}`,
			want:    "spec:\n  a: &x\n    k: 1\n  b:\n    d: 2\n    k: 1\n",
		},
		{
			name:    "a merged entry that goes",
			src:     "base: &x\n  k: 1\n  l: 2\nspec:\n  <<: *x\n  m: 3\n",
			becomes: `{"base": {"k": 1, "l": 2}, "spec": {"k": 1, "m": 3}}`,
			want:    "base: &x\n  k: 1\n  l: 2\nspec:\n  k: 1\n  m: 3\n",
		},
		{
			name:    "an anchor that goes leaves its value to the alias",
			src:     "spec:\n  gone: &x\n    k: 1\n  b: *x\n",
			becomes: `{"spec": {"b": {"k": 1}}}`,
			want:    "spec:\n  b:\n    k: 1\n",
		},
		{
			name:    "CRLF and a byte order mark",
			src:     "\uFEFFspec:\r\n  a: 1\r\n  b: 2\r\n",
			becomes: `{"spec": {"a": 1, "c": "x"}}`,
			want:    "\uFEFFspec:\r\n  a: 1\r\n  c: x\r\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			value := valueOf(t, []byte(test.becomes))
			got := written(t, []byte(test.src), value)
			if string(got) != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
			if again := written(t, got, value); !bytes.Equal(again, got) {
				t.Errorf("a second preview changes it:\n%s", again)
			}
		})
	}
}

// document is what TestWriteStyles lets become something else.
const document = `apiVersion: example.com/v1
kind: Database
metadata:
  name: db
  labels: {app.example.com/name: db}
spec:
  # how much it holds
  size: 10Gi
  typo: 1
  backup:
    schedule: "0 3 * * *"
    keep: 7 # days
    unknown: [1, 2]
  motd: |
    welcome
    here
  ports:
  - name: web
    port: 80
  - {name: admin, port: 8080, extra: true}
`

// TestWriteStyles writes a document in every style, and lets it become something else: what is written says that, and
// becomes nothing else again.
func TestWriteStyles(t *testing.T) {
	t.Parallel()
	const cases = 600
	tried, refused := 0, 0
	for n := range cases {
		r, seed := styles.Random(n, cases)
		src, made := styles.Vary([]byte(document), r, n%6)
		if len(manifest.Parse("a.yaml", src).Documents) != 1 {
			continue // another document before or after it
		}
		tried++
		value := valueOf(t, src)
		for range 1 + r.IntN(4) {
			value = other(r, value)
		}
		got, err := rewritten(src, value)
		if errors.Is(err, rewrite.ErrCommentsLost) { // which is said, and nothing is written
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		if !Same(valueOf(t, got), value) {
			t.Errorf("seed %d (%s):\n%s\nbecame:\n%s", seed, strings.Join(made, ", "), src, got)
		}
		if again := written(t, got, value); !bytes.Equal(again, got) {
			t.Errorf("seed %d: a second preview of\n%s\nis\n%s", seed, got, again)
		}
	}
	if tried < cases/2 || refused > tried/100 {
		t.Errorf("of %d texts %d were tried, and %d of them rejected", cases, tried, refused)
	}
}

// other is an object in which one member at some depth is gone, is new, or has another value.
func other(r *rand.Rand, value any) any {
	switch value := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(value))
		to := maps.Clone(value)
		name := "new" + strconv.Itoa(r.IntN(100))
		if len(names) > 0 && r.IntN(4) > 0 {
			name = names[r.IntN(len(names))]
		}
		switch was, there := to[name]; {
		case !there:
			to[name] = anything(r)
		case r.IntN(4) == 0:
			delete(to, name)
		default:
			to[name] = other(r, was)
		}
		return to
	case []any:
		if len(value) == 0 {
			return value
		}
		to := slices.Clone(value)
		i := r.IntN(len(to))
		to[i] = other(r, to[i])
		return to
	}
	return anything(r)
}

// anything is a value as defaults have them.
func anything(r *rand.Rand) any {
	return []any{
		nil, true, false, int64(0), int64(-12), 0.25, "", "on", "a: b", "two\nlines", "# no comment", "1e3", " edge ",
		map[string]any{}, []any{}, []any{int64(1), "y"}, map[string]any{"y": "n", "deep": map[string]any{"k": []any{map[string]any{"a": "b"}}}},
	}[r.IntN(17)]
}
