package layout

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/yaml11"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Value is a node as API servers decode it: what encoding/json makes of any, with whole numbers as int64. The error is
// that of yaml11.ToJSON.
func Value(n *yaml.Node) (value any, err error) {
	raw, err := yaml11.ToJSON(n)
	if err != nil {
		return nil, err
	}
	err = kjson.UnmarshalCaseSensitivePreserveInts(raw, &value)
	return value, err
}

// Write returns the edits of a document after which its Value is another one. Entries that both have keep their text and
// their order; those that are new follow the alphabet where the others do. Where a change is inside of an alias or of
// merged entries, all aliases of the document give way to copies. The errors are those of rewrite.Writer, or say that the
// document does not decode.
func Write(d *manifest.Document, value any) (*rewrite.Result, error) {
	root, err := shaped(d.Root.YNode(), value)
	if err != nil {
		return nil, err
	}
	return rewrite.Of(d).Write(root)
}

// Same reports whether two values are the same in JSON, which knows one number where Go has 1 and 1.0.
func Same(a, b any) bool {
	left, errLeft := json.Marshal(a)
	right, errRight := json.Marshal(b)
	return errLeft == nil && errRight == nil && bytes.Equal(left, right)
}

var errUnshaped = errors.New("the document cannot be written as the object that it becomes")

func shaped(root *yaml.Node, value any) (*yaml.Node, error) {
	for _, expand := range []bool{false, true} {
		to := crd.Clone(root)
		if expand {
			if !Expandable(to) {
				break
			}
			ExpandAliases(to)
		}
		shape(to, value)
		now, err := Value(to)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", root.Line, err)
		}
		if Same(now, value) && Dangling(to, nil) == "" {
			return to, nil
		}
	}
	return nil, errUnshaped
}
