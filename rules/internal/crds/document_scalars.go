package crds

import (
	"bytes"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var scalarRules = []*engine.Rule{
	Check(lint.Error, "yaml-ambiguous-scalar", "plain words that YAML 1.1 takes for a boolean or a number", ambiguousScalars),
}

// ambiguousScalars looks at keys everywhere, and at the values of schemas that are not for a boolean or a number. Other
// values are of the type that their field has: what does not fit is wrong-type.
func ambiguousScalars(p *engine.Pass) {
	if InJSON(p.Document()) {
		return
	}
	if !hasPlainKeys(p) {
		EachMisreadKey(p.CRD.Node, func(at crd.Place, kind, name string) { ambiguousKey(p, at, kind, name) })
	}
	for s := range p.CRD.Schemas() {
		ambiguousValues(p, s)
	}
}

// InJSON reports whether a document is written in JSON, which has no plain words.
func InJSON(d *manifest.Document) bool {
	return bytes.HasPrefix(bytes.TrimLeft(d.Text(), " \t\r\n\ufeff"), []byte("{"))
}

// EachMisreadKey visits the plain keys that YAML 1.1 takes for a boolean or a number, which kind says, with the name that
// they give their entry.
func EachMisreadKey(root *yaml.Node, visit func(at crd.Place, kind, name string)) {
	eachMapping(root, func() string { return "" }, func(m *yaml.Node, path func() string) {
		for i := 0; i+1 < len(m.Content); i += 2 {
			key := m.Content[i]
			if kind := Misread(key); kind != "" {
				name, _ := yaml11.Key(key)
				visit(crd.Place{Node: key, Path: crd.Member(path(), name)}, kind, name)
			}
		}
	})
}

func ambiguousKey(p *engine.Pass, at crd.Place, kind, name string) {
	word, parent := at.Node.Value, crd.Steps(at.Path)
	parent = parent[:len(parent)-1]
	f := p.Reportf(at, "YAML 1.1 reads the plain key %s as %s, and names the field %s; quote it", word, kind, text.Quoted(name))
	f.Fix = &engine.Fix{Title: "quote " + word, Reveals: true, Apply: func(c *crd.CRD) bool {
		m, complete := c.Resolve(parent)
		k, _ := crd.Lookup(m.Node, name)
		return complete && k != nil && k.Value == word && quoteScalar(k)
	}}
}

// ambiguousValues looks at the values that a schema names.
func ambiguousValues(p *engine.Pass, s *crd.Schema) {
	if s.Type() != "string" || !isMisread(s.Get("default")) && !slices.ContainsFunc(crd.Items(s.Get("enum")), isMisread) {
		return
	}
	report := func(at crd.Place) {
		n := crd.Deref(at.Node)
		if kind := Misread(n); kind != "" {
			f := p.Reportf(at, "YAML 1.1 reads plain %s as %s, but the field is a string; quote it", n.Value, kind)
			f.Fix = &engine.Fix{Title: "quote " + n.Value, Reveals: true, Apply: func(c *crd.CRD) bool {
				own, complete := c.Resolve(crd.Steps(at.Path))
				return complete && Misread(own.Node) != "" && quoteScalar(own.Node)
			}}
		}
	}
	report(s.At("default"))
	for _, at := range s.At("enum").Items() {
		report(at)
	}
}

// quoteScalar gives a plain scalar quotes.
func quoteScalar(n *yaml.Node) bool {
	n.Style, n.Tag = yaml.DoubleQuotedStyle, yaml.NodeTagString
	return true
}

// Misread says what YAML 1.1 takes a plain scalar for that is a string, or another number, in YAML 1.2: "a boolean" or
// "a number"; "" when both agree. `true`, 8 and 1.5 mean the same in both.
func Misread(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode || n.Style&^yaml.FlowStyle != 0 {
		return "" // quoted, a block, or with a tag
	}
	if n.Value == "" || strings.IndexByte("yYnNoO+-.0123456789", n.Value[0]) < 0 {
		return "" // most words, which this spares the look into YAML's tables
	}
	word := strings.ToLower(strings.TrimLeft(n.Value, "+-"))
	switch kind, _ := yaml11.Resolve(n); kind {
	case yaml11.Bool:
		if !slices.Contains([]string{"true", "false"}, word) {
			return "a boolean"
		}
	case yaml11.Int, yaml11.Float:
		octal := len(word) > 1 && word[0] == '0' && strings.Trim(word, "01234567") == ""
		if octal || strings.Contains(word, "_") || strings.HasPrefix(word, "0b") {
			return "a number"
		}
	}
	return ""
}

func isMisread(n *yaml.Node) bool { return Misread(crd.Deref(n)) != "" }
