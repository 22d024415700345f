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
	EditNodes   = 1 << 19
	Attempts    = 32
	FixText     = 64 << 20
	Rounds      = 16
	AnswerDepth = 256
)

// A Limit is a bound of what is looked at.
type Limit struct {
	Name   string // "template-branches"
	Value  int
	Unit   string // what there are so many of, or "bytes"
	Behind string // what is not judged, or not known, behind it
	Said   string // how a run says so
	Exit   int    // the exit code of a run that has nothing else to say
}

// Rule is the lint rule that says what is not judged for a limit.
const Rule = "limit-exceeded"

const (
	byRule = "`" + Rule + "`"
	byInfo = byRule + ", an info"
)

// All are the limits that depend on nothing but the input and the options.
var All = []Limit{
	{"file-size", FileSize, "bytes of a file", "the file; `--max-file-size` sets the limit", "a line on standard error, and `unreadFiles` in JSON", 2},
	{"other-file-size", FileSize, "bytes of a file of `--against`, `--crds` or `--old-objects`", "what is in that file; the same option sets the limit", byRule, 1},
	{"nesting", Depth, "levels of a document", "the document", "`yaml-syntax`", 1},
	{"template-branches", Branches, "sets of branches of a template", "the branches that are in no other set", byRule, 1},
	{"template-conditions", Conditions, "conditions of a template of which a rewrite is tried in all combinations", "combinations of more, which are tried each alone", byInfo + "; of `convert` a line on standard error", 0},
	{"template-combinations", Choices, "combinations of these conditions", "the same", byInfo + "; of `convert` a line on standard error", 0},
	{"template-choices", Choices / 2, "branches of a condition of which a rewrite is tried", "the template is not rewritten", byInfo + "; of `convert` a line on standard error, and exit code 1", 0},
	{"list-depth", Lists, "lists in each other", "the objects of lists that are deeper", byRule, 1},
	{"fix-attempts", Attempts, "fixes of a file that do no good, of which more are tried up to 64 MiB of text", "further fixes; their findings are reported", byInfo, 0},
	{"fix-rounds", Rounds, "rounds of fixes that make others possible", "further fixes; their findings are reported", byInfo, 0},
	{"fix-edits", EditNodes, "nodes of documents that are written to make edits of fixes", "the edits of further fixes, for outputs that have edits", byInfo, 0},
	{"answer-depth", AnswerDepth, "levels of an object that a webhook answers with", "what that object has", "`webhook-failed`", 1},
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
