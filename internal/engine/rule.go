package engine

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// A Rule is one thing that can be wrong with a CustomResourceDefinition. All that the command line, the configuration,
// the outputs and the catalogue know about it is here.
type Rule struct {
	ID       string        // "conversion-review-versions-order"; its first word is the topic
	Summary  string        // completes "reports ..."
	Doc      string        // Markdown: why it matters, what to do, when to ignore it, the source
	Severity lint.Severity // unless the configuration disagrees
	Preset   lint.Preset   // the smallest preset that runs it
	NeedsOld bool          // runs only when there is an older CRD to compare with
	Excess   bool          // runs also for a CRD that is Excessive: it does not look at each schema
	Reading  bool          // says why a CRD cannot be decoded
	// Follows are the rules that tell the cause: it is silent where one of them has something to say of the same place.
	Follows []string
	// DependsOn are the paths of what the rule compares with other places, "*.storage" for all of that end, with [*] for
	// every index: it is silent where the value there is of a wrong type, so that nobody knows.
	DependsOn []string
	// Meant gives the field that one the API does not have was meant to be, "" where that is not plain or the server does
	// not refuse the manifest for it; nil for rules that do not tell of such fields. Where it reports errors, the others look
	// at a copy with the right names: what only follows from a misspelling is not reported.
	Meant  func(*crd.CRD, crd.UnknownField) string
	Run    func(*Pass) // looks at one CRD; keeps no state, cannot fail
	Across func(*Set)  // looks at all CRDs of a run together, once each has been looked at alone
}

// AboutChange reports whether a rule speaks about what changed since the old side.
func (r *Rule) AboutChange() bool { return r.NeedsOld || r == AddedRule }

// HidesCRD reports whether a rule speaks about what keeps a CRD from being found in its file.
func (r *Rule) HidesCRD() bool { return r == SyntaxRule || r == HeadRule || r == SeparatorRule }

// SyntaxRule, and the rules about ignores, are the engine's own: what they report is no CRD's fault. They have no Run.
var (
	SyntaxRule = &Rule{
		ID:       "yaml-syntax",
		Summary:  "text that is neither YAML nor JSON",
		Severity: lint.Error,
		Doc: `Nothing else can be said about a document that does not parse, and no API server takes it. It is reported when its
file names CustomResourceDefinition or apiextensions.k8s.io somewhere. Of another file it is no business of this linter:
its broken documents are passed over and counted.

**What to do**: mend the text at the reported line, the first with which it cannot be read any more; sometimes the
mistake is in the line above. Tabs in the indentation, a missing space behind a colon and unbalanced quotes are the
usual causes. Files that are Go templates, such as a Helm chart's, or Jinja's are recognised and passed over; lint what
is made of them.

**When to ignore it**: templates of other kinds than Helm's and Jinja's are no YAML before they are rendered; ` + "`exclude`" + `
those that make CRDs in the configuration, and lint what they make.

**Source**: https://yaml.org/spec/1.1/; kubectl and the API server read YAML 1.1.`,
	}
	PartRule = &Rule{
		ID:       "partial-document",
		Summary:  "parts of CRDs, which are not judged",
		Severity: lint.Info,
		Doc: `A CustomResourceDefinition without spec.group and spec.names cannot be applied by itself: it is a kustomize patch, or
another part of one. What is wrong with the whole cannot be told from it, so that no other rule looks at it.

**What to do**: nothing; or lint what kustomize builds, which has the patch in its place: ` + "`crdlift lint --kustomize config/crd`" + `.

**When to ignore it**: switch the rule off where patches are kept beside manifests.

**Source**: https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/patches/.`,
	}
	IgnoreReasonRule = &Rule{
		ID:       "ignore-reason-missing",
		Summary:  "ignores that do not say why",
		Severity: lint.Warning,
		Doc: `An ignore outlives the memory of why it was written. Without a reason, nobody dares to remove it.

**What to do**: write the reason behind two dashes: ` + "`# crdlift:ignore schema-float -- measured in seconds, never summed`" + `.
The ignore works without it, too.

**Source**: crdlift's own.`,
	}
	IgnoreUnknownRule = &Rule{
		ID:       "ignore-unknown-rule",
		Summary:  "ignores of rules that do not exist",
		Severity: lint.Warning,
		Doc: `An ignore that names no rule hides nothing; most often the name is misspelt.

**What to do**: ` + "`crdlift rules`" + ` lists the names there are.

**Source**: crdlift's own.`,
	}
	IgnoreUnusedRule = &Rule{
		ID:       "ignore-unused",
		Summary:  "ignores that match no finding",
		Severity: lint.Warning,
		Doc: `What was ignored is gone, or the ignore stands in the wrong place. Left behind, it hides the next finding of the
kind, which nobody has looked at.

**What to do**: remove it. An ignore stands at the end of the line it is about, on a line of its own above the entry it
is about, or at the top of a document for all of it. Rules that are switched off do not count as unused.

**Source**: crdlift's own.`,
	}
)

// OwnRules are the rules of the engine itself.
func OwnRules() []*Rule {
	return []*Rule{SyntaxRule, HeadRule, SeparatorRule, DirectiveRule, PartRule, PlaceholderRule, UnjudgedRule, IgnoreReasonRule, IgnoreUnknownRule, IgnoreUnusedRule, RemovedRule, AddedRule}
}
