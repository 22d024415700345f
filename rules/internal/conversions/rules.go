// Package conversions has the rules about what tests of a conversion found, one for each property that it has to keep to.
package conversions

import (
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// Rules are about what a test of the conversion between versions found: a rule for each property that it has to keep to.
var Rules = aboutConversions([]*engine.Rule{
	{
		ID:       "webhook-pair-missing",
		Summary:  "versions that cannot be converted to each other at all",
		Severity: lint.Error,
		Run: tested(webhook.PairMissing, func(p *engine.Pass, f *webhook.Finding) text.Text {
			between := text.Sprintf("from %s to %s", text.Value(f.Pair.From), text.Value(f.Pair.To))
			if f.Pair == (webhook.Pair{}) {
				between = text.Sprintf("from any version to another")
			}
			return text.Sprintf("no object is converted %s (of those tried; see --samples): %s", between, text.Reason(f.Detail))
		}),
	},
	{
		ID:       "webhook-contract",
		Summary:  "answers that the API server refuses",
		Severity: lint.Error,
		Run: tested(webhook.Contract, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s%s: the API server refuses the answer%s: %s", way(f), with(f), consequence(p, f), text.Reason(f.Detail))
		}),
	},
	{
		ID:       "webhook-failed",
		Summary:  "objects that their schema accepts and that are not converted",
		Severity: lint.Error,
		Run: tested(webhook.Failed, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s fails%s%s: %s", way(f), with(f), consequence(p, f), text.Reason(f.Detail))
		}),
	},
	{
		ID:       "webhook-undeclared",
		Summary:  "fields of converted objects that the schema of their version does not declare",
		Severity: lint.Error,
		Run: tested(webhook.Undeclared, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s makes %s, which %s does not declare: server-side apply fails with it", way(f), FieldAt(f), text.Value(f.Pair.To))
		}),
	},
	{
		ID:       "webhook-metadata-lost",
		Summary:  "labels and annotations that a conversion loses or changes",
		Severity: lint.Error,
		Run: tested(webhook.MetadataLost, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s %s%s", way(f), Became(f), counted(f))
		}),
	},
	{
		ID:       "webhook-data-lost",
		Summary:  "stored fields that a read and a write at another version lose or change",
		Severity: lint.Error,
		Run: tested(webhook.DataLost, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s %s%s", roundTrip(f), Became(f), counted(f))
		}),
	},
	{
		ID:       "webhook-status-lost",
		Summary:  "parts of the status that a read and a write at another version lose or change",
		Severity: lint.Error,
		Run: tested(webhook.StatusLost, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s %s%s", roundTrip(f), Became(f), counted(f))
		}),
	},
	{
		ID:       "webhook-preserved",
		Summary:  "unknown fields that both versions keep and a conversion loses or changes",
		Severity: lint.Error,
		Run: tested(webhook.Preserved, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s %s, though both versions keep unknown fields there%s", roundTrip(f), Became(f), counted(f))
		}),
	},
	{
		ID:       "webhook-write-lost",
		Summary:  "fields that are written at a version and not read there afterwards",
		Severity: lint.Error,
		Run: tested(webhook.WriteLost, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("what is written at %s is not read there: %s %s%s", text.Value(f.Pair.From), roundTrip(f), Became(f), counted(f))
		}),
	},
	{
		ID:       "webhook-edit-lost",
		Summary:  "changes that clients make at a version and that a conversion takes back",
		Severity: lint.Error,
		Run: tested(webhook.EditLost, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("a change%s at %s is not kept: %s → %s %s", ofEdit(f), text.Value(f.Pair.To), text.Value(f.Pair.To), way(f), Became(f))
		}),
	},
	{
		ID:       "webhook-not-writable",
		Summary:  "objects that cannot be written as they are read at a version",
		Severity: lint.Error,
		Run: tested(webhook.NotWritable, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s makes an object that clients can read at %s, but not write there: %s", way(f), text.Value(f.Pair.To), whyRefused(f))
		}),
	},
	{
		ID:       "webhook-invalid",
		Summary:  "valid objects that are not valid any more when they are converted",
		Severity: lint.Warning,
		Run: tested(webhook.Invalid, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s makes an object of a valid one that %s refuses: %s", way(f), text.Value(f.Pair.To), whyRefused(f))
		}),
	},
	{
		ID:       "webhook-not-defaulted",
		Summary:  "converted objects without defaults of their version",
		Severity: lint.Info,
		Run: tested(webhook.NotDefaulted, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s leaves %s without its default: reads at %s do not show it", way(f), FieldAt(f), text.Value(f.Pair.To))
		}),
	},
	{
		ID:       "webhook-not-stable",
		Summary:  "requests that are not answered the same way each time",
		Severity: lint.Error,
		Run: tested(webhook.NotStable, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s is not answered the same way each time%s: every write becomes a change", way(f), inBrackets(f))
		}),
	},
	{
		ID:       "webhook-noop-writes",
		Summary:  "writes without a change that change what is stored",
		Severity: lint.Info,
		Run: tested(webhook.NoopWrites, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s stores other bytes of equal meaning%s: a write without a change is a change for controllers", roundTrip(f), inBrackets(f))
		}),
	},
	{
		ID:       "webhook-not-idempotent",
		Summary:  "objects that each round trip changes again",
		Severity: lint.Warning,
		Run: tested(webhook.NotIdempotent, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s changes the object each time anew%s", roundTrip(f), inBrackets(f))
		}),
	},
	{
		ID:       "webhook-order",
		Summary:  "objects that are converted otherwise in a list than alone",
		Severity: lint.Warning,
		Run: tested(webhook.Order, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s converts objects of a list otherwise than alone%s%s", way(f), inBrackets(f), detail(f))
		}),
	},
	{
		ID:       "webhook-paths-differ",
		Summary:  "conversions that come to something else by the storage version than directly",
		Severity: lint.Warning,
		Run: tested(webhook.PathsDiffer, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s comes to something else than by way of the storage version%s", way(f), inBrackets(f))
		}),
	},
	{
		ID:       "webhook-scale",
		Summary:  "scale subresources that show something else at another version",
		Severity: lint.Error,
		Run: tested(webhook.Scale, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("the scale subresource shows %s at %s and %s at %s%s", words.ValueOf(f.Was), text.Value(f.Pair.From), words.ValueOf(f.Is), text.Value(f.Pair.To), inBrackets(f))
		}),
	},
	{
		ID:       "webhook-partial",
		Summary:  "incomplete objects that are not converted",
		Severity: lint.Error,
		Run: tested(webhook.Partial, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s fails for an incomplete object%s, as server-side apply sends them: %s", way(f), with(f), text.Reason(f.Detail))
		}),
	},
	{
		ID:       "webhook-unvalidated",
		Summary:  "objects that their schema refuses and that stop the webhook",
		Severity: lint.Error,
		Run: tested(webhook.Unvalidated, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s does not answer for an object that is not validated yet%s: %s", way(f), with(f), text.Reason(f.Detail))
		}),
	},
	{
		ID:       "webhook-review-version",
		Summary:  "versions of ConversionReview that the CRD lists and the webhook does not answer",
		Severity: lint.Error,
		Run: tested(webhook.ReviewVersion, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("a ConversionReview that the CRD lists is not answered: %s", text.Reason(f.Detail))
		}),
	},
	{
		ID:       "webhook-same-version",
		Summary:  "objects that are changed though they are at the desired version",
		Severity: lint.Info,
		Run: tested(webhook.SameVersion, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("an object that is at %s is changed when %[1]s is asked for%s", text.Value(f.Pair.From), inBrackets(f))
		}),
	},
	{
		ID:       "webhook-garbage",
		Summary:  "requests without sense that stop the webhook",
		Severity: lint.Error,
		Run: tested(webhook.Garbage, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("of requests without sense, %s", text.Reason(f.Detail))
		}),
	},
	{
		ID:       "webhook-concurrent",
		Summary:  "requests that are answered otherwise while there are others",
		Severity: lint.Error,
		Run: tested(webhook.Concurrent, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s is answered otherwise while there are other requests%s%s", way(f), inBrackets(f), detail(f))
		}),
	},
	{
		ID:       "webhook-annotation-size",
		Summary:  "large objects that are not converted",
		Severity: lint.Warning,
		Run: tested(webhook.AnnotationSize, func(p *engine.Pass, f *webhook.Finding) text.Text {
			return text.Sprintf("%s fails for large objects: %s", way(f), text.Reason(f.Detail))
		}),
	},
	{
		ID:       "webhook-slow",
		Summary:  "answers that take too long",
		Severity: lint.Error,
		Run: tested(webhook.Slow, func(p *engine.Pass, f *webhook.Finding) text.Text {
			if f.Pair == (webhook.Pair{}) {
				return text.Sprintf("the webhook is slow: %s", text.Reason(f.Detail))
			}
			return text.Sprintf("%s takes too long: %s", way(f), text.Reason(f.Detail))
		}),
	},
})

// aboutConversions are rules that look at what a test found.
func aboutConversions(all []*engine.Rule) []*engine.Rule {
	for _, r := range all {
		r.Conversion = true
	}
	return all
}
