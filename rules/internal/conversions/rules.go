// Package conversions has the rules about what tests of a conversion found, one for each property that it has to keep to.
package conversions

import (
	"strings"

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
		"every conversion tried {between} fails{said}; {unnamed}fix the webhook, or try others with --samples"},
	{webhook.Contract, lint.Error, "responses that the API server rejects",
		"{way}{objects}: the API server rejects the response{said}{consequence}; correct the response"},
	{webhook.Failed, lint.Error, "objects that their schema accepts and that are not converted",
		"{way} fails{said}{objects}{consequence}; correct the conversion"},
	{webhook.Undeclared, lint.Error, "fields of converted objects that the schema of their version does not declare",
		"{way} writes {field}, which {to} does not declare, so server-side apply fails; do not write this field"},
	{webhook.MetadataLost, lint.Error, "labels and annotations that a conversion loses or changes",
		"{metadata way} {became}{counted}; copy it unchanged"},
	{webhook.DataLost, lint.Error, "stored fields that a read and a write at another version lose or change",
		"{round trip} {became}{counted}; {remedy}"},
	{webhook.StatusLost, lint.Error, "parts of the status that a read and a write at another version lose or change",
		"{round trip} {became}{counted}; {remedy}"},
	{webhook.Preserved, lint.Error, "unknown fields that both versions keep and a conversion loses or changes",
		"{round trip} {became}, though both versions keep unknown fields there{counted}; copy them"},
	{webhook.WriteLost, lint.Error, "fields that are written at a version and not read there afterwards",
		"what clients write at {from} is not kept: {round trip} {became}{counted}; {remedy}"},
	{webhook.EditLost, lint.Error, "changes that clients make at a version and that a conversion takes back",
		"{not kept}: {edited way} {became}; {edit remedy}"},
	{webhook.NotWritable, lint.Error, "objects that cannot be written as they are read at a version",
		"{way} makes an object that clients can read at {to}, but not write there ({why rejected}); correct the conversion"},
	{webhook.Invalid, lint.Error, "valid objects that are not valid any more when they are converted",
		"{way} makes a valid object invalid at {to} ({why rejected}); correct the conversion"},
	{webhook.NotDefaulted, lint.Info, "converted objects without defaults of their version",
		"{way} leaves {field} without its default, so reads at {to} do not show the field; set the default"},
	{webhook.NotStable, lint.Error, "objects that are converted differently each time",
		"{way} returns another object each time{in brackets}, so every write is a change; make the conversion deterministic"},
	{webhook.NoopWrites, lint.Info, "writes without a change that change what is stored",
		"{round trip} rewrites {field}{how}, so updates without a change get a new resourceVersion; keep the value"},
	{webhook.NotIdempotent, lint.Error, "objects that each round trip changes again, or makes longer",
		"{round trip} {does} again with every round trip{in brackets}; make the conversion back return the same object"},
	{webhook.Order, lint.Warning, "objects that are converted differently in a list than alone",
		"{way} converts an object in a list differently than alone{in brackets}{detail}; convert each object by itself"},
	{webhook.PathsDiffer, lint.Warning, "conversions that differ by way of the storage version",
		"{way} and the conversion by way of the storage version return different objects{in brackets}; make both return the same"},
	{webhook.Scale, lint.Error, "scale subresources that show something else at another version",
		"the scale subresource shows {was} at {from} and {is} at {to}{in brackets}; convert the field without changing its value"},
	{webhook.Partial, lint.Error, "incomplete objects that are not converted",
		"{way} fails{said} for an incomplete object{with}, such as server-side apply sends; convert it without the missing fields"},
	{webhook.Unvalidated, lint.Error, "invalid objects that stop the webhook",
		"{way} does not respond ({reason}) to an object that is not validated yet{with}; return an error instead"},
	{webhook.ReviewVersion, lint.Error, "versions of ConversionReview that the CRD lists and the webhook does not support",
		"the CRD lists ConversionReview {review}, which the webhook does not support ({why}); support it, or remove it from the list"},
	{webhook.SameVersion, lint.Info, "objects that are changed though they are at the desired version",
		"converting an object of {from} to {from} changes it{in brackets}; return it unchanged"},
	{webhook.Garbage, lint.Error, "requests without sense that stop the webhook",
		"{reason}; return an error instead"},
	{webhook.Concurrent, lint.Error, "objects that are converted differently while there are other requests",
		"{way} returns another {answer} for the same object in parallel requests{detail}, because the webhook shares state; remove that state"},
	{webhook.AnnotationSize, lint.Warning, "large objects that do not fit into annotations",
		"{way} fails for large objects ({reason}); store less in annotations"},
	{webhook.Slow, lint.Error, "responses that take too long",
		"{slow}{objects} ({reason}); make the webhook faster"},
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
	review, why, _ := strings.Cut(f.Detail, ": ")
	said := map[string]text.Text{
		"{from}": text.Value(f.Pair.From), "{to}": text.Value(f.Pair.To), "{way}": way(f), "{with}": with(f), "{objects}": objectsWith(f),
		"{between}": between(f), "{unnamed}": unnamed(p),
		"{round trip}": text.Sprintf("%s → %s", way(f), text.Value(f.Pair.From)), "{field}": FieldAt(f),
		"{how}": how(f), "{answer}": answer(f),
		"{in brackets}": when(len(f.Path) > 0, " (%s)", FieldAt(f)),
		"{was}":         words.ValueOf(f.Was), "{is}": words.ValueOf(f.Is), "{became}": Became(f),
		"{not kept}": notKept(f), "{edited way}": editedWay(f), "{remedy}": remedy(f), "{edit remedy}": editRemedy(f), "{does}": text.Sprintf("%s", does(f)),
		"{counted}": counted(f), "{metadata way}": metadataWay(f),
		"{consequence}": consequence(p, f), "{reason}": reason(f),
		"{detail}": when(f.Detail != "", " (%s)", reason(f)),
		"{said}":   when(f.Detail != "", ` with "%s"`, reason(f)), "{review}": text.Value(review), "{why}": text.Reason(why),
		"{why rejected}": whyRefused(f), "{slow}": ofPair(f, "the webhook is slow", "%s → %s takes too long"),
	}
	var args []any
	format := braces().ReplaceAllStringFunc(of.broken, func(name string) string {
		args = append(args, said[name])
		return "%s"
	})
	return text.Sprintf(format, args...)
}
