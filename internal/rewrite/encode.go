package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// encode writes the content of a document with kyaml's encoder. The text around the content stays as it is: markers,
// directives, and the comments and blank lines before it and after it.
func (s *source) encode(root *yaml.Node) (*Result, error) {
	from, to := s.content()
	text, err := encodeTree(withoutComments(root, s.textsIn(s.Start, from), s.textsIn(to, s.End)))
	if err != nil {
		return nil, err
	}
	if isBlockScalar(lastOf(root)) {
		to += swallowed(s.Source[to:s.End], strings.HasSuffix(text, "\n\n"), s.End == len(s.Source))
	}
	if from > lines.Start(s.Source, from) && isBlock(root) && root.Anchor == "" && root.Style&yaml.TaggedStyle == 0 {
		from = len(bytes.TrimRight(s.Source[:from], " \t")) // the line has only the marker
		text = "\n" + text
	}
	if s.eol() == "\r\n" {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if s.endsFileOpen() && to == s.End {
		open := Edit{from, to, strings.TrimRight(text, "\r\n")}
		if made, err := s.proveEncoded(root, open); err == nil {
			return made, nil
		}
	}
	return s.proveEncoded(root, Edit{from, to, text})
}

// content returns the range of the lines of a document's root, without the part of its first line that is a `---` or a
// JSON document.
func (s *source) content() (from, to int) {
	from = max(s.Start, lines.Start(s.Source, s.Root.Start))
	if lines.IsMarker(s.Source[from:s.End], "---") {
		from = s.Root.Start
	}
	return from, min(lines.End(s.Source, s.Root.End), s.End)
}

func encodeTree(root *yaml.Node) (string, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoderWithOptions(&out, &yaml.EncoderOptions{SeqIndent: yaml.CompactSequenceStyle})
	if err := enc.Encode(root); err != nil {
		return "", err
	}
	if err := enc.Close(); err != nil {
		return "", err
	}
	return out.String(), nil
}

// textsIn counts the comments in a range of the source by their text.
func (s *source) textsIn(from, to int) map[string]int {
	texts := map[string]int{}
	for _, c := range s.Comments {
		if from <= c.Start && c.Start < to {
			texts[string(bytes.TrimSpace(s.Source[c.Start:c.End]))]++
		}
	}
	return texts
}

// withoutComments copies a tree without comments before its content or after it. The parser has attached some of them
// to the first and to the last nodes, and the encoder would write them a second time.
func withoutComments(root *yaml.Node, above, below map[string]int) *yaml.Node {
	root = yaml.NewRNode(root).Copy().YNode()
	for n := root; ; n = n.Content[0] {
		n.HeadComment = leaveOut(n.HeadComment, above)
		if len(n.Content) == 0 {
			break
		}
	}
	var last func(n *yaml.Node)
	last = func(n *yaml.Node) {
		n.FootComment = leaveOut(n.FootComment, below)
		for _, c := range n.Content[max(0, len(n.Content)-2):] { // the last key has those of its value
			last(c)
		}
	}
	last(root)
	return root
}

// leaveOut returns the lines of a comment but for those that are counted, each as often as it is.
func leaveOut(comment string, texts map[string]int) string {
	kept := slices.DeleteFunc(strings.Split(comment, "\n"), func(line string) bool {
		text := strings.TrimSpace(line)
		texts[text]--
		return texts[text] >= 0
	})
	return strings.Trim(strings.Join(kept, "\n"), "\n")
}

// proveEncoded is prove, and that the encoder has written no comment twice.
func (s *source) proveEncoded(root *yaml.Node, edit Edit) (*Result, error) {
	made, after, err := s.edited(root, []Edit{edit})
	if err == nil {
		err = lostComment(s.Layout, after, nil)
	}
	if err == nil {
		err = lostComment(after, s.Layout, nil)
	}
	return made, err
}

// scalarText writes a scalar on one line. A string is quoted where the tree asks for it, where quoteAll does, or where
// YAML 1.1 or 1.2 would read the plain text as something else.
func scalarText(n *yaml.Node, quoteAll bool) string {
	var b strings.Builder
	b.WriteString(propertiesText(n))
	switch tag := n.ShortTag(); {
	case n.Kind == yaml.AliasNode:
		return "*" + n.Value
	case tag == "!!merge":
		b.WriteString("<<")
	case tag != yaml.NodeTagString && tag != "":
		b.WriteString(n.Value)
	case n.Style&yaml.SingleQuotedStyle != 0 && !quoteAll && printable(n.Value):
		b.WriteString("'" + strings.ReplaceAll(n.Value, "'", "''") + "'")
	case quoteAll || n.Style&yaml.DoubleQuotedStyle != 0 || !yaml11.PlainSafe(n.Value):
		b.WriteString(yaml11.Quote(n.Value))
	default:
		b.WriteString(n.Value)
	}
	return b.String()
}

// propertiesText writes a node's anchor and tag, each with the space after it.
func propertiesText(n *yaml.Node) (text string) {
	if n.Anchor != "" {
		text = "&" + n.Anchor + " "
	}
	if n.Style&yaml.TaggedStyle != 0 {
		text += n.ShortTag() + " "
	}
	return text
}

// printable reports whether single quotes can hold the string on one line.
func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || lines.IsFoldable(r) && r != ' ' })
}
