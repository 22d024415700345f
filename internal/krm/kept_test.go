package krm

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// others are items that are none of crdlift's business, in words that encoders like to change.
var others = []string{`apiVersion: v1
kind: ConfigMap
metadata:   {name: a}
data:
  folded: >+
    a

  indented: >
    a
     b
    c
  Makefile: |2
    	tab
    all
  kept: |+
    x


  last: |-
    y
`, `# above
apiVersion: v1 # behind
kind: Secret
# between
metadata:
    name:    'wide'   # far away
    creationTimestamp: null
stringData: {"a":"b", c : d,
  # in flow
  e: "f
    g"}

# below
`, `apiVersion: v1
kind: List
metadata: null
items:
- &shared
  apiVersion: v1
  kind: Namespace
  metadata: x
- *shared
`, `status: {storedVersions: [], conditions: []}
apiVersion: example.com/v1
kind: CronTab
metadata:

  name: "y"
spec: {on: off, port: 0x1F, time: 12:30:45, empty: , ~: null}
`}

// odd is an item that the lossless writer may not be able to keep beside a change.
const odd = `apiVersion: v1
kind: ConfigMap
metadata:
  ? name
  : &own
    odd
`

// asItem makes a document in block style an item of a list that is indented by some columns.
func asItem(document string, indent int) string {
	var b strings.Builder
	first := true
	for line := range strings.Lines(document) {
		content := strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "#")
		switch {
		case first && content:
			b.WriteString(strings.Repeat(" ", indent) + "- " + line)
			first = false
		case first && strings.TrimSpace(line) != "": // a comment before the item
			b.WriteString(strings.Repeat(" ", indent) + line)
		case strings.TrimSpace(line) == "":
			b.WriteString(line)
		default:
			b.WriteString(strings.Repeat(" ", indent+2) + line)
		}
	}
	return b.String()
}

// commented puts comments where a document may have them, after values and on lines of their own.
func commented(r *rand.Rand, document string) string {
	var b strings.Builder
	scalar := -1 // the indentation of the key of a block scalar
	for line := range strings.Lines(document) {
		indent := len(line) - len(strings.TrimLeft(line, " -"))
		if scalar >= 0 && (strings.TrimSpace(line) == "" || indent > scalar) {
			b.WriteString(line)
			continue
		}
		scalar = -1
		text := strings.TrimRight(line, "\n")
		if strings.ContainsAny(text, "|>") {
			scalar = indent
		}
		if strings.HasSuffix(text, ":") && r.IntN(8) == 0 {
			fmt.Fprintf(&b, "%s # key %d\n", text, r.IntN(1000))
			continue
		}
		if scalar < 0 && r.IntN(12) == 0 && strings.HasSuffix(strings.TrimSpace(text), ":") {
			fmt.Fprintf(&b, "%s# line %d\n", strings.Repeat(" ", len(line)-len(strings.TrimLeft(line, " "))), r.IntN(1000))
		}
		b.WriteString(line)
	}
	return b.String()
}

// fixtures returns the manifests of the conversion's fixtures that can be items of a list: one CRD, in block style.
func fixtures(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "convert", "*", "input.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(src)
		lone := len(crd.Parse(src)) == 1 && len(manifest.Split(path, src).Documents) == 1
		marked := regexp.MustCompile(`(?m)^(---|\.\.\.|[%{])|[\r\t\x{feff}]`).MatchString(text)
		if lone && !marked && strings.HasSuffix(text, "\n") {
			all = append(all, text)
		}
	}
	if len(all) < 50 {
		t.Fatalf("only %d fixtures can stand in a list", len(all))
	}
	return all
}

// TestNothingLost calls the function with many lists: items that are not CRDs are unchanged, no comment is lost, and a
// CRD is converted like its file.
func TestNothingLost(t *testing.T) {
	t.Parallel()
	all := fixtures(t)
	lists := 500
	if testing.Short() {
		lists = 100
	}
	crds, refused := 0, 0
	for seed := range uint64(lists) {
		r := rand.New(rand.NewPCG(seed, 12))
		c := newCall(r, all)
		out, stderr, err := call(t, c.text)
		if err != nil && !errors.Is(err, ErrFindings) {
			t.Fatalf("seed %d: %v\n%s", seed, err, c.text)
		}
		if !c.odd {
			crds += len(c.crds)
			refused += strings.Count(stderr, "[conversion-not-written]")
		}
		c.check(t, seed, out, strings.Contains(stderr, "[conversion-not-written]"))
		again, _, _ := call(t, out)
		if diff := cmp.Diff(withoutResults(out), withoutResults(again)); diff != "" {
			t.Errorf("seed %d: a second call changes something:\n%s", seed, diff)
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, c.text)
		}
	}
	t.Logf("%d lists with %d CRDs, %d of them not written", lists, crds, refused)
	if refused*50 > crds {
		t.Errorf("%d of %d CRDs could not be written", refused, crds)
	}
}

// A testCall is a ResourceList, and its parts.
type testCall struct {
	text   string
	crlf   bool
	odd    bool     // one of the items is
	others []string // items that are not CRDs, as they are in the text
	crds   []string // documents of their own
}

func newCall(r *rand.Rand, fixtures []string) *testCall {
	c := &testCall{crlf: r.IntN(4) == 0}
	indent := 2 * r.IntN(2)
	var items strings.Builder
	for range 1 + r.IntN(5) {
		if r.IntN(2) == 0 {
			other := others[r.IntN(len(others))]
			if r.IntN(50) == 0 {
				other, c.odd = odd, true
			}
			c.others = append(c.others, asItem(other, indent))
			items.WriteString(c.others[len(c.others)-1])
			continue
		}
		c.crds = append(c.crds, commented(r, fixtures[r.IntN(len(fixtures))]))
		items.WriteString(asItem(c.crds[len(c.crds)-1], indent))
	}
	config := "functionConfig: # fc\n  apiVersion: v1\n  kind: ConfigMap\n  # data\n  data: {convert:   v1, lint: 'false'}\n\n"
	c.text = "# top\napiVersion: config.kubernetes.io/v1 # version\nkind:   ResourceList\n"
	if r.IntN(2) == 0 {
		c.text += config + "items: # items\n" + items.String()
	} else {
		c.text += "items: # items\n" + items.String() + config
	}
	c.text += "# end\n"
	if c.crlf {
		c.text = strings.ReplaceAll(c.text, "\n", "\r\n")
	}
	return c
}

func (c *testCall) check(t *testing.T, seed uint64, out string, refused bool) {
	t.Helper()
	if bare := strings.ReplaceAll(out, "\r\n", ""); c.crlf && strings.Contains(bare, "\n") {
		t.Errorf("seed %d: line ends changed", seed)
	}
	out = strings.ReplaceAll(out, "\r\n", "\n")
	rest := out
	for _, other := range c.others {
		_, behind, found := strings.Cut(rest, other)
		if !found {
			t.Errorf("seed %d: an item changed:\n%s", seed, other)
		}
		rest = behind
	}
	for _, comment := range regexp.MustCompile(`# (top|version|fc|data|items|end|key \d+|line \d+)\b`).FindAllString(c.text, -1) {
		if strings.Count(out, comment) < strings.Count(c.text, comment) {
			t.Errorf("seed %d: %q is lost:\n%s", seed, comment, out)
		}
	}
	got := crd.Parse([]byte(out))
	if len(got) != len(c.crds) {
		t.Fatalf("seed %d: %d CRDs became %d", seed, len(c.crds), len(got))
	}
	for i, text := range c.crds {
		if refused {
			continue // all of them stay
		}
		alone, err := convert.File("crd.yaml", []byte(text), policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want := crd.Parse(alone.Output)[0]; !cmp.Equal(asJSON(t, want), asJSON(t, got[i])) {
			t.Errorf("seed %d: a CRD is not what its file becomes:\n%s\n%s", seed, alone.Output, out)
		}
	}
}

func asJSON(t *testing.T, c *crd.CRD) string {
	t.Helper()
	value, err := yaml11.ToJSON(c.Node)
	if err != nil {
		t.Fatal(err)
	}
	return string(value)
}

func withoutResults(out string) string {
	items, _, _ := strings.Cut(out, "\nresults:")
	return items
}
