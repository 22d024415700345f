// Package limit has the bounds of what is looked at, in one list: the documentation has all of them, a test tries each, and a
// run that meets one says so.
package limit

import (
	"strconv"
	"strings"
)

// The values of All, for those who keep to them.
const (
	FileSize    = 64 << 20
	Depth       = 10_000
	Branches    = 16
	Conditions  = 4
	Choices     = 128
	Lists       = 16
	Variants    = 16
	EditNodes   = 1 << 19
	Attempts    = 32
	FixText     = 64 << 20
	Rounds      = 16
	AnswerDepth = 256

	AliasBytes    = 64 << 20
	RemedyNodes   = 1 << 21
	EditorSize    = 8 << 20
	AnswerSize    = 32 << 20
	Modules       = 1000
	ModuleDepth   = 16
	IgnorePairs   = 1 << 28
	WitnessValues = 1 << 20
	ServerErrors  = 1000
	Request       = 3 << 20 // MaxRequestBodyBytes of k8s.io/apiserver's Config
)

// A Limit is a bound of what is checked.
type Limit struct {
	Name   string // "template-branches"
	Value  int
	Unit   string // what there are so many of, or "bytes"
	Behind string // what is not judged, or not known, behind it
	Said   string // how a run says so
	Exit   int    // the exit code of a run that has nothing else to say
}

// Rule is the lint rule that says what is not checked because of a limit.
const Rule = "limit-exceeded"

const (
	byRule = "`" + Rule + "`"
	byInfo = byRule + ", an info"
)

// All are the limits of what is checked, compared, fixed and converted. Those of what a message suggests are where it is made.
var All = []Limit{
	{"file-size", FileSize, "bytes of a file", "the file; `--max-file-size` sets the limit", "a line on standard error, and `unreadFiles` in JSON", 2},
	{"other-file-size", FileSize, "bytes of a file of `--against`, `--crds` or `--old-objects`", "what is in that file; the same option sets the limit", byRule, 1},
	{"nesting", Depth, "levels of a document", "the document", "`yaml-syntax`", 1},
	{"template-branches", Branches, "sets of branches of a template", "the branches that are in no other set", byRule, 1},
	{"template-conditions", Conditions, "conditions of a template of which a rewrite is tried in all combinations", "combinations of more, which are tried each alone", byInfo + "; of `convert` a line on standard error", 0},
	{"template-combinations", Choices, "combinations of these conditions", "the same", byInfo + "; of `convert` a line on standard error", 0},
	{"template-choices", Choices / 2, "branches of a condition of which a rewrite is tried", "the template is not rewritten", byInfo + "; of `convert` a line on standard error, and exit code 1", 0},
	{"list-depth", Lists, "lists in each other", "the objects of lists that are deeper", byRule, 1},
	{"crd-variants", Variants, "different CRDs of a kind that an object is checked with", "what the others, which are farther from it, say", byInfo, 0},
	{"fix-attempts", Attempts, "fixes of a file that are tried in any case, if others do no good", "further fixes; their findings are reported", byInfo, 0},
	{"fix-text", FixText, "bytes of text that these attempts look at before more count as too many", "the same", byInfo, 0},
	{"fix-rounds", Rounds, "rounds of fixes that make others possible", "further fixes; their findings are reported", byInfo, 0},
	{"fix-edits", EditNodes, "nodes of documents that are written to make edits of fixes", "the edits of further fixes, for outputs that have edits", byInfo, 0},
	{"remedy-nodes", RemedyNodes, "nodes of a CRD that is generated which are copied to find the markers of fixes", "the markers of further fixes", byInfo, 0},
	{"alias-bytes", AliasBytes, "bytes of JSON that aliases of a CRD or an object expand to", "the CRD or the object, which servers reject", "the error that it cannot be read, of `wrong-type` or `yaml-syntax`", 1},
	{"older-alias-bytes", AliasBytes, "bytes of the same of an older CRD", "the changes of that CRD, which no server can have had", byInfo, 0},
	{"server-errors", ServerErrors, "errors of the API server in a CRD", "the errors that others hide", "`checks-not-run`", 1},
	{"witness-values", WitnessValues, "comparisons of values with schemas, to find one that a change of keywords rejects", "further values", "the finding says that values *may* be rejected", 0},
	{"ignore-pairs", IgnorePairs, "pairs of an ignore and a finding of the same rule and file", "the ignores: the findings are reported", "`ignore-unused`", 0},
	{"submodules", Modules, "submodules of a git revision", "the files of further ones", "a line on standard error", 0},
	{"submodule-depth", ModuleDepth, "submodules in each other", "the files of those that are deeper", "a line on standard error", 0},
	{"request-size", Request, "bytes of the copies in each version that `convert` makes", "the CRD, which servers reject", "`manifest-too-large`", 1},
	{"editor-size", EditorSize, "bytes of a file in an editor", "the file; `crdlift lint` checks it", "a line in the log of the language server", 0},
	{"answer-size", AnswerSize, "bytes of a webhook's response", "the response", "`webhook-failed`", 1},
	{"answer-depth", AnswerDepth, "levels of an object in a webhook's response", "what that object has", "`webhook-failed`", 1},
}

// Shown is the value as documentation has it.
func (l Limit) Shown() string {
	if strings.HasPrefix(l.Unit, "bytes") && l.Value%(1<<20) == 0 {
		return strconv.Itoa(l.Value>>20) + " Mi"
	}
	return strconv.Itoa(l.Value)
}

// Of returns a limit by its name.
func Of(name string) Limit {
	for _, l := range All {
		if l.Name == name {
			return l
		}
	}
	panic("no limit " + name) // in this program's own text
}
