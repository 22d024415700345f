package rewrite

import (
	"errors"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// setFirst changes the first value of a document.
func setFirst(root *yaml.Node) { root.Content[1].Value = "new" }

// oddText is content that the lossless writer does not know how to change.
const oddText = "a: b\n\n? c\n: d:   e\n"

func TestEncoded(t *testing.T) {
	for name, c := range map[string]struct {
		src, want string
		change    func(root *yaml.Node)
	}{
		"the content is written anew, and its comments stay": {
			"a: b # one\n\n# two\n? c\n: d:   'e' # three\n  # four\n  f: [g]\n",
			"a: new # one\n# two\nc:\n  d: 'e' # three\n  # four\n  f: [g]\n",
			setFirst,
		},
		"what stands in front of it stays": {
			"# licence\n\n%TAG !e! tag:example.com,2002:\n--- # why\n\n# about a\n\n" + oddText,
			"# licence\n\n%TAG !e! tag:example.com,2002:\n--- # why\n\n# about a\n\na: new\nc:\n  d: e\n",
			setFirst,
		},
		"what stands behind it stays": {
			oddText + "# about it\n\n  # indented\n# the end\n...\n",
			"a: new\nc:\n  d: e\n# about it\n\n  # indented\n# the end\n...\n",
			setFirst,
		},
		"comments in the same words stay as often as they were": {
			"# twice\n\n# twice\na: b # twice\n? c\n: d:   e # twice\n# twice\n",
			"# twice\n\n# twice\na: new # twice\nc:\n  d: e # twice\n# twice\n",
			setFirst,
		},
		"blank lines behind it do not become part of a text": {
			"? a\n: b: |+\n    text\n\nc: d\n\n  \n# the end\n\n",
			"a:\n  b: |+\n    text\n\n# the end\n\n",
			func(root *yaml.Node) { root.Content = root.Content[:2] },
		},
		"blank lines behind it stay below another text, unless they hold spaces": {
			"? a\n: b: |\n    text\nc: d\n     \n\n",
			"a:\n  b: |\n    text\n\n",
			func(root *yaml.Node) { root.Content = root.Content[:2] },
		},
		"line ends stay": {
			strings.ReplaceAll("# one\n"+oddText+"# two\n", "\n", "\r\n"),
			strings.ReplaceAll("# one\na: new\nc:\n  d: e\n# two\n", "\n", "\r\n"),
			setFirst,
		},
		"line ends stay behind a comment between entries": {
			"a: b\r\n# x\r\nc: d\r\n? e\r\n: f:   g\r\n",
			"a: new\r\n# x\r\nc: d\r\ne:\r\n  f: g\r\n",
			setFirst,
		},
		"a missing line end at the end stays": {
			strings.TrimSuffix(oddText, "\n"), "a: new\nc:\n  d: e", setFirst,
		},
		"a line end that belongs to a text comes": {
			"? a\n: b: |-\n    text", "a:\n  b: |\n    new\n",
			func(root *yaml.Node) {
				root.Content[1].Content[1] = &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Style: yaml.LiteralStyle, Value: "new\n"}
			},
		},
		"content on the line of the marker stays there": {
			"--- &x\n" + oddText, "--- &x\na: new\nc:\n  d: e\n", setFirst,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := manifest.Parse("test.yaml", []byte(c.src))
			c.change(f.Documents[0].Root.YNode())
			edits, encoded, err := written(f.Documents[0])
			if err != nil || !strings.HasSuffix(encoded, "has a block on the line of its key") {
				t.Fatalf("encoded: %q, error: %v", encoded, err)
			}
			if diff := cmp.Diff(c.want, string(Apply(f.Source, edits))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestEditsRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		src    string
		change func(root *yaml.Node)
		want   error
		words  string
	}{
		"the encoder would lose the comment of what goes": {
			"a: b # why\n? c\n: d: e\n",
			func(root *yaml.Node) { root.Content = root.Content[2:] },
			ErrCommentsLost, "# why (line 3 has a block on the line of its key)",
		},
		"the encoder would lose a comment in brackets": {
			"a: b\n? c\n: d: [ # why\n  e]\n", setFirst,
			ErrCommentsLost, "# why (line 3 has a block on the line of its key)",
		},
		"the encoder writes another text": {
			oddText + "f: >\n  a\n   b\n  c\n", setFirst,
			ErrOddForm, "line 4 has a block on the line of its key (the result does not mean what it should",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := manifest.Parse("test.yaml", []byte(c.src))
			c.change(f.Documents[0].Root.YNode())
			edits, encoded, err := written(f.Documents[0])
			if len(edits) > 0 || encoded != "" || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%d edits, encoded: %q, error: %v; want %v with %q", len(edits), encoded, err, c.want, c.words)
			}
		})
	}
}

func TestEditsRefuseWhatTheyCannotFind(t *testing.T) {
	d := manifest.Parse("test.yaml", []byte("a: b\n")).Documents[0]
	kept := yaml.NewRNode(d.Root.YNode()).Copy().YNode()
	kept.Content[1].Column = 40
	d.Keep(kept)
	setFirst(d.Root.YNode())
	edits, encoded, err := written(d)
	if want := ErrOddForm.Error() + ": line 1 has something whose start is unknown"; len(edits) > 0 || encoded != "" || err == nil || err.Error() != want {
		t.Errorf("%d edits, encoded: %q, error: %v; want %s", len(edits), encoded, err, want)
	}
}

// TestEncodedBehindMarker turns flow collections on the line of the marker, or of a JSON document, into blocks.
func TestEncodedBehindMarker(t *testing.T) {
	for src, want := range map[string]string{
		"{}   {c: d}\n":        "{}\nc: new\n",
		"a: b\n---  {c: d}\n":  "a: b\n---\nc: new\n",
		"--- &x {c: d}\r\n#\n": "--- &x\r\nc: new\r\n#\n",
	} {
		f := manifest.Parse("test.yaml", []byte(src))
		d := f.Documents[len(f.Documents)-1]
		d.Root.YNode().Style = 0
		setFirst(d.Root.YNode())
		edits, encoded, err := written(d)
		if got := string(Apply(f.Source, edits)); err != nil || got != want || !strings.HasSuffix(encoded, "a root that would have to be of another style") {
			t.Errorf("got %q, encoded: %q, error: %v; want %q", got, encoded, err, want)
		}
	}
}

// TestProve hands the proof results that no writer should make.
func TestProve(t *testing.T) {
	const src = "# above\n%TAG !e! tag:example.com,2002:\n--- # marker\na: b # beside\n# below\n...\n"
	for name, c := range map[string]struct{ old, new, want string }{
		"as it should be":          {"", "", ""},
		"does not parse":           {"a:", "a: [", "the result does not parse"},
		"another value":            {" b ", " c ", `what line 4 of the source has would be !!str "c", not !!str "b"`},
		"another key":              {"a:", "z:", `not !!str "a"`},
		"an anchor":                {" b ", " &x b ", "what line 4 of the source has would have the anchor &x"},
		"the end marker is gone":   {"...\n", "", "the result would stand as"},
		"another end marker":       {"...\n", "...\n...\n", "the result would stand as"},
		"the marker is gone":       {"%TAG !e! tag:example.com,2002:\n--- # marker\n", "# marker\n", "the result would stand as"},
		"the directive is gone":    {"%TAG !e! tag:example.com,2002:\n", "", "the result would stand as"},
		"another directive":        {"2002", "2003", "the result would stand as"},
		"a document is added":      {"...\n", "---\nc: d\n...\n", "a document begins here"},
		"a comment above is gone":  {"# above\n", "", "without losing comments: # above"},
		"a comment beside is gone": {" # beside", "", "without losing comments: # beside"},
		"a comment below is gone":  {"# below\n", "", "without losing comments: # below"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := manifest.Parse("test.yaml", []byte(src)).Documents[0]
			at := strings.Index(src, c.old)
			s, err := sourceOf(d)
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.prove(d.Root.YNode(), []Edit{{at, at + len(c.old), c.new}}, nil)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	d := manifest.Parse("test.yaml", []byte(src)).Documents[0]
	at := strings.Index(src, "# below")
	s, err := sourceOf(d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.proveEncoded(d.Root.YNode(), Edit{at, at, "# below\n"}); !errors.Is(err, ErrCommentsLost) {
		t.Errorf("a comment written twice: %v", err)
	}
}
