package objects

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// objectMetadata are about what an object has in common with all others, and with the subresources of its CRD.
var objectMetadata = []*engine.Rule{
	crds.Following([]string{"object-ambiguous-scalar"}, check(lint.Error, "object-metadata-invalid", "metadata that the API server rejects",
		explainObjectMetadata)),
	crds.Following([]string{"object-ambiguous-scalar"},
		refusal("object-embedded-resource", "embedded resources whose apiVersion, kind or metadata the API server rejects",
			func(p *objectpass.Pass, c *request.Cause) {
				p.ReportCausef(c, "%s %s", words.PathName(c.Path), HeadFault(c))
			})),
	crds.Following([]string{"object-type"}, refusal("object-scale", "values that the scale subresource cannot show",
		func(p *objectpass.Pass, c *request.Cause) {
			want := "an integer from 0 to 2147483647"
			if c.Keyword == "type" && c.Found == "string" || slices.Contains([]string{"minimum", "maximum"}, c.Keyword) {
				p.ReportCausef(c, "the scale subresource reads %s, which must be %s", words.PathName(c.Path), want)
				return
			}
			p.ReportCausef(c, "the scale subresource cannot read %s; write a number there", words.PathName(c.Path))
		})),
	check(lint.Warning, "object-finalizer-name", "finalizers without a domain in their name", func(p *objectpass.Pass) {
		for _, w := range p.Outcome().Warnings {
			if w.Kind == request.Finalizer {
				p.Reportf(w.Path, "%s has no domain, so another program may use the same name; put one in front, as in example.com/name", words.PathName(w.Path))
			}
		}
	}),
	check(lint.Warning, "object-version-deprecated", "objects of a version that is deprecated", func(p *objectpass.Pass) {
		for _, w := range p.Outcome().Warnings {
			if w.Kind == request.Deprecated {
				p.Reportf(request.Keys("apiVersion"), "the API server warns of this version (%s); write a version that is not deprecated", text.Quoted(w.Detail))
			}
		}
	}),
}

// explainObjectMetadata reports what is rejected, and what is dropped: owner references that are there twice, and a namespace
// that the object cannot be in.
func explainObjectMetadata(p *objectpass.Pass) {
	refusing(func(p *objectpass.Pass, c *request.Cause) {
		if c.Path.String() == "metadata.name" && c.Missing {
			p.ReportCausef(c, "the object has no name: metadata.name or metadata.generateName is required")
			return
		}
		p.ReportCausef(c, "%s %s", words.PathName(c.Path), HeadFault(c))
	})(p)
	for _, w := range p.Outcome().Warnings {
		if w.Kind == request.OwnerAgain {
			p.Reportf(w.Path, "%s is listed twice, and the second is dropped; remove one", words.PathName(w.Path)).AtMost(lint.Warning)
		}
	}
	if p.Object.Namespace != "" && !p.Definition().IsNamespaced() {
		p.Reportf(request.Keys("metadata", "namespace"), "%s objects are in no namespace, and the API server drops metadata.namespace; remove it", text.Value(p.Object.Kind)).
			AtMost(lint.Warning).Fix = removeMember(p, request.Keys("metadata", "namespace"))
	}
}

// HeadFault says what is wrong with a part of metadata, or with apiVersion and kind.
func HeadFault(c *request.Cause) text.Text {
	switch {
	case c.Missing:
		return text.Sprintf("is required")
	case c.Detail != "":
		return text.Sprintf("is not valid: %s", crds.MetadataFault(c.Detail))
	case c.Found != "":
		return text.Sprintf("cannot be %s", words.TypeNamed(c.Found))
	}
	return text.Sprintf("is not valid")
}

// objectText are about how objects are written.
var objectText = []*engine.Rule{
	check(lint.Warning, "object-duplicate-key", "keys that a mapping has twice", func(p *objectpass.Pass) {
		crds.EachRepeated(p.Object.Node, func(at crd.Place, name string, before *yaml.Node) {
			first := p.PositionOf(before)
			p.ReportNodef(at, "the key %s is already at line %d; kubectl sends the last and drops the others; remove one", text.Quoted(name), first.Line).
				Relate(first, "the first key of that name")
		})
	}),
	check(lint.Error, "object-ambiguous-scalar", "plain words that YAML 1.1 reads as a boolean or a number", ambiguousInObject),
}

// ambiguousInObject looks at keys everywhere, and at values that have to be strings.
func ambiguousInObject(p *objectpass.Pass) {
	if crds.InJSON(p.Document()) {
		return
	}
	crds.EachMisreadKey(p.Object.Node, func(at crd.Place, kind, name string) {
		p.ReportNodef(at, "YAML 1.1 reads the unquoted key %s as %s, so the field is named %s; quote the key", text.Quoted(at.Node.Value), kind, text.Quoted(name))
	})
	eachScalar(p.Object.Node, make(request.Path, 0, 16), func(n *yaml.Node, at request.Path) {
		if kind := crds.Misread(n); kind != "" && isStringAt(p, at) {
			p.Reportf(at, "YAML 1.1 reads the unquoted word as %s, but %s is a string; quote it", kind, words.PathName(at))
		}
	})
}

// eachScalar visits the scalars in a value that are written there. A path is only good until the next one.
func eachScalar(n *yaml.Node, at request.Path, visit func(*yaml.Node, request.Path)) {
	switch n.Kind {
	case yaml.ScalarNode:
		visit(n, at)
	case yaml.SequenceNode:
		for i, item := range n.Content {
			eachScalar(item, append(at, request.Index(i)), visit)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if name, ok := yaml11.Key(n.Content[i]); ok && !yaml11.IsMerge(n.Content[i]) {
				eachScalar(n.Content[i+1], append(at, request.Key(name)), visit)
			}
		}
	}
}

// isStringAt reports whether the value at a path has to be a string.
func isStringAt(p *objectpass.Pass, at request.Path) bool {
	if at[0].Key == "metadata" {
		return len(at) == 2 || len(at) == 3 && (at[1].Key == "labels" || at[1].Key == "annotations")
	}
	s, rest := p.Schema(at)
	return s != nil && len(rest) == 0 && s.Type() == "string"
}

// objectSizes are about how large objects may be.
var objectSizes = []*engine.Rule{
	check(lint.Error, "object-too-large", "objects that are larger than the API server or etcd accepts", func(p *objectpass.Pass) {
		switch limit := cmp.Or(p.MaxSize(), crds.RequestLimit); {
		case p.Size() > limit:
			p.Reportf(nil, "the object has %d bytes as JSON, and the API server accepts %d; split it", p.Size(), limit)
		case p.Size() > crds.EtcdLimit:
			p.Reportf(nil, "the object has %d bytes as JSON, and etcd accepts 1.5 MiB by default; split it", p.Size())
		}
	}),
	crds.Following([]string{"object-too-large"},
		check(lint.Warning, "object-annotations-large", "objects that client-side kubectl apply cannot record in an annotation",
			func(p *objectpass.Pass) {
				if p.Size() > crds.AnnotationLimit {
					p.Reportf(nil, "the object has %d bytes as JSON; client-side kubectl apply fails above %d; use --server-side", p.Size(), crds.AnnotationLimit)
				}
			})),
}
