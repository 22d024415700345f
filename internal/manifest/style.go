package manifest

import (
	"bytes"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A style is how a document is written, as far as new text has to know.
type style struct {
	eol         string
	step        int  // columns that a block is indented by
	indentLists bool // whether a list's dashes are indented below its key
	json        bool
	flow        flowStyle
}

// styleOf reads the style off the source: what most places do.
func (l *layout) styleOf(d *Document) style {
	s := style{eol: "\n", step: 2, json: d.json, flow: flowStyle{quoteKeys: d.json, quoteAll: d.json}}
	text := d.Text()
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		s.eol = "\r\n"
	}
	if l.root == nil {
		return s
	}
	steps := map[int]int{}
	lists, indented := 0, 0
	var visit func(o *origin)
	visit = func(o *origin) {
		for i := range o.elements {
			e := &o.elements[i]
			if e.key == nil || e.value.elements == nil {
				continue
			}
			by := l.column(e.value) - l.column(o)
			if e.value.node.Kind == yaml.MappingNode {
				steps[by]++
			} else if lists++; by > 0 {
				indented++
			}
		}
		for _, c := range o.children {
			visit(c)
		}
	}
	visit(l.root)
	for by, n := range steps {
		if n > steps[s.step] || n == steps[s.step] && by < s.step {
			s.step = by
		}
	}
	s.indentLists = indented*2 > lists
	s.flow = l.flowStyleOf(l.root)
	if d.json {
		s.flow.quoteKeys, s.flow.quoteAll = true, true
	} else if l.root.node.Style&yaml.FlowStyle == 0 {
		s.flow.quoteKeys, s.flow.quoteAll = false, false
	}
	if s.json {
		s.step = l.jsonStep(d)
	}
	return s
}

// jsonStep is the indentation of the first key of a JSON document, 0 when it is written on one line.
func (l *layout) jsonStep(d *Document) int {
	if len(l.root.children) == 0 {
		return 2
	}
	first := l.root.children[0].start
	if lines.Start(l.src, first) <= l.root.start {
		return 0
	}
	return lines.Column(l.src, first) - l.table.Indentation(l.root.start)
}
