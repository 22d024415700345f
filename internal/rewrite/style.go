package rewrite

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// study learns how the document is written, which takes a while and is of no use where nothing changes.
func (s *source) study() error {
	if s.studied {
		return s.studyErr
	}
	s.studied, s.blocks = true, map[*manifest.Origin]*block{}
	if !s.document.JSON {
		s.studyErr = s.divide()
	}
	s.style = s.findStyle()
	return s.studyErr
}

// findStyle reads the style off the source: what most places do.
func (s *source) findStyle() style {
	found := style{eol: s.eol(), json: s.document.JSON, flow: s.flowStyleOf(s.Root)}
	if found.json {
		found.step = s.jsonStep()
		found.flow.quoteKeys, found.flow.quoteAll = true, true
		return found
	}
	if s.Root.Node.Style&yaml.FlowStyle == 0 {
		found.flow.quoteKeys, found.flow.quoteAll = false, false
	}
	found.step, found.indentLists = s.indents()
	return found
}

// indents are the columns that most mappings below a key are indented by, and whether most lists are indented at all.
func (s *source) indents() (step int, indentLists bool) {
	steps := map[int]int{}
	lists, indented := 0, 0
	for o, b := range s.blocks {
		for _, e := range b.elements {
			if e.key == nil || s.blocks[e.value] == nil {
				continue
			}
			by := s.Column(e.value) - s.Column(o)
			if e.value.Node.Kind == yaml.MappingNode {
				steps[by]++
			} else if lists++; by > 0 {
				indented++
			}
		}
	}
	step, most := 2, 0
	for _, by := range slices.Sorted(maps.Keys(steps)) { // the smallest of those that are as frequent
		if steps[by] > most {
			step, most = by, steps[by]
		}
	}
	return step, indented*2 > lists
}

// jsonStep is the indentation of the first key of a JSON document, 0 when it is written on one line.
func (s *source) jsonStep() int {
	if len(s.Root.Children) == 0 {
		return 2
	}
	first := s.Root.Children[0].Start
	if lines.Start(s.Source, first) <= s.Root.Start {
		return 0
	}
	return lines.Column(s.Source, first) - s.Lines.Indentation(s.Root.Start)
}
