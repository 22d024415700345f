package crds

import (
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// writtenAt is the place below some steps; its Node is nil where nothing is written, or null.
func writtenAt(c *crd.CRD, steps ...string) crd.Place {
	if at, complete := c.Resolve(steps); complete && !crd.IsNull(at.Node) {
		return at
	}
	return crd.Place{}
}

// byPosition orders places as they stand in the file.
func byPosition(a, b crd.Place) int {
	if a.Node == nil || b.Node == nil {
		return 0
	}
	if a.Node.Line != b.Node.Line {
		return a.Node.Line - b.Node.Line
	}
	return a.Node.Column - b.Node.Column
}

// relatedKey is another key of the document that a finding speaks about.
func relatedKey(p *engine.Pass, key *yaml.Node, message string) lint.Related {
	line, column := p.Document().Begin(key)
	end := column + utf8.RuneCountInString(key.Value)
	return lint.Related{Pos: lint.Position{File: p.File().Path, Line: line, Column: column, EndLine: line, EndColumn: end}, Message: message}
}

// flagOfVersion is the place of a flag of a version, or of its name when the flag is not written.
func flagOfVersion(v crd.APIVersion, flag string) crd.Place {
	if k, _ := crd.Lookup(v.At.Node, flag); k != nil {
		return v.At.KeyOf(flag)
	}
	return v.At.At("name")
}
