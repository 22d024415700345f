package manifest

import (
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A flowStyle is how collections in brackets are written, as far as new text has to know.
type flowStyle struct {
	quoteKeys, quoteAll  bool // keys, and every string, stand in double quotes, as in JSON; KYAML quotes strings only
	tightColon, tightGap bool // no space behind a colon, and behind a comma
}

// flowStyleOf reads the style off the flow collections in a part of the source: what most places do.
func (l *layout) flowStyleOf(o *origin) flowStyle {
	// counts for and against
	var keys, texts, colons, gaps int
	count := func(n *int, yes bool) {
		if yes {
			*n++
		} else {
			*n--
		}
	}
	var visit func(o *origin)
	visit = func(o *origin) {
		flow := o.node.Style&yaml.FlowStyle != 0
		for i, c := range o.children {
			switch isKey := o.node.Kind == yaml.MappingNode && i%2 == 0; {
			case !flow:
			case isKey:
				if at := c.end + blanks(l.src[c.end:]); at < len(l.src) && l.src[at] == ':' {
					count(&colons, !startsBlank(l.src[at+1:]))
				}
				count(&keys, c.node.Style&yaml.DoubleQuotedStyle != 0)
			case c.node.Kind == yaml.ScalarNode && c.node.ShortTag() == yaml.NodeTagString:
				count(&texts, c.node.Style&yaml.DoubleQuotedStyle != 0)
			}
			if at := c.end + blanks(l.src[c.end:]); flow && at < len(l.src) && l.src[at] == ',' {
				count(&gaps, !startsBlank(l.src[at+1:]))
			}
			visit(c)
		}
	}
	visit(o)
	return flowStyle{quoteKeys: keys > 0, quoteAll: texts > 0, tightColon: colons > 0, tightGap: gaps > 0}
}

// blanks counts the spaces and tabs that a text begins with.
func blanks(text []byte) int {
	n := 0
	for n < len(text) && (text[n] == ' ' || text[n] == '\t') {
		n++
	}
	return n
}

func startsBlank(text []byte) bool { return len(text) == 0 || lines.IsSpace(text[0]) }

// asAround makes the style of the brackets around a node, its own included, the one that is written in, until the result
// is called.
func (p *printer) asAround(o *origin) (restore func()) {
	before := p.style.flow
	if !p.style.json {
		p.style.flow = p.flowStyleAround(o)
	}
	return func() { p.style.flow = before }
}

// flowStyleAround is the style of the outermost brackets around a collection in brackets. It asks the ones directly around,
// and remembers: they may be nested a thousand deep.
func (p *printer) flowStyleAround(o *origin) flowStyle {
	s, known := p.flowStyles[o]
	if !known {
		if o.parent != nil && o.parent.node.Style&yaml.FlowStyle != 0 {
			s = p.flowStyleAround(o.parent)
		} else {
			s = p.flowStyleOf(o)
		}
		p.flowStyles[o] = s
	}
	return s
}

// keyText is a key in a flow collection, with its colon.
func (p *printer) keyText(k *yaml.Node) string {
	text := scalarText(k, p.style.flow.quoteKeys)
	if p.style.flow.tightColon && strings.HasSuffix(text, `"`) {
		return text + ":" // without the quotes, the colon and what follows would be part of the key
	}
	return text + ": "
}

// gap separates two entries on one line.
func (p *printer) gap() string {
	if p.style.flow.tightGap {
		return ""
	}
	return " "
}
