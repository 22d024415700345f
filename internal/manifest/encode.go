package manifest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// encode writes the content of a document with kyaml's encoder. What stands around the content stays as it is: markers,
// directives, and the comments and blank lines in front of it and behind it.
func (d *Document) encode(root *yaml.Node) (Edit, error) {
	l, err := d.layoutOf()
	if err != nil {
		return Edit{}, err
	}
	from, to := l.content(d)
	text, err := encodeTree(withoutComments(root, l.textsIn(d.Start, from), l.textsIn(to, d.End)))
	if err != nil {
		return Edit{}, err
	}
	if isBlockScalar(lastOf(root)) {
		to += swallowed(l.src[to:d.End], strings.HasSuffix(text, "\n\n"), d.End == len(l.src))
	}
	if from > lines.Start(l.src, from) && isBlock(root) && root.Anchor == "" && root.Style&yaml.TaggedStyle == 0 {
		from = len(bytes.TrimRight(l.src[:from], " \t")) // nothing but the marker can stand on its line
		text = "\n" + text
	}
	if l.styleOf(d).eol == "\r\n" {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if d.endsFileOpen() && to == d.End {
		open := Edit{from, to, strings.TrimRight(text, "\r\n")}
		if d.proveEncoded(root, open) == nil {
			return open, nil
		}
	}
	edit := Edit{from, to, text}
	return edit, d.proveEncoded(root, edit)
}

// content is the range of the lines that a document's root stands on, or what of the line it stands on that begins with
// `---` or with a JSON document.
func (l *layout) content(d *Document) (from, to int) {
	from = max(d.Start, lines.Start(l.src, l.root.start))
	if lines.IsMarker(l.src[from:d.End], "---") {
		from = l.root.start
	}
	return from, min(lines.End(l.src, l.root.end), d.End)
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
func (l *layout) textsIn(from, to int) map[string]int {
	texts := map[string]int{}
	for _, c := range l.comments {
		if from <= c.Start && c.Start < to {
			texts[string(bytes.TrimSpace(l.src[c.Start:c.End]))]++
		}
	}
	return texts
}

// withoutComments copies a tree without comments that stand in front of its content or behind it. The parser has given
// some of them to the first and to the last nodes, and the encoder would write them a second time.
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

// leaveOut gives the lines of a comment but for those that are counted, each as often as it is.
func leaveOut(comment string, texts map[string]int) string {
	kept := slices.DeleteFunc(strings.Split(comment, "\n"), func(line string) bool {
		text := strings.TrimSpace(line)
		texts[text]--
		return texts[text] >= 0
	})
	return strings.Trim(strings.Join(kept, "\n"), "\n")
}

// proveEncoded is prove, and that the encoder has written no comment twice.
func (d *Document) proveEncoded(root *yaml.Node, edit Edit) error {
	before, after, err := d.edited(root, []Edit{edit})
	if err != nil {
		return err
	}
	if err := lostComment(before, after, nil); err != nil {
		return err
	}
	return lostComment(after, before, nil)
}
