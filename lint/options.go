package lint

// Options are what a run of the linter is asked for, whatever it compares with or judges by. The zero value reports what is
// wrong with each manifest by the recommended rules.
type Options struct {
	Config   *Config   // nil for the defaults
	Baseline *Baseline // of findings that are not new; nil for none
	Edits    bool      // make the text edits of every fix: outputs that carry them ask for it
	// Fixes reports whether to make the fix of a finding, or its edits; nil for all of them.
	Fixes    func(*Finding) bool `json:"-"`
	Rendered bool                // pass Helm templates over: what they render to is linted elsewhere
	Final    bool                // the manifests are what will be applied: nothing adds to them what a generator leaves out
	// Changes leaves only what is said of the change. What keeps a CRD from being compared is still reported: text that
	// does not parse, a head that is misspelt, manifests that are one document.
	Changes   bool
	Additions bool // collect what a change adds, for a changelog
	KeepAll   bool // keep findings that Join would only count, as a baseline is to have them
	NewOnly   bool // prepare reports for telling new findings from those of an older report
	// Shown is the file that a finding is shown in, of a report with Sources; nil where each is in the report's own.
	Shown func(*Finding) string `json:"-"`
}
