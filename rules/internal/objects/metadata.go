package objects

import (
	"slices"

	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// objectMetadata are about what an object has in common with all others, and with the subresources of its CRD.
var objectMetadata = []*objectpass.Rule{
	following([]string{"object-ambiguous-scalar"}, check(lint.Error, "object-metadata-invalid", "metadata that the API server refuses",
		explainObjectMetadata)),
	following([]string{"object-ambiguous-scalar"},
		refusal("object-embedded-resource", "embedded resources whose apiVersion, kind or metadata the API server refuses",
			func(p *objectpass.Pass, c *request.Cause) {
				p.ReportCausef(c, "%s %s", words.PathName(c.Path), headFault(c))
			})),
	following([]string{"object-type"}, refusal("object-scale", "values that the scale subresource cannot show",
		func(p *objectpass.Pass, c *request.Cause) {
			want := "an integer from 0 to 2147483647"
			if c.Keyword == "type" && c.Found == "string" || slices.Contains([]string{"minimum", "maximum"}, c.Keyword) {
				p.ReportCausef(c, "the scale subresource reads %s, which must be %s", words.PathName(c.Path), want)
				return
			}
			p.ReportCausef(c, "the scale subresource cannot read %s", words.PathName(c.Path))
		})),
	check(lint.Warning, "object-finalizer-name", "finalizers without a domain in their name", func(p *objectpass.Pass) {
		for _, w := range p.Outcome().Warnings {
			if w.Kind == request.Finalizer {
				p.Reportf(w.Path, "%s may be the name of another program's finalizer, too; put a domain in front, example.com/name", words.PathName(w.Path))
			}
		}
	}),
	check(lint.Warning, "object-version-deprecated", "objects of a version that is deprecated", func(p *objectpass.Pass) {
		for _, w := range p.Outcome().Warnings {
			if w.Kind == request.Deprecated {
				p.Reportf(request.Keys("apiVersion"), "the server warns: %s", text.Reason(w.Detail))
			}
		}
	}),
}

// explainObjectMetadata reports what is refused, and what is dropped: owner references that are there twice, and a namespace
// that the object cannot be in.
func explainObjectMetadata(p *objectpass.Pass) {
	refusing(func(p *objectpass.Pass, c *request.Cause) {
		if c.Path.String() == "metadata.name" && c.Missing {
			p.ReportCausef(c, "the object has no name: metadata.name or metadata.generateName is required")
			return
		}
		p.ReportCausef(c, "%s %s", words.PathName(c.Path), headFault(c))
	})(p)
	for _, w := range p.Outcome().Warnings {
		if w.Kind == request.OwnerAgain {
			p.Reportf(w.Path, "%s is there twice, and the second is dropped", words.PathName(w.Path)).AtMost(lint.Warning)
		}
	}
	if p.Object.Namespace != "" && !p.Definition().IsNamespaced() {
		p.Reportf(request.Keys("metadata", "namespace"), "%s objects are in no namespace; the server drops metadata.namespace", text.Value(p.Object.Kind)).
			AtMost(lint.Warning).Fix = removeMember(p, request.Keys("metadata", "namespace"))
	}
}

// headFault says what is wrong with a part of metadata, or with apiVersion and kind.
func headFault(c *request.Cause) text.Text {
	switch {
	case c.Missing:
		return text.Sprintf("is required")
	case c.Detail != "":
		return text.Sprintf("is not valid: %s", crds.MetadataFault(c.Detail))
	case c.Found != "":
		return text.Sprintf("cannot be %s", typeNamed(c.Found))
	}
	return text.Sprintf("is not valid")
}
