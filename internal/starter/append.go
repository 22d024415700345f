package starter

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/suite"
)

// Text is the file of a new suite, which says where its CRD is, "" where nothing has to, and how much it leaves out.
func (s *Start) Text(where string) []byte {
	s.Suite.CRD = where
	text := s.Suite.YAML()
	if s.Left > 0 {
		text = fmt.Appendf(text, "# %d more constraints have no case, to keep the suite short; --all-constraints writes cases for all.\n", s.Left)
	}
	return text
}

// Append adds cases for what the cases of a suite, which is a file, do not test of a CRD. The rest of the text stays as it is.
func Append(d *objects.Definition, path string, text []byte, which Which) (s *Start, changed []byte, err error) {
	document := manifest.Parse(path, text).Documents[0]
	if document.Err != nil {
		return nil, nil, document.Err
	}
	of := suite.Read(document)
	if of == nil || len(of.Wrong) > 0 || len(of.Cases) == 0 {
		return nil, nil, errors.New("the suite cannot be run; 'crdlift test' says why")
	}
	known := run(d, of)
	base := of.Cases[0].Base
	if known[0].Failures != nil && known[0].Definition == nil {
		return nil, nil, errors.New("it tests another CRD; write the cases into another file")
	}
	s, why := New(d, known[0].Version, Options{Which: which, Known: known, Base: base, Lines: bytes.Count(text, []byte("\n"))})
	if why != "" {
		return nil, nil, errors.New(why)
	}
	if len(s.Suite.Cases) == 0 {
		return s, text, nil
	}
	for _, c := range s.Suite.Cases {
		switch {
		case base != nil && suite.Equal(c.Base, base):
		case c.Old != nil:
			c.Old.Object = c.Base
		default:
			c.Change.Object = c.Base
		}
	}
	cases := crd.Get(of.Node, "cases")
	_, end, ok := document.Span(cases)
	if !ok || cases.Style&yaml.FlowStyle != 0 || cases.Kind != yaml.SequenceNode {
		return nil, nil, errors.New("its cases are not a list in lines; begin each case with a dash on a line of its own")
	}
	if next := bytes.IndexByte(text[end:], '\n'); next >= 0 {
		end += next + 1
	} else {
		end = len(text)
	}
	var added strings.Builder
	if end > 0 && text[end-1] != '\n' {
		added.WriteString("\n")
	}
	indent := strings.Repeat(" ", cases.Column-1)
	for line := range strings.Lines(string(suite.CasesYAML(s.Suite.Cases))) {
		added.WriteString(indent + line)
	}
	return s, bytes.Join([][]byte{text[:end], []byte(added.String()), text[end:]}, nil), nil
}
