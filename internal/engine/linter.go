// Package engine is the engine of the linter: it runs rules over the CustomResourceDefinitions of files, finds the
// positions of findings, applies fixes and proves them, and honours what the configuration, comments and a baseline
// ignore. Rules are values that are passed to it; it has only those about its own operation.
package engine

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/lint"
)

// A Linter runs rules. Its methods may be called from several goroutines.
type Linter struct {
	lint.Options
	vicinity.Sources
	Rules []*Rule
	// Kind is what the run judges; nil for CRDs.
	Kind Kind
	// Conversions are tests of the conversion between versions. The run reports what they find then, and does not judge CRDs; nil for
	// a run that tests none.
	Conversions *Conversions
	// Record collects what a report depends on beside the file and the options, for Keep; nil where nobody wants to know.
	Record *vicinity.Record
	// Repeats have what was said of documents that are in several files; nil where each is judged.
	Repeats *Repeats
	// Parsed is told each document, with its tree or the reason why it has none, before it is judged; nil where nobody wants to know.
	Parsed func(*manifest.Document)
	// Differ says how the CRD of a name in a file differs from that in another one of another owner; "" where it does not. Nil for one owner.
	Differ func(name, file, other string) string
	// Answers are those that API servers gave on CRDs before, by their nodes; nil for none. They are not asked again.
	Answers map[*yaml.Node]fast.Verdict
}

// around is what is around a file.
func (l *Linter) around(file string) vicinity.Vicinity {
	return vicinity.Vicinity{Sources: l.Sources, Path: file, Record: l.Record}
}

// Configuration is that of the run; never nil.
func (l *Linter) Configuration() *lint.Config {
	if l.Config == nil {
		return &lint.Config{}
	}
	return l.Config
}

// A FileReport holds the findings about one file by itself, and the data that Report needs.
type FileReport struct {
	lint.FileReport

	Found     []*Finding // whose trees are still there
	patchable []*Finding // that a patch in another file may settle
	editWork  int        // nodes of documents that edits were made from
	comments  []*suppress.Comment
	summaries []*Summary
	beside    []Companion
	Judged    []suppress.Subject // the CRDs of the objects that were judged
	patches   []crd.Patch

	unmasked error // why a template in one of its worlds does not parse

	Judge Judge // of its documents; nil where there are none
}

// A Kind is what a run checks in the documents of files: CRDs, or what another package passes in.
type Kind interface {
	// Split returns the documents of a text, which are looked at more than once if they are to be kept; nil for a text that has
	// nothing to judge, and may be any data, and large.
	Split(path string, text []byte, mask *template.MaskedTemplate, keep bool) *manifest.File
	// MayHold reports whether a text could hold something to judge, so that it matters where it does not parse.
	MayHold(text []byte) bool
	// Judge returns what judges the documents of a file and adds to the report on it.
	Judge(l *Linter, f *manifest.File, out *FileReport) Judge
	// Runs reports whether the run has a rule.
	Runs(*Linter, *lint.Rule) bool
	// Discreet is the Kind for what becomes of a text, and hides what is hidden of that: a change may take away what tells so.
	Discreet(path string, text []byte) Kind
	// Show is what may be shown of a change of a file.
	Show(path string, before, after []byte) lint.ShownChange
	// Report puts together the reports on the files of a run, and on others that are to be reported on, by a function.
	Report(l *Linter, files []*FileReport, combine func([]*FileReport) *lint.Report) *lint.Report
}

// A TemplateKind has something to say of Helm templates as they are, which runs of other kinds than CRDs skip.
type TemplateKind interface {
	Kind
	// Template judges a template, and reports whether there was anything to check: other templates are skipped and counted.
	Template(l *Linter, src []byte, out *FileReport) bool
}

// A Judge checks the documents of one file. It stays in the report on the file.
type Judge interface {
	Document(d *manifest.Document, config *lint.Config) // also one that does not parse
	End(f *manifest.File)                               // once all documents are judged
	Conceals() bool                                     // whether messages must not have text of the file
}

// A Summary is the part of a CRD that is kept after its file has been linted.
type Summary struct {
	_                                struct{} `cbor:",toarray"`
	Group                            Name     // spec.group
	Resource                         Name     // metadata.name
	Plural, Singular, Kind, ListKind Name     // as the API server defaults them
	ShortNames                       []Name
	InjectedFrom                     Name // the Certificate, NAMESPACE/NAME, by whose authority an injector fills in what the webhook lacks
	Service, ServicePort             Name // that the webhook is called at, NAMESPACE/NAME
	World                            int  // of a template, the first that has the CRD
	Document                         int
	Version                          crd.Version // of the manifest

	Severities map[string]lint.Severity // of the rules that look across, by the configuration for the file
	Compared   bool                     // there was an older CRD to compare with
	Unnamed    bool                     // a server has not accepted all of its names, and its status says so
	Partly     bool                     // its conversion was not tested, or not all of it
	Also       bool                     // it is of the object that the CRD above is made of
	Named      string                   // Resource as findings have it
	Told       lint.CRD
}

// A Name is a name in a CRD and the place where it is written.
type Name struct {
	_     struct{} `cbor:",toarray"`
	Value string
	Path  string
	lint.Source
}

// A Rule is one check of CustomResourceDefinitions, with everything that the command line, the configuration, the
// outputs and the catalogue use of it.
type Rule struct {
	ID       string        // "conversion-review-versions-order"; its first word is the topic
	Was      []string      // earlier ids
	Summary  string        // completes "reports ..."
	Severity lint.Severity // unless the configuration disagrees
	Preset   lint.Preset   // the smallest preset that runs it
	NeedsOld bool          // runs only when there is an older CRD to compare with
	// AboutChange is true for a rule that reports what changed and does not need an older CRD for it.
	AboutChange bool
	// Requirement is true for a rule that takes the older CRD for one that is needed, in runs that ask for that. Other rules about changes
	// do not run then.
	Requirement bool
	HidesCRD    bool // reports what keeps a CRD from being found in its file
	AtSource    bool // asks where the file is, and has nothing to say of a copy
	OfManifest  bool // is about how a CRD is written, and has nothing to say of one that is made of another object
	AboutFile   bool // has something to say of each file that a CRD is in
	Excess      bool // runs also for a CRD that is Excessive: it does not look at each schema
	Reading     bool // says why a CRD cannot be decoded
	// FixesGo says that the markers of its remedies may be written although it has no fix for manifests: every author
	// would write them. Those of other rules without a fix are only shown.
	FixesGo bool
	// Follows are the rules that tell the cause: it is silent where one of them has something to say of the same place.
	Follows []string
	// DependsOn are the paths of the values that the rule compares with other places, "*.storage" for all paths with
	// that end, with [*] for every index: the rule is silent where such a value is of a wrong type.
	DependsOn []string
	// Presence is true for a rule that reports that a field is there, whatever its value.
	Presence bool
	// Annotates is true for a rule that reports that an annotation is missing.
	Annotates bool
	// Meant returns the field that an unknown field was meant to be, "" where that is not clear or the server does
	// not reject the manifest for it; nil for rules that do not report such fields. Where it reports errors, the others
	// look at a copy with the right names: what only follows from a misspelling is not reported.
	Meant func(*crd.CRD, crd.UnknownField) string
	Run   func(*Pass) // looks at one CRD; keeps no state, cannot fail
	// Conversion is true for a rule that looks at what a test of the conversion between versions found, in runs that test
	// conversions, and at nothing else.
	Conversion bool
	Suite      bool       // it is about suites of tests of CRDs, in runs that run those
	Migration  bool       // it is about what becomes of custom resources at another version, in runs that carry them there
	Across     func(*Set) // looks at all CRDs of a run together, once each has been looked at alone
	// Idle says why the rule never has findings under a configuration, of a run that looks for the Go types of manifests or does
	// not, and what to do about that; "" for one under which it may have some. Nil for a rule to which that does not matter.
	Idle func(c *lint.Config, types bool) (why, todo string)
	// Object is what a rule does with custom resources, in runs that judge those; nil for a rule about CRDs. One that has Run as well is a
	// rule about CRDs, and looks at them in such runs, too.
	Object interface {
		Across() bool
		OfCluster() bool // a run over a dump of a cluster alone has findings of it
	}
}

// Value is what users of the rule know of it.
func (r *Rule) Value() *lint.Rule {
	object := r.Object != nil && r.Run == nil
	return &lint.Rule{
		ID: r.ID, Was: r.Was, Summary: r.Summary, Severity: r.Severity, Preset: r.Preset, NeedsOld: r.NeedsOld,
		AboutChange: r.NeedsOld || r.AboutChange, Requirement: r.Requirement, HidesCRD: r.HidesCRD, Conversion: r.Conversion, Object: object,
		Audit: object && r.Object.OfCluster(), Suite: r.Suite, Migration: r.Migration,
		Across: r.Across != nil || r.NeedsOld && r.Run == nil || object && r.Object.Across(),
	}
}

// Asked reports whether somebody wants more of the rule than what most would act on: who names it, or takes the preset all.
func (r *Rule) Asked(c *lint.Config) bool {
	_, named := c.Rules[r.ID]
	return named || len(c.Only) > 0 || c.Preset > lint.Recommended
}

// SeverityIn is that of a rule under the configuration for a file; Off when it does not run.
func (r *Rule) SeverityIn(c *lint.Config) lint.Severity {
	return config.Severity(c, r.Value())
}

// A Set is a rule's view of all CRDs of a run. It holds names and positions, not trees, so that memory does not grow
// with the size of the manifests.
type Set struct {
	CRDs       []*Summary // in the order of the files, and in the files' order
	companions map[string][]Companion
	linter     *Linter
	final      bool
	rule       *Rule
	findings   []*lint.Finding
}

// Conversions are tests of the conversion between the versions of CRDs.
type Conversions struct {
	// Test tests that of a CRD, and is to report nothing by the pass. It is called once for each CRD that can be read, perhaps from
	// several goroutines. It returns nil for a CRD that is not tested.
	Test func(*Pass) *webhook.Result
	// Partly means that not all is tested, so that a finding that is not there need not be gone.
	Partly bool
}

// A Pass is one rule's view of one CRD, and receives its findings. The CRD and everything reachable from it are shared
// by the rules of a run and must not be changed.
type Pass struct {
	CRD    *crd.CRD
	Config *lint.Config // for the CRD's file: overrides are in it
	*subject
	rule     *Rule
	value    *lint.Rule // the rule as findings refer to it; nil before the first
	severity lint.Severity
	updates  bool // an update, or another server than the CRD's own, is judged
}

// A subject is the data of one CRD that all rules share.
type subject struct {
	linter           *Linter
	document         *manifest.Document
	crd              *crd.CRD
	*origin.Manifest                    // of crd, once rules run
	version          crd.Version        // as the user wrote it; a CRD of an unknown version is judged as one of v1
	righted          *crd.RespelledCopy // an object whose head is misspelt, as it was meant, which crd is then; nil for any other
	unwritten        bool               // crd is not in the file as a CRD of its own, so that no fix can find it
	// A CRD with misspelt fields is judged by a copy with the right names, which crd is then; nil for any other.
	corrected *crd.RespelledCopy
	// A CRD that cannot be decoded is judged by a copy that can, which crd is then.
	unreadable error           // why it cannot
	mended     *crd.MendedCopy // the copy
	old        *older.CRD      // nil when there is nothing to compare with
	conversion *webhook.Result // what a test of it found; nil in a run that tests none, and where this one was not tested
	index      int             // of the CRD among those of its document
	above      int             // the number of CRDs above it in the file
	Memory
	findings   []*Finding
	trial      *trial // that fixes of a CRD that is made of an object were found good in
	remade     int    // nodes of the object that the CRD is made of, in copies that fixes were tried in
	unremedied int    // fixes of which it is not known what they change
	swollen    bool   // the aliases of old expand to more than any server reads, so that nothing is compared
}

// A Finding is a rule's report about one place, with data that is only needed during the run. Except for PatchedBy,
// that data is dropped when its file is done.
type Finding struct {
	*lint.Finding
	At  crd.Place // node, path as the user wrote it
	Fix *Fix      // nil when there is none
	// PatchedBy is the part that the finding misses, which a patch of the same CRD may add in any file of the run. It is nil
	// where no patch does.
	PatchedBy *crd.Lack
	// About is the message about several versions and items, and about none what those messages have in common. Nil for
	// a message that is not about versions.
	About func(versions, items []string) text.Text

	// Strict says that the API server rejects a custom resource for it when it is asked for strict field validation, as by
	// kubectl, and only then.
	Strict bool
	// Alone says that all of the CRD goes away with what is wrong: nothing else is told of it.
	Alone bool

	By    *Rule
	Index int  // of the CRD among those of its document
	ofOld bool // it names a file of the older side, which is called otherwise in the next revision
}

// A Fix changes the tree; the zero Fix is not safe. Title, Safe and Reveals are those of lint.Fix.
type Fix struct {
	Title         string
	Safe, Reveals bool
	// Apply changes a CRD, which is a copy of the one the finding is about: it finds its node by path. It reports
	// whether it did anything. Object does the same to a custom resource, and Document to what is neither, as a whole; they are nil for a
	// finding about a CRD.
	Apply    func(*crd.CRD) bool
	Object   func(*objects.Object) bool
	Document func(root *yaml.Node) bool
	// Within are the paths of the schemas that Apply looks at and changes, with all that is in them and the keywords of the
	// schemas around them. The edits of such a fix are made in an excerpt of the document, which has not all their
	// siblings: that takes no longer in a large document. Nil says that it may look at anything.
	Within []string

	source string          // where it has to be made to last; see lint.Fix
	edits  []lint.TextEdit // where Linter.Edits asks for them
}

// A Memory is what was computed once. What embeds one can be asked by Memo.
type Memory map[any]any

func (m Memory) remembered() Memory { return m }
