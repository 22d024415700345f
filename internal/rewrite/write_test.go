package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// documents are written in the many ways that YAML and JSON allow; the property tests change each of them at random,
// and the fuzzers start from them.
var documents = map[string]string{
	"comments everywhere": `# the file

---
# the object
apiVersion: v1 # as ever
kind: Thing

metadata:   # whose
  name: one
  labels: {app: one, tier: "back"}  # two labels

  # nobody knows
  annotations:
    a: "1"

    # between
    b: '2'
  # behind the last
# in front of spec
spec:
  list:
  # first
  - name: a
    value: 1 # one
  # second
  -   name: b
      value: 2

  - c
  # behind the list
  text: |
    literal # no comment

      deeper
  folded: >-
    folded
    lines

  plain: several words
    on two lines
  quoted: "with \
    a break"
# the end
`,
	"indented lists":    "a:\n    - b:\n        - c\n        - d: e\n          f: g\n    - - x\n      - y\n    -\n        z: 1\nh:\n    i: j\n",
	"no final line end": "a:\n- b\n- c: d\ne: f",
	"windows":           "a: 1\r\nb:\r\n  # comment\r\n  c: |\r\n    text\r\n\r\n    more\r\n  d: x\r\n",
	"anchors":           "base: &base\n  a: 1\n  b: {c: d}\nother:\n  <<: *base\n  e: &s text\nlast: *s\n",
	"tags":              "a: !!str 1\nb: !!int \"2\"\nc: &x !!map\n  d: e\n",
	"flow": `---
{
  # lead
  a: "b", # beside
  c: {d: "e", f: ["g", "h"]},
  # last
  i: [
    "j",
    "k",
  ],
}
`,
	"json":        "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      \"d\",\n      \"e\"\n    ],\n    \"f\": {}\n  },\n  \"g\": null\n}\n",
	"json, tabs":  "{\n\t\"a\": {\n\t\t\"b\": [1, 2],\n\t\t\"c\": \"d\"\n\t}\n}\n",
	"json, tight": `{"a":{"b":[1,{"c":"d"}],"e":"f"},"g":"\ud83d\udc9d"}`,
	"empties":     "a:\nb: {}\nc: []\nd: ''\ne: # why\nf:\n- \n- ~\n",
	"keep":        "a: |+\n  text\n\n\nb: >+\n  more\n\n",
	"indicator":   "a:\n  b: |2\n      four\n    two\n  c: d\n",
	"wide":        "föö:   bär # ünder\n\"q k\":  'it''s'\n? complex\n: key\n",
	"documents":   "a: 1\n---\nb: 2\n...\n# between\n---\nc: 3\n",
	"lone return": "#\r-",
	"own lines":   "a:\n  &x # one\n  # two\n  b: c # three\n\n  d:   e\nf:\n- # four\n  !!map\n  g: h\n  i: [j , k ,l]\n",
	"questions":   "? a # one\n# two\n: # three\n  b: c\n\n  ? d\n  :\n  -   e\n  - f\n? g\n:   h # four\n",
	"bare pairs":  "a: [b: c, d,\n  ? e : f] # g\nh: [ i : [j : k] , l : , m: ]\n",
	"open text":   "a: b\nc:\n  d: e\n  f: >+\n      several\n      lines\n\n    # no comment\n",
	"open end":    "a: b\nc:\n  d: e\n  f: |\n      several\n\n      lines",
	"flow comments": `a: {"b":"c","d":["e","f"]}
g: {h : i , j : [k , l]} # g
m: { # m
  n: o, # n

  # p
  p: q ,
  r: {s: t # s
  }, u: v # u
}
`,
	"marker text": "--- # one\na: b\n--- {c: d}\n",
}

// variants writes a document with other line ends and a byte order mark.
var variants = map[string]func(string) string{
	"as is": func(s string) string { return s },
	"CRLF":  func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n") },
	"BOM":   func(s string) string { return "\ufeff" + s },
}

func TestUntouchedIsIdentity(t *testing.T) {
	for name, text := range documents {
		for variant, change := range variants {
			t.Run(name+"/"+variant, func(t *testing.T) {
				t.Parallel()
				checkIdentity(t, []byte(change(text)))
			})
		}
	}
}

// written returns the writer's edits for a document's tree, none where it has no tree.
func written(d *manifest.Document) (edits []Edit, encoded string, err error) {
	if d.Root == nil {
		return nil, "", nil
	}
	made, err := Of(d).Write(d.Root.YNode())
	if err != nil {
		return nil, "", err
	}
	return made.Edits, made.Encoded, nil
}

// checkIdentity asserts that an unchanged file has no edits, and that every node's span is its own text.
func checkIdentity(t *testing.T, src []byte) {
	f := manifest.Parse("test.yaml", src)
	at := 0
	for _, d := range f.Documents {
		if d.Start < at || d.End < d.Start || d.End > len(src) {
			t.Fatalf("document %d is [%d, %d) behind %d of %d", d.Index, d.Start, d.End, at, len(src))
		}
		at = d.End
		edits, encoded, err := written(d)
		_, unmeasured := d.Layout()
		if len(edits) > 0 || encoded != "" || d.Err == nil && d.Root != nil && err != nil && unmeasured == nil {
			t.Errorf("document %d: edits %v, encoded %q, error %v", d.Index, edits, encoded, err)
		}
		if l, err := d.Layout(); err == nil && l.Root != nil {
			checkSpans(t, d, l.Root)
		}
	}
}

// checkSpans cuts every scalar and flow collection out of the file and parses it alone.
func checkSpans(t *testing.T, d *manifest.Document, o *manifest.Origin) {
	for _, c := range o.Children {
		if c.Start < o.Start || c.End > o.End {
			t.Errorf("%q reaches out of %q", d.File.Source[c.Start:c.End], d.File.Source[o.Start:o.End])
		}
		checkSpans(t, d, c)
	}
	isFlow := o.Node.Style&yaml.FlowStyle != 0
	if d.JSON || o.Node.Kind == yaml.AliasNode || hasAliases(o.Node) || !isFlow && o.Node.Kind != yaml.ScalarNode {
		return
	}
	if isBlockScalar(o.Node) {
		return // its indentation is relative to its parent
	}
	text := string(d.File.Source[o.Content:o.End])
	if !isFlow && o.Node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
		fold := func(s string) string { return strings.Join(strings.FieldsFunc(s, lines.IsFoldable), "") }
		if fold(text) != fold(o.Node.Value) {
			t.Errorf("%q says %q", text, o.Node.Value)
		}
		return
	}
	// A pair without braces is an item of a flow list; elsewhere it has to be on one line.
	pair := o.Parent != nil && o.Node.Kind == yaml.MappingNode && isFlow && !strings.HasPrefix(text, "{")
	wrapped := pair || o.Parent != nil && !strings.Contains(text, "\n\t")
	switch {
	case pair:
		after := d.File.Source[o.End] // decides whether a colon before it belongs to a plain scalar
		text = "[" + text + strings.TrimSuffix(string(after), "]") + "]"
	case wrapped:
		text = "- " + text // something to be indented from
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Errorf("%q does not parse: %v", text, err)
		return
	}
	got := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull}
	if len(doc.Content) > 0 {
		if got = doc.Content[0]; wrapped && len(got.Content) > 0 {
			got = got.Content[0]
		}
	}
	if got.Value != o.Node.Value || got.Kind != o.Node.Kind || len(got.Content) != len(o.Node.Content) {
		t.Errorf("%q says %q, want %q", text, got.Value, o.Node.Value)
	}
}

func hasAliases(n *yaml.Node) bool {
	for _, c := range n.Content {
		if c.Kind == yaml.AliasNode || hasAliases(c) {
			return true
		}
	}
	return false
}

func FuzzIdentity(f *testing.F) {
	for _, text := range documents {
		for _, change := range variants {
			f.Add([]byte(change(text)))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkIdentity(t, src) })
}

func TestMutations(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 60
	}
	for name, text := range documents {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			encoded := 0
			for seed := range rounds {
				if checkMutation(t, []byte(text), int64(seed)) {
					encoded++
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			if encoded > 0 {
				t.Errorf("%d of %d mutations were written by the encoder", encoded, rounds)
			}
		})
	}
}

func FuzzMutation(f *testing.F) {
	for _, text := range documents {
		f.Add([]byte(text), int64(1))
	}
	f.Fuzz(func(t *testing.T, src []byte, seed int64) { checkMutation(t, src, seed) })
}

// checkMutation changes every document of a file at random and checks the contract: the result parses to the changed
// tree, untouched entries keep their text, and other line ends or a byte order mark change nothing.
func checkMutation(t *testing.T, src []byte, seed int64) (encoded bool) {
	out, encoded, ok := mutateAndPrint(t, src, seed)
	if !ok || encoded || bytes.Contains(src, []byte("\r")) {
		return encoded
	}
	if bytes.HasPrefix(bytes.TrimLeft(src, " \t\n"), []byte("{")) && bytes.Contains(src, []byte("\\\n")) || bytes.HasPrefix(src, []byte(lines.BOM)) {
		return encoded
	}
	for name, change := range variants {
		if name == "CRLF" && !endsLinesAlike(src) {
			continue
		}
		got, _, ok := mutateAndPrint(t, []byte(change(string(src))), seed)
		if want := change(string(out)); ok && string(got) != want {
			t.Errorf("%s:\n%q\nwant\n%q\nfrom\n%q", name, got, want, src)
		}
	}
	return encoded
}

// endsLinesAlike reports whether a text has enough line ends to tell what its line ends are.
func endsLinesAlike(src []byte) bool {
	for _, d := range manifest.Parse("", src).Documents {
		if !bytes.Contains(d.Text(), []byte("\n")) {
			return false
		}
	}
	return true
}

// loneCR matches a line end that is one only to YAML. Near it, the lines of entries are not the file's lines, and a
// document that the encoder cannot join to the text after it is rejected.
var loneCR = regexp.MustCompile(`\r([^\n]|$)`)

func mutateAndPrint(t *testing.T, src []byte, seed int64) (out []byte, encoded, ok bool) {
	f := manifest.Parse("test.yaml", src)
	var all []Edit
	for _, d := range f.Documents {
		if d.Root == nil {
			continue
		}
		if _, err := d.Layout(); err != nil {
			return nil, false, false // a text whose nodes cannot be found is for the encoder
		}
		r := rand.New(rand.NewSource(seed))
		for range 1 + r.Intn(3) {
			mutate(r, d.Root.YNode())
		}
		keep := untouchedLines(d)
		edits, enc, err := written(d)
		if errors.Is(err, ErrCommentsLost) || err != nil && (encoderCannot(d.Root.YNode()) || loneCR.Match(src)) {
			return nil, false, false
		}
		if err != nil {
			t.Errorf("cannot be written: %v\n%q", err, src)
			return nil, false, false
		}
		if encoded = encoded || enc != ""; enc != "" && testing.Verbose() {
			_, reason := Of(d).source.surgery(d.Root.YNode())
			t.Logf("seed %d encoded: %v", seed, reason)
		}
		all = append(all, edits...)
		if enc == "" {
			checkSurvive(t, keep, Apply(src, edits), src)
		}
	}
	out = Apply(src, all)
	after := manifest.Parse("test.yaml", out)
	if len(after.Documents) != len(f.Documents) && f.Documents[0].JSON && !f.Documents[len(f.Documents)-1].JSON {
		return nil, false, false // what begins with a number now looks like more JSON; CheckNeighbours rejects that
	}
	if len(after.Documents) != len(f.Documents) {
		t.Errorf("%d documents became %d\n%q\n%q", len(f.Documents), len(after.Documents), src, out)
		return out, encoded, true
	}
	for i, d := range f.Documents {
		got := after.Documents[i]
		if (d.Root == nil) != (got.Root == nil) || d.Root != nil && !meansTheSame(d.Root.YNode(), got.Root.YNode()) {
			t.Errorf("document %d does not say what it should:\n%s\nfrom\n%s", i, out, src)
		}
	}
	return out, encoded, true
}

// untouchedLines lists the lines of block entries that are in the changed tree as they were read, without the text
// around them on the line.
func untouchedLines(d *manifest.Document) []string {
	l := studied(d)
	if l == nil {
		return nil
	}
	if !lines.Begins(l.Source, d.Start) {
		return nil // the end of a JSON document is on its first line
	}
	p := newPrinter(l, d.Root.YNode())
	clean := map[*manifest.Origin]bool{}
	var survey func(n *yaml.Node)
	survey = func(n *yaml.Node) {
		if o := p.OriginOf(n); o != nil && p.isClean(n) {
			clean[o] = true
		}
		for _, c := range n.Content {
			survey(c)
		}
	}
	survey(d.Root.YNode())
	var lines []string
	var visit func(o *manifest.Origin)
	visit = func(o *manifest.Origin) {
		for _, e := range l.elements(o) {
			v := identityValue(d.Root.YNode(), p, &e)
			if v != nil && p.OriginOf(v) == e.value && p.isClean(v) && (e.key == nil || clean[e.key]) {
				for _, line := range breakLines(l.Source[e.start:e.end]) {
					lines = append(lines, bare(line))
				}
			} else {
				visit(e.value)
			}
		}
	}
	visit(l.Root)
	return lines
}

// identityValue finds the value of an element's key, or the item itself, in a changed tree.
func identityValue(n *yaml.Node, p *printer, e *element) *yaml.Node {
	for _, kv := range entries(n) {
		if p.OriginOf(identity(kv)) == e.id() {
			if p.isFlow(n) {
				return nil // not on lines of its own any more
			}
			return kv[1]
		}
		if found := identityValue(kv[1], p, e); found != nil {
			return found
		}
	}
	return nil
}

// breakLines returns the lines of a text that are not empty. YAML also ends a line at a lone carriage return.
func breakLines(text []byte) []string {
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' || r == '\r' })
}

// bare is a line without its indentation and the dashes before its first entry.
func bare(line string) string {
	line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
	for strings.HasPrefix(line, "- ") {
		line = strings.TrimSpace(line[2:])
	}
	return line
}

// textHeader finds the header of a block scalar at the end of a line: the parts before and after its chomping
// indicator.
var textHeader = regexp.MustCompile(`([|>][1-9]?)\+?([ \t]*|[ \t]*#.*)$`)

func checkSurvive(t *testing.T, lines []string, out, src []byte) {
	left := map[string]int{}
	for _, line := range breakLines(out) {
		left[bare(line)]++
	}
	for _, line := range lines {
		if line == "" {
			continue // a blank line after an entry may be where the file ends
		}
		if left[line] == 0 && !bytes.HasSuffix(src, []byte("\n")) {
			line = textHeader.ReplaceAllString(line, "$1-$2") // of the text at the end of the file, which has no line end
		}
		if left[line]--; left[line] < 0 {
			t.Errorf("the line %q of an untouched entry is lost:\n%s\nfrom\n%s", line, out, src)
		}
	}
}

// encoderCannot reports whether not even kyaml writes a tree in such a way that it reads it again.
func encoderCannot(root *yaml.Node) bool {
	text, err := yaml.NewRNode(root).String()
	if err != nil {
		return true
	}
	var doc yaml.Node
	return yaml.Unmarshal([]byte(text), &doc) != nil || len(doc.Content) == 0 || !meansTheSame(root, doc.Content[0])
}

// meansTheSame compares trees by kyaml's reading, apart from the writer's own comparison.
func meansTheSame(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return false
	}
	if a.Kind == yaml.ScalarNode && (a.Value != b.Value || a.ShortTag() != b.ShortTag()) {
		return false
	}
	for i := range a.Content {
		if !meansTheSame(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// mutate makes one random change to a tree.
func mutate(r *rand.Rand, root *yaml.Node) {
	var collections []*yaml.Node
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		if n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode {
			collections = append(collections, n)
		}
		for _, c := range n.Content {
			visit(c)
		}
	}
	visit(root)
	if len(collections) == 0 {
		return
	}
	n := collections[r.Intn(len(collections))]
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	count := len(n.Content) / step
	pick := func() int { return r.Intn(count) * step }
	switch op := r.Intn(7); {
	case op == 0 && count > 1: // take an entry out
		i := pick()
		if !anchored(n.Content[i : i+step]...) {
			n.Content = append(n.Content[:i:i], n.Content[i+step:]...)
		}
	case op == 1 && step == 2 && count > 0: // rename a key
		k := n.Content[pick()]
		if k.Kind == yaml.ScalarNode && k.Value != "<<" {
			k.Value, k.Tag = fmt.Sprintf("renamed-%d", r.Intn(1000)), yaml.NodeTagString
		}
	case op == 2 && count > 0: // set a scalar
		if v := n.Content[pick()+step-1]; v.Kind == yaml.ScalarNode && v.Anchor == "" && v.Style&yaml.TaggedStyle == 0 {
			v.Value, v.Tag = newText(r), yaml.NodeTagString
		}
	case op == 3: // put a new entry in
		i := r.Intn(count+1) * step
		entry := []*yaml.Node{newValue(r, 2)}
		if step == 2 {
			entry = append([]*yaml.Node{{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: fmt.Sprintf("new-%d", r.Intn(1000))}}, entry...)
		}
		n.Content = append(n.Content[:i:i], append(entry, n.Content[i:]...)...)
		if count == 0 {
			n.Style &^= yaml.FlowStyle
		}
	case op == 4 && count > 1: // swap two entries
		i, j := pick(), pick()
		if !anchored(n.Content...) {
			for k := range step {
				n.Content[i+k], n.Content[j+k] = n.Content[j+k], n.Content[i+k]
			}
		}
	case op == 5: // move an entry into another collection
		m := collections[r.Intn(len(collections))]
		if count > 1 && m.Kind == n.Kind && !contains(n, m) && !contains(m, n) && !anchored(n.Content...) && !anchored(m.Content...) {
			i := pick()
			m.Content = append(m.Content[:len(m.Content):len(m.Content)], n.Content[i:i+step]...)
			n.Content = append(n.Content[:i:i], n.Content[i+step:]...)
			if len(m.Content) == step {
				m.Style &^= yaml.FlowStyle
			}
		}
	case op == 6 && count > 0: // copy an entry's value to the end
		entry := []*yaml.Node{yaml.NewRNode(n.Content[pick()+step-1]).Copy().YNode()}
		stripAnchors(entry[0])
		if step == 2 {
			entry = append([]*yaml.Node{{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: fmt.Sprintf("copy-%d", r.Intn(1000))}}, entry...)
		}
		n.Content = append(n.Content, entry...)
	}
}

// stripAnchors leaves the anchors of a copy to its original.
func stripAnchors(n *yaml.Node) {
	n.Anchor = ""
	for _, c := range n.Content {
		stripAnchors(c)
	}
}

func contains(n, m *yaml.Node) bool {
	if n == m {
		return true
	}
	for _, c := range n.Content {
		if contains(c, m) {
			return true
		}
	}
	return false
}

// anchored reports whether moving or removing nodes would tear an alias from its anchor.
func anchored(nodes ...*yaml.Node) bool {
	for _, n := range nodes {
		if n.Anchor != "" || n.Kind == yaml.AliasNode || n.Value == "<<" || anchored(n.Content...) {
			return true
		}
	}
	return false
}

func newText(r *rand.Rand) string {
	texts := []string{"plain", "true", "12", "", " spaced ", "a: b", "# no", "two\nlines", "ünïcode", "it's \"quoted\"", "- dash", "y", "null", "\\"}
	return texts[r.Intn(len(texts))]
}

func newValue(r *rand.Rand, depth int) *yaml.Node {
	switch k := r.Intn(4); {
	case k == 0 && depth > 0:
		m := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
		for i := range 1 + r.Intn(2) {
			m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: fmt.Sprintf("k%d", i)}, newValue(r, depth-1))
		}
		return m
	case k == 1 && depth > 0:
		return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: []*yaml.Node{newValue(r, depth-1), newValue(r, depth-1)}}
	case k == 2:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: "true"}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: newText(r)}
}
