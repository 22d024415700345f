package lsp

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/rules"
)

// v1 and v1beta1 are the API versions of CRDs as manifests have them. Nothing is offered for the way back: no server that is
// maintained serves v1beta1.
const (
	v1      = "apiextensions.k8s.io/v1"
	v1beta1 = "apiextensions.k8s.io/v1beta1"
)

// A conversion is what became of a document that was converted.
type conversion struct {
	change *documentChange // nil where there is none
	notes  []string        // which CRDs are left alone, and what is different for the custom resources of others
	why    string          // a person is needed; "" where none is
}

// conversionAction is the action that converts the document at a position; nil for one that is none of v1beta1.
func (s *server) conversionAction(snap *snapshot, at protocol.Position) *protocol.CodeAction {
	part, what := convertible(snap, at)
	if !bytes.Contains(snap.text[part.Start:part.End], []byte(v1beta1)) {
		return nil
	}
	done := s.convert(snap, at)
	kind := kindConvert
	action := &protocol.CodeAction{Title: "Convert this " + what + " to " + v1, Kind: &kind}
	switch {
	case done.change == nil && (done.why == "" || !s.capabilities.disabled):
		return nil
	case done.change == nil:
		action.Disabled.Reason = done.why
		return action
	case !s.capabilities.changeAnnotations && len(done.notes) > 0:
		action.Command = protocol.Command{Title: "Show what is different", Command: commandNotes, Arguments: []protocol.LSPAny{encode(done.notes)}}
	}
	action.Edit = s.workspaceEdit(done.change)
	return action
}

// convertible is the part of a text that is converted: the document at a position, or a template as a whole.
func convertible(snap *snapshot, at protocol.Position) (part *manifest.Document, what string) {
	whole := &manifest.Document{Start: 0, End: len(snap.text)}
	if template.Recognise(snap.path, snap.text) != template.None {
		return whole, "template"
	}
	offset, _ := snap.positionOffset(at)
	for _, d := range manifest.Split(snap.path, snap.text).Documents {
		if d.Start <= offset && offset <= d.End {
			whole = d
		}
	}
	return whole, "document"
}

// convert converts the document at a position.
func (s *server) convert(snap *snapshot, at protocol.Position) conversion {
	p := s.project(snap.uri)
	part, _ := convertible(snap, at)
	options := p.config.Convert
	options.To = policy.V1
	src := snap.text[part.Start:part.End]
	result, err := convert.Explained(snap.path, src, options, rules.Explainer())
	if result == nil || err != nil && len(result.CRDs) == 0 {
		return conversion{why: fmt.Sprintf("the document does not parse: %v", err)}
	}
	var done conversion
	var left []string // of the document's CRDs
	for _, c := range append(result.CRDs, result.Meant...) {
		for _, n := range c.Notes {
			switch said := p.shorten(cmp.Or(n.Brief, n.Message)); n.Class {
			case policy.Report:
				done.why = cmp.Or(done.why, said)
				left = append(left, c.Name+" stays as it is: "+said)
			case policy.Changes:
				done.notes = append(done.notes, c.Name+": "+said)
			}
		}
	}
	if bytes.Equal(result.Output, src) {
		return done
	}
	done.notes = append(left, done.notes...)
	done.change = changeTo(snap, part.Start, part.End, result.Output)
	done.change.label = "Convert to " + v1
	done.change.description = strings.Join(done.notes, "\n")
	if len(done.notes) == 0 {
		done.change.description = "The API server treats custom resources as before."
	}
	return done
}
