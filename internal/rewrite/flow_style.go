package rewrite

import (
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// flowStyleOf reads the style off the flow collections in a part of the source: what most places do.
func (s *source) flowStyleOf(o *manifest.Origin) flowStyle {
	// counts for and against
	var keys, texts, colons, gaps int
	count := func(n *int, yes bool) {
		if yes {
			*n++
		} else {
			*n--
		}
	}
	var visit func(o *manifest.Origin)
	visit = func(o *manifest.Origin) {
		flow := o.Node.Style&yaml.FlowStyle != 0
		for i, c := range o.Children {
			switch isKey := o.Node.Kind == yaml.MappingNode && i%2 == 0; {
			case !flow:
			case isKey:
				if at := c.End + blanks(s.Source[c.End:]); at < len(s.Source) && s.Source[at] == ':' {
					count(&colons, !startsBlank(s.Source[at+1:]))
				}
				count(&keys, c.Node.Style&yaml.DoubleQuotedStyle != 0)
			case c.Node.Kind == yaml.ScalarNode && c.Node.ShortTag() == yaml.NodeTagString:
				count(&texts, c.Node.Style&yaml.DoubleQuotedStyle != 0)
			}
			if at := c.End + blanks(s.Source[c.End:]); flow && at < len(s.Source) && s.Source[at] == ',' {
				count(&gaps, !startsBlank(s.Source[at+1:]))
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
func (p *printer) asAround(o *manifest.Origin) (restore func()) {
	before := p.style.flow
	if !p.style.json {
		p.style.flow = p.flowStyleAround(o)
	}
	return func() { p.style.flow = before }
}

// flowStyleAround is the style of the outermost brackets around a collection in brackets. It asks the ones directly around,
// and remembers: they may be nested a thousand deep.
func (p *printer) flowStyleAround(o *manifest.Origin) flowStyle {
	s, known := p.flowStyles[o]
	if !known {
		if o.Parent != nil && o.Parent.Node.Style&yaml.FlowStyle != 0 {
			s = p.flowStyleAround(o.Parent)
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
		return text + ":" // without the quotes, the colon and the text after it would be part of the key
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
