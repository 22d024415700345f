package lint

import (
	"maps"
	"slices"
)

// Counts are how many documents of which kind there are.
type Counts struct {
	CRDs   int // CustomResourceDefinitions, those in lists included
	Others int // other documents and list items, the broken ones included
	Broken int // documents that do not parse, of files that name no CRD
	// Of the others, those that have patches or schemas of other programs, which are not read: Crossplane's Compositions, and kro's
	// ResourceGraphDefinitions.
	Compositions, Graphs int
}

// Add adds other counts.
func (c *Counts) Add(other Counts) {
	c.CRDs += other.CRDs
	c.Others += other.Others
	c.Broken += other.Broken
	c.Compositions += other.Compositions
	c.Graphs += other.Graphs
}

// A FileReport is the report on one file.
type FileReport struct {
	Path string
	Counts
	Template *Template // for a template, which is passed over as a whole; nil for a manifest
	Gone     bool      // not there any more: it held a CRD that was deleted
	Sources  []string  // the files that it was built from, the path first; nil for a file as it is
	Objects  *Objects  // the custom resources in it; nil for a report on CRDs
	Findings []*Finding
	Added    []Addition // the additions of a change for users of the API; for a linter that is configured to list them
	Unedited int        // fixes whose edits were not made: there are too many for a file of that size
	// Rewritten is a suite of tests in crdlift's own format; nil where none was to be written.
	Rewritten []byte
	Tests     []TestedCase // those that were run; nil for a file without a suite
	Carried   *Carried     // the custom resources that were carried to another version; nil for a report on anything else
}

// Files are the files that the report is about.
func (f *FileReport) Files() []string {
	if f.Sources == nil {
		return []string{f.Path}
	}
	return f.Sources
}

// A Template is a file that becomes a manifest when it is rendered.
type Template struct {
	Path     string
	Language string // "Helm" or "Jinja"
	CRDs     bool   // it names CustomResourceDefinitions, so that the rendered file should be linted
	Why      string // it is passed over, though other templates of the language are not; "" where all are
}

// A Report is the result of a run over many files.
type Report struct {
	Findings []*Finding // by file in the order given, then by position; ignored ones included
	Files    []string   // their paths, in the order given
	Counts              // CRDs without the parts, which are not judged
	// Defined are the CRDs, in the order of the files. For a report on custom resources, those that these are judged by, in the
	// order of their paths, without those of git revisions.
	Defined []CRD
	// Migration is what a conversion of the files was for; nil for a report on anything else.
	Migration *Migration
	// Templates are the files that were passed over because they are rendered before a server sees them.
	Templates []Template
	Objects   *Objects // the custom resources that were judged; nil for a report on CRDs
	// Conversions are the conversions between versions that were tested; nil for a report on anything else.
	Conversions *Conversions
	Hidden      []*Finding      // those that are not ignored and were left out for their severity; see AtLeast
	Crowded     map[string]bool // the files whose findings may be about several CRDs
	// BaselineGone counts the findings that the baseline has, and the files that were looked at have not.
	BaselineGone int
	// LeftOut are the findings that are only counted, since they are about CRDs or objects whose Role is not Told.
	LeftOut []*Finding
	// CRDsLeftOut is the number of CRDs with such a role.
	CRDsLeftOut int
	// Tests are the cases of suites that were run, by file and as they stand there; nil for a report on anything else.
	Tests []TestedCase
	// Carried are the custom resources that were carried to another version; nil for a report on anything else.
	Carried *Carried
	// Coverage is what these test of CRDs; nil where nobody has asked.
	Coverage []Coverage
	// Inline are the ignores in comments that are new, or count for nothing.
	Inline []InlineIgnore
	// Renamed are the earlier ids of rules that the configuration, the baseline and comments use, each once.
	Renamed []string
}

// An InlineIgnore is a rule that a comment in a manifest ignores.
type InlineIgnore struct {
	At           Position // of the comment
	Rule, Reason string
	Void         bool // it counts for nothing
}

// AtLeast leaves out the findings below a severity, and does not count those either that are only counted.
func (r *Report) AtLeast(s Severity) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f *Finding) bool {
		if f.Severity < s && f.Ignored == "" {
			r.Hidden = append(r.Hidden, f)
		}
		return f.Severity < s
	})
	r.LeftOut = slices.DeleteFunc(r.LeftOut, func(f *Finding) bool { return f.Severity < s })
	if r.Objects != nil {
		maps.DeleteFunc(r.Objects.Counted, func(of Severity, _ int) bool { return of < s })
	}
}

// Count counts the findings of a severity that are not ignored.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Ignored == "" && f.Severity == s {
			n += f.Count()
		}
	}
	return n
}

// Ignored counts the findings that are ignored.
func (r *Report) Ignored() int {
	n := 0
	for _, f := range r.Findings {
		if f.Ignored != "" {
			n += f.Count()
		}
	}
	return n
}

// Conversions are the counts of a run that tests the conversion between the versions of CRDs.
type Conversions struct {
	Tested     int `json:"tested"`     // CRDs
	PassedOver int `json:"passedOver"` // CRDs that nothing converts, or whose versions have the same schema
	Versions   int `json:"versions"`   // of the CRDs that were tested
	Pairs      int `json:"pairs"`      // of versions, from one to another
	Objects    int `json:"objects"`    // that were converted
	// Untested says what could not be tested and why, in a line each.
	Untested []string `json:"untested,omitempty"`
}

// A CRD is what a report says of a CustomResourceDefinition that it is about, whether there are findings or not.
type CRD struct {
	Name       string       `json:"name,omitempty"`  // metadata.name
	Group      string       `json:"group,omitempty"` // spec.group
	Kind       string       `json:"kind,omitempty"`  // spec.names.kind
	File       string       `json:"file"`
	Line       int          `json:"line"`                 // of its first key
	Document   int          `json:"document"`             // index of the document in the file, from 0
	APIVersion string       `json:"apiVersion,omitempty"` // of the manifest, such as "apiextensions.k8s.io/v1"
	Versions   []APIVersion `json:"versions,omitempty"`   // in the order of the manifest
	Before     []APIVersion `json:"before,omitempty"`     // those of the older CRD; none where there is nothing to compare with
	State      CRDState     `json:"state,omitempty"`      // of a conversion; "" for a report on anything else
}

// An APIVersion is what spec.versions of a CRD says about a version.
type APIVersion struct {
	Name       string `json:"name"`
	Served     bool   `json:"served"`
	Storage    bool   `json:"storage"`
	Deprecated bool   `json:"deprecated"`
}

// A CRDState is what a conversion made of a CRD.
type CRDState string

const (
	CRDConverted    CRDState = "converted"    // or would have, for a run that writes nothing
	CRDAlreadyThere CRDState = "alreadyThere" // there was nothing to do
	CRDNeedsPerson  CRDState = "needsPerson"  // it stays as it was, and findings say what to decide
)

// A Migration is what a conversion of files was for.
type Migration struct {
	To      string `json:"to"`      // "v1" or "v1beta1"
	Written bool   `json:"written"` // what was converted is written, and not only shown
}
