package rewrite

import (
	"errors"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func readSource(t *testing.T, text string) *source {
	t.Helper()
	s, err := sourceOf(manifest.Parse("test.yaml", []byte(text)).Documents[0])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMergedCommentIsLeft: of comments that were merged into one, that one has to be there.
func TestMergedCommentIsLeft(t *testing.T) {
	t.Parallel()
	before := readSource(t, "a: b # x\nc: d # x\n")
	merged := map[string]int{"# x": 1}
	if err := lostComment(before.Layout, readSource(t, "a: b # x\n").Layout, merged); err != nil {
		t.Error(err)
	}
	if err := lostComment(readSource(t, "a: b # x\n").Layout, readSource(t, "a: b\n").Layout, merged); !errors.Is(err, ErrCommentsLost) {
		t.Errorf("none is left: %v", err)
	}
}

// TestDivideRefuses has texts that belong to no entry, or whose lines are not those of a YAML parser, which also ends one
// at U+0085 and U+2028.
func TestDivideRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: 1\n\u0085\nb: 2\n":           "line 4 has text in front of an entry that is no comment",
		"a: 1\n\u0085\n":                 "line 1 has text behind a collection that is no comment",
		"a: b\u2028c: d\n":               "line 2 has an entry that is not where its siblings are",
		"- a\u2028- b\n":                 "line 2 has an entry that is not where its siblings are",
		"- !!map\u2028  b: c\n":          "line 1 has a block on the line of its key",
		"- a\n\u2028- b\n":               "line 3 has an entry that is not where its siblings are",
		"\u2028a: 1\n\u2028b: 2\n":       "line 4 has an entry on the line of the one before",
		"-\u2028  a: 1\n \u2028  b: 2\n": "line 4 has an entry on the line of the one before",
		"? a: b\n: c\n":                  "line 1 has a key that is a collection, or has no colon",
		"? - a\n: c\n":                   "line 1 has a key that is a collection, or has no colon",
		"? a\n":                          "line 1 has a key that is a collection, or has no colon",
		"? a\n: b: c\n":                  "line 2 has a block on the line of its key",
	} {
		if err := readSource(t, text).study(); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestCircular: a tree that contains itself is rejected, also through an alias. One whose parts are used twice is not.
func TestCircular(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(root, inner *yaml.Node) error{
		"itself": func(root, inner *yaml.Node) error {
			inner.Content = append(inner.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "x"}, root)
			return ErrCircular
		},
		"itself, at once": func(_, inner *yaml.Node) error { inner.Content[1] = inner; return ErrCircular },
		"through an alias": func(root, inner *yaml.Node) error {
			root.Anchor = "r"
			inner.Content[1] = &yaml.Node{Kind: yaml.AliasNode, Value: "r", Alias: root}
			return ErrCircular
		},
		"twice": func(root, inner *yaml.Node) error {
			root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "x"}, inner)
			return nil
		},
	} {
		d := manifest.Parse("test.yaml", []byte("a:\n  b: c\n")).Documents[0]
		root := d.Root.YNode()
		want := change(root, root.Content[1])
		if _, err := Of(d).Write(root); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
}

// TestSurgeryRefuses hands the lossless writer trees that it cannot print in the place of the source's.
func TestSurgeryRefuses(t *testing.T) {
	t.Parallel()
	s := readSource(t, "a:\n  b: c\n")
	if _, err := s.surgery(s.Root.Children[1].Node); err == nil || !strings.HasSuffix(err.Error(), "a root that would have to be of another style") {
		t.Errorf("a tree inside the source's: %v", err)
	}
	broken := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{nil}}
	if _, err := s.surgery(broken); err == nil || !strings.HasPrefix(err.Error(), "the lossless writer failed: ") {
		t.Errorf("a tree that is none: %v", err)
	}
}

// TestAliasesStay: an entry that moves with its anchor below an alias is not written, even where another anchor of that name is
// above, which the alias would stand for then.
func TestAliasesStay(t *testing.T) {
	t.Parallel()
	for text, refused := range map[string]string{
		"z: 1\na: &x b\nc: *x\n":            "there is no anchor",
		"z: &x 1\na: &x b\nc: *x\n":         "the alias *x would stand for another anchor of that name",
		"z: &x 1\na: &y b\nc: *x\n":         "",
		"z: &x 1\na: &x b\nc: 1\n":          "",
		"z: 1\na: {y: &x b, w: *x}\nc: 1\n": "",
	} {
		d := manifest.Parse("test.yaml", []byte(text)).Documents[0]
		root := d.Root.YNode()
		root.Content = append(append(root.Content[:2:2], root.Content[4:]...), root.Content[2:4]...)
		written, err := Of(d).Write(root)
		switch {
		case refused == "" && (err != nil || written.Encoded != ""):
			t.Errorf("%q: %v", text, err)
		case refused != "" && (err == nil || strings.Count(err.Error(), refused) != 1):
			t.Errorf("%q: got %v, want %s, once", text, err, refused)
		}
	}
}

// TestAppendWholeItems: an item that begins on the line of another has no lines of its own to append.
func TestAppendWholeItems(t *testing.T) {
	t.Parallel()
	d, from := manifest.Parse("new", []byte("a:\n- z: 1\n")).Documents[0], manifest.Parse("old", []byte("a:\n- - x: 1\n")).Documents[0]
	inner := from.Root.Field("a").Value.YNode().Content[0].Content[0]
	if edit, ok := Append(d, d.Root.Field("a").Value.YNode(), from, inner); ok {
		t.Errorf("appended %q", edit.New)
	}
}

// TestApplyPanics: edits that overlap or are out of order are a mistake of the caller's.
func TestApplyPanics(t *testing.T) {
	t.Parallel()
	for name, edits := range map[string][]Edit{
		"overlapping":  {{0, 3, ""}, {2, 4, ""}},
		"out of order": {{3, 4, ""}, {0, 1, ""}},
		"backwards":    {{3, 2, ""}},
		"beyond":       {{0, 9, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if problem, ok := recover().(string); !ok || !strings.HasPrefix(problem, "rewrite: edit [") {
					t.Errorf("panics with %v", problem)
				}
			}()
			Apply([]byte("a: bc"), edits)
		})
	}
}
