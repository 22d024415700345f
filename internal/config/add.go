package config

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// AddIgnore returns the text of a configuration with one more ignore, and otherwise as it was. It is an error if the text
// does not parse, or has something else in the place of ignores.
func AddIgnore(path string, src []byte, i lint.Ignore) ([]byte, error) {
	p := &printer{}
	p.ignores("", []lint.Ignore{i})
	added := p.Bytes()
	for _, d := range manifest.Parse(path, src).Documents {
		switch {
		case d.Err != nil:
			return nil, d.Err
		case d.Root != nil && !crd.IsNull(d.Root.YNode()):
			return addIgnore(d, src, added)
		}
	}
	return concat(src, added), nil
}

// addIgnore adds an ignore to a document that has something in it.
func addIgnore(d *manifest.Document, src, added []byte) ([]byte, error) {
	root := d.Root.YNode()
	if root.Kind != yaml.MappingNode {
		return nil, errors.New("the file is not a mapping")
	}
	list := crd.Get(root, "ignore")
	if list == nil && root.Style&yaml.FlowStyle == 0 {
		return concat(src, added), nil
	}
	more := manifest.Parse("", added).Documents[0].Root.YNode()
	d.Keep(crd.Clone(root))
	switch {
	case list == nil:
		root.Content = append(root.Content, more.Content...)
	case crd.IsNull(list):
		*list = *crd.Get(more, "ignore")
	case list.Kind != yaml.SequenceNode:
		return nil, errors.New("its ignore is not a list")
	default:
		list.Content = append(list.Content, crd.Get(more, "ignore").Content...)
	}
	made, err := rewrite.Of(d).Write(root)
	if err != nil {
		return nil, fmt.Errorf("it cannot be written: %w", err)
	}
	return rewrite.Apply(src, made.Edits), nil
}

// concat puts a text on the lines after another, with its line ends.
func concat(src, added []byte) []byte {
	eol := []byte(lines.Break(src))
	src = bytes.Clone(src)
	if len(src) > 0 && !bytes.HasSuffix(src, []byte("\n")) {
		src = append(src, eol...)
	}
	return append(src, bytes.ReplaceAll(added, []byte("\n"), eol)...)
}
