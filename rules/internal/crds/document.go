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

var Document = []*engine.Rule{
	{
		ID:       "yaml-duplicate-key",
		Reading:  true,
		Summary:  "keys that a mapping has twice",
		Severity: lint.Error,
		Run:      duplicateKeys,
	},
	{
		ID:       "wrong-type",
		Reading:  true,
		Summary:  "values that the API server cannot decode",
		Severity: lint.Error,
		Excess:   true,
		Run:      wrongTypes,
	},
	unknownField,
	v1beta1FieldInV1,
	v1FieldInV1beta1,
	schemaWrapperMissing,
	deprecatedAPIVersion,
	{
		ID:       "api-version-unknown",
		Summary:  "API versions of CustomResourceDefinitions that never existed",
		Severity: lint.Error,
		Excess:   true,
		Run: func(p *engine.Pass) {
			if v := p.WrittenVersion(); v != crd.V1 && v != crd.V1beta1 {
				p.Reportf(p.CRD.APIVersion(), "%s", v.Unknown())
			}
		},
	},
	// an error where the API server rejects the manifest, and a warning where tools fail
	Check(lint.Error, "manifest-too-large", "CRDs that are larger than servers or kubectl accept", func(p *engine.Pass) {
		enforced(func(p *engine.Pass, r engine.Refusal) {
			p.Refuse(r.At, "all annotations together exceed the limit of 262144 bytes; shorten or remove some")
		})(p)
		reportSize(p)
	}),
	Check(lint.Error, "yaml-ambiguous-scalar", "plain words that YAML 1.1 reads as a boolean or a number", ambiguousScalars),
	manifestNotNormal,
	{ID: "duplicate-document", Summary: "CRDs that a file defines more than once", Severity: lint.Error, Across: duplicateDocuments},
}

// duplicateKeys reports every key but the first of those with the same name. Those of several manifests in one document are
// told by another rule.
func duplicateKeys(p *engine.Pass) {
	from := p.CRD.From
	if from == nil && hasPlainKeys(p) || from != nil && from.Also { // another one is told of what they are made of
		return
	}
	joined := len(crd.Joined(p.CRD.Node)) > 0
	EachRepeated(p.CRD.Root(), func(at crd.Place, name string, before *yaml.Node) {
		if joined && slices.Contains(p.CRD.Node.Content, at.Node) {
			return
		}
		first := relatedKey(p, before, "the first key of that name")
		f := p.Reportf(at, "the key %s is already at line %d, and API servers keep only the last; remove one", text.Quoted(name), first.Pos.Line)
		f.Related = []lint.Related{first}
	})
}

// hasPlainKeys reports whether the keys of a CRD are all what they seem to be, each there once.
func hasPlainKeys(p *engine.Pass) bool {
	d, err := p.CRD.Decode()
	return err == nil && d.PlainKeys
}

// EachRepeated visits every key of a mapping but the first of those with the same name, with the first.
func EachRepeated(root *yaml.Node, visit func(at crd.Place, name string, before *yaml.Node)) {
	for m := range crd.Walk(root) {
		if m.Node.Kind != yaml.MappingNode {
			continue
		}
		first := make(map[string]*yaml.Node, len(m.Node.Content)/2)
		for i := 0; i+1 < len(m.Node.Content); i += 2 {
			key := m.Node.Content[i]
			name, ok := yaml11.Key(key)
			if !ok || yaml11.IsMerge(key) {
				continue
			}
			if before := first[name]; before != nil {
				visit(crd.Place{Node: key, Path: crd.Member(m.Path(), name)}, name, before)
			} else {
				first[name] = key
			}
		}
	}
}

// wrongTypes reports what keeps the API server from decoding the manifest. Text that is not base64 is left to the rule
// of the only field that holds any.
func wrongTypes(p *engine.Pass) {
	if p.DecodeError() == nil || p.CRD.Version != crd.V1 && p.CRD.Version != crd.V1beta1 {
		return
	}
	wrong := p.WrongTypes()
	if len(wrong) == 0 {
		p.Refusef(crd.Place{Node: p.CRD.Node}, "the API server cannot read this: \"%s\"; correct it", text.Foreign(p.DecodeError().Error()))
	}
	for _, w := range wrong {
		if w.Want == crd.Base64 {
			continue
		}
		f := p.Refusef(w.Place, "%s", w.Message())
		if w.Belongs != "" {
			f.Fix = moving("move "+crd.LastField(w.Belongs)+" out of properties", []string{w.Place.Path}, []string{w.Belongs})
		}
	}
}

// Limits of what holds a CRD on its way, in bytes.
const (
	AnnotationLimit = 262144              // all annotations of an object together: TotalAnnotationSizeLimitB
	EtcdLimit       = 3 * 1024 * 1024 / 2 // one request to etcd, by default: --max-request-bytes
	RequestLimit    = 3 * 1024 * 1024     // one request to the API server: MaxRequestBodyBytes
	surelySmall     = AnnotationLimit / 2 // as YAML; no JSON of that is twice as long, unless aliases repeat parts of it
)

// reportSize reports a manifest that is too large for one of the limits, the highest that it exceeds.
func reportSize(p *engine.Pass) {
	text := p.Document().Text()
	if len(text) < surelySmall && bytes.IndexByte(text, '&') < 0 || len(p.Refusals()) > 0 {
		return
	}
	size, err := yaml11.JSONSize(p.CRD.Root())
	if err != nil || size <= AnnotationLimit {
		return
	}
	limit := "client-side kubectl apply fails above 262144; use --server-side"
	switch {
	case size > RequestLimit:
		limit = "the API server accepts at most 3 MiB; shorten descriptions or split the API"
	case size > EtcdLimit:
		limit = "etcd accepts at most 1.5 MiB by default; shorten descriptions"
	}
	name, _ := p.CRD.Resolve([]string{"metadata", "name"})
	described := 100 * descriptionBytes(p.CRD.Root()) / size
	f := p.Reportf(name, "the CRD has %d bytes as JSON, %d%% of them descriptions; %s", size, described, limit)
	if size <= RequestLimit {
		f.AtMost(lint.Warning)
	}
}

// descriptionBytes counts the bytes of what is called description, as often as aliases repeat it. The node has a JSON, so
// that it does not contain itself.
func descriptionBytes(n *yaml.Node) int {
	n = crd.Deref(n)
	sum := 0
	for i, c := range n.Content {
		if c = crd.Deref(c); n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Value == "description" && c.Kind == yaml.ScalarNode {
			sum += len(c.Value)
		}
		sum += descriptionBytes(c)
	}
	return sum
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
	for v := range crd.Walk(root) {
		if kind := Misread(v.Key); kind != "" {
			name, _ := yaml11.Key(v.Key)
			visit(crd.Place{Node: v.Key, Path: v.Path()}, kind, name)
		}
	}
}

func ambiguousKey(p *engine.Pass, at crd.Place, kind, name string) {
	word, parent := at.Node.Value, crd.Steps(at.Path)
	parent = parent[:len(parent)-1]
	f := p.Reportf(at, "YAML 1.1 reads the unquoted key %s as %s, so the field is named %s; quote the key", text.Quoted(word), kind, text.Quoted(name))
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
			f := p.Reportf(at, "YAML 1.1 reads the unquoted %s as %s, but the field is a string; quote it", text.Quoted(n.Value), kind)
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
