// Package conversions has the rules about what tests of a conversion found, one for each property that it has to keep to.
package conversions

import (
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// Rules are about what a test of the conversion between versions found: a rule for each property that it has to keep to.
var Rules = aboutConversions([]property{
	{webhook.PairMissing, lint.Error, "versions between which no object is converted",
		"no object is converted {between} (of those tried; add some with --samples{unnamed}): {reason}"},
	{webhook.Contract, lint.Error, "responses that the API server rejects",
		"{way}{with}: the API server rejects the response{consequence}; fix it: {reason}"},
	{webhook.Failed, lint.Error, "objects that their schema accepts and that are not converted",
		"{way} fails{with}{consequence}; convert such objects: {reason}"},
	{webhook.Undeclared, lint.Error, "fields of converted objects that the schema of their version does not declare",
		"{way} writes {field}, which {to} does not declare, so that server-side apply fails; remove it"},
	{webhook.MetadataLost, lint.Error, "labels and annotations that a conversion loses or changes",
		"{metadata way} {became}{counted}; copy it unchanged"},
	{webhook.DataLost, lint.Error, "stored fields that a read and a write at another version lose or change",
		"{round trip} {became}{counted}"},
	{webhook.StatusLost, lint.Error, "parts of the status that a read and a write at another version lose or change",
		"{round trip} {became}{counted}"},
	{webhook.Preserved, lint.Error, "unknown fields that both versions keep and a conversion loses or changes",
		"{round trip} {became}, though both versions keep unknown fields there{counted}; copy them"},
	{webhook.WriteLost, lint.Error, "fields that are written at a version and not read there afterwards",
		"what a client writes at {from} is not read there: {round trip} {became}{counted}; keep it"},
	{webhook.EditLost, lint.Error, "changes that clients make at a version and that a conversion takes back",
		"{not kept}: {edited way} {became}; convert the change"},
	{webhook.NotWritable, lint.Error, "objects that cannot be written as they are read at a version",
		"{way} makes an object that clients can read at {to}, but not write there; make it valid: {why rejected}"},
	{webhook.Invalid, lint.Error, "valid objects that are not valid any more when they are converted",
		"{way} makes a valid object invalid at {to}; correct it: {why rejected}"},
	{webhook.NotDefaulted, lint.Info, "converted objects without defaults of their version",
		"{way} leaves {field} without its default, so that reads at {to} do not show it; set it"},
	{webhook.NotStable, lint.Error, "objects that are converted differently each time",
		"{way} returns another object each time{in brackets}, so that every write is a change; make it deterministic"},
	{webhook.NoopWrites, lint.Info, "writes without a change that change what is stored",
		"converting {round trip} rewrites {field}{how}: updates without a change get a new resourceVersion; return it as it came"},
	{webhook.NotIdempotent, lint.Error, "objects that each round trip changes again, or makes longer",
		"{round trip} {does} each time{in brackets}; make it return what it got"},
	{webhook.Order, lint.Warning, "objects that are converted differently in a list than alone",
		"{way} converts an object in a list differently than alone{in brackets}{detail}; convert each by itself"},
	{webhook.PathsDiffer, lint.Warning, "conversions that differ by way of the storage version",
		"{way} returns another object than by way of the storage version{in brackets}; make both the same"},
	{webhook.Scale, lint.Error, "scale subresources that show something else at another version",
		"the scale subresource shows {was} at {from} and {is} at {to}{in brackets}; keep the value"},
	{webhook.Partial, lint.Error, "incomplete objects that are not converted",
		"{way} fails for an incomplete object{with}, as server-side apply sends it; accept it: {reason}"},
	{webhook.Unvalidated, lint.Error, "invalid objects that stop the webhook",
		"{way} does not respond for an object that is not validated yet{with}; return an error instead: {reason}"},
	{webhook.ReviewVersion, lint.Error, "versions of ConversionReview that the CRD lists and the webhook does not support",
		"the webhook does not respond to a ConversionReview version that the CRD lists; remove the version, or support it: {reason}"},
	{webhook.SameVersion, lint.Info, "objects that are changed though they are at the desired version",
		"converting an object of {from} to {from} changes it{in brackets}; return it unchanged"},
	{webhook.Garbage, lint.Error, "requests without sense that stop the webhook",
		"requests without sense: {reason}; return an error instead"},
	{webhook.Concurrent, lint.Error, "objects that are converted differently while there are other requests",
		"{way}: parallel requests get another {answer} for the same object: the webhook shares state between requests; remove it{detail}"},
	{webhook.AnnotationSize, lint.Warning, "large objects that do not fit into annotations",
		"{way} fails for large objects; store less in annotations: {reason}"},
	{webhook.Slow, lint.Error, "responses that take too long",
		"{slow}; make it faster: {reason}"},
})

// A property is one that a conversion has to keep to, and what to say where it does not. Names in braces stand for words about what
// was found.
type property struct {
	webhook.Property
	severity        lint.Severity
	summary, broken string
}

// aboutConversions are rules that look at what a test found.
func aboutConversions(properties []property) []*engine.Rule {
	return crds.Mapped(properties, func(of property) *engine.Rule {
		return &engine.Rule{ID: of.ID(), Summary: of.summary, Severity: of.severity, Conversion: true, Run: of.report}
	})
}

var braces = text.Pattern(`{[a-z ]+}`)

func (of property) message(p *engine.Pass, f *webhook.Finding) text.Text {
	said := map[string]text.Text{
		"{from}": text.Value(f.Pair.From), "{to}": text.Value(f.Pair.To), "{way}": way(f), "{with}": with(f),
		"{between}": between(f), "{unnamed}": unnamed(p),
		"{round trip}": text.Sprintf("%s → %s", way(f), text.Value(f.Pair.From)), "{field}": FieldAt(f),
		"{how}": how(f), "{answer}": answer(f),
		"{in brackets}": when(len(f.Path) > 0, " (%s)", FieldAt(f)),
		"{was}":         words.ValueOf(f.Was), "{is}": words.ValueOf(f.Is), "{became}": Became(f),
		"{not kept}": notKept(f), "{edited way}": editedWay(f), "{does}": text.Sprintf("%s", does(f)),
		"{counted}": counted(f), "{metadata way}": metadataWay(f),
		"{consequence}": consequence(p, f), "{reason}": text.Reason(f.Detail), "{detail}": when(f.Detail != "", ": %s", text.Reason(f.Detail)),
		"{why rejected}": whyRefused(f), "{slow}": ofPair(f, "the webhook is slow", "%s → %s takes too long"),
	}
	var args []any
	format := braces().ReplaceAllStringFunc(of.broken, func(name string) string {
		args = append(args, said[name])
		return "%s"
	})
	return text.Sprintf(format, args...)
}
