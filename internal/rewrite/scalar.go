package rewrite

import (
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

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
