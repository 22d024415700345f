package compare_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
)

// A conversion is a CRD of testdata/convert, and its result under the exact policy.
type conversion struct {
	name          string
	before, after *crd.CRD
	output        []byte // the whole file
	nth           int    // of the CRDs in it
}

// exactConversions are those of testdata/convert that are to change nothing.
func exactConversions(t *testing.T) []conversion {
	t.Helper()
	inputs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "convert", "*", "input.*"))
	if err != nil {
		t.Fatal(err)
	}
	var all []conversion
	for _, input := range inputs {
		dir := filepath.Dir(input)
		output := filepath.Join(dir, "exact"+filepath.Ext(input))
		src, out := readFixture(t, input), readFixture(t, output)
		var options policy.Options
		if text := readFixture(t, filepath.Join(dir, "options.json")); text != nil {
			if err := json.Unmarshal(text, &options); err != nil {
				t.Fatalf("%s: %v", dir, err)
			}
		}
		if out == nil || options.OnLoss == policy.DropLoss || options.UnknownFields == policy.Root || options.MissingTypes == policy.Infer {
			continue
		}
		before, after := crd.Parse(src), crd.Parse(out)
		if len(before) != len(after) {
			t.Fatalf("%s: %d CRDs became %d", dir, len(before), len(after))
		}
		for i := range before {
			all = append(all, conversion{filepath.Base(dir), before[i], after[i], out, i})
		}
	}
	return all
}

// readFixture reads a file; nil if there is none.
func readFixture(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return text
}

// TestExactConversionIsNoChange wants that a CRD accepts and keeps the same after an exact conversion, in either direction.
func TestExactConversionIsNoChange(t *testing.T) {
	t.Parallel()
	compared, unchanged := 0, 0
	for _, conversion := range exactConversions(t) {
		if conversion.name == "v07-untyped-while-pruning" {
			continue // a server accepts the input only with the parts that the conversion adds
		}
		all, err := compare.CRDs(conversion.before, conversion.after)
		if err != nil {
			t.Errorf("%s: %v", conversion.name, err)
			continue
		}
		compared++
		if len(all.Changes) == 0 {
			unchanged++
		}
		for _, c := range all.Changes {
			if c.Effect != compare.Neutral || c.Loses {
				t.Errorf("%s: %s", conversion.name, describe(c))
			}
		}
	}
	t.Logf("%d conversions, %d without any change", compared, unchanged)
	if compared < 140 || unchanged < 130 {
		t.Errorf("%d conversions were compared, %d of them without any change: want at least 140 and 130", compared, unchanged)
	}
}

// TestEveryMarkCounts removes one mark after the other from exact conversions, and expects each loss to be reported.
func TestEveryMarkCounts(t *testing.T) {
	t.Parallel()
	taken := 0
	for _, conversion := range exactConversions(t) {
		decoded, err := conversion.before.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if keeps := decoded.Hub.Spec.PreserveUnknownFields; keeps == nil || !*keeps || conversion.after.Version != crd.V1 {
			continue
		}
		for nth := 0; ; nth++ {
			after := crd.Parse(conversion.output)[conversion.nth]
			line := takeMark(after.Node, nth)
			if line == 0 {
				break
			}
			taken++
			all, err := compare.CRDs(conversion.before, after)
			if err != nil {
				t.Fatal(err)
			}
			var lost []string
			for _, c := range all.Changes {
				if c.Loses {
					lost = append(lost, describe(c))
				}
			}
			if conversion.name == "h14-root" && line == 19 {
				continue // the mark of a field that was not declared
			}
			if len(lost) != 1 {
				t.Errorf("%s without the mark in line %d: %q, want one loss", conversion.name, line, lost)
			}
		}
	}
	t.Logf("%d marks", taken)
	if taken < 120 {
		t.Errorf("only %d marks were taken away", taken)
	}
}

// takeMark removes the nth mark from a tree, and returns its line; 0 if there are fewer marks.
func takeMark(root *yaml.Node, nth int) (line int) {
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
			if n.Content[i].Value != "x-kubernetes-preserve-unknown-fields" {
				continue
			}
			if nth == 0 {
				line = n.Content[i].Line
				n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
			}
			nth--
			break
		}
		for _, child := range n.Content {
			visit(child)
		}
	}
	visit(root)
	return line
}
