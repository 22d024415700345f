package answer

import (
	"bytes"
	"encoding/json"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A Finding says which finding of a file is meant.
type Finding struct {
	Rule   string `json:"rule"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Findings are what the playground finds in manifests.
func Findings(files []File) []*lint.Finding {
	return judged(&Question{Files: files}, &rules.Linter{}).Findings
}

// findings are those about the CRDs and about the custom resources among the files, in the JSON format of the command.
func findings(q *Question) (any, error) { return reported(judged(q, &rules.Linter{})) }

// reported is a report in the JSON format of the command.
func reported(r *lint.Report) (json.RawMessage, error) {
	var out bytes.Buffer
	if err := report.WriteJSON(&out, r); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// judged is what there is to say about the files.
func judged(q *Question, linter *rules.Linter) *lint.Report {
	crds := by(q)
	judge := &rules.Judge{Linter: linter, Objects: func(use func(*rules.Objects)) { use(crds) }}
	var files []*rules.Judgement
	for _, f := range q.Files {
		files = append(files, judge.File(f.Name, []byte(f.Text)))
	}
	return judge.Report(files...)
}

// by are the CRDs of the files, which custom resources are judged by. Values are shown: they are on the page already.
func by(q *Question) *rules.Objects {
	objects := &rules.Objects{List: true, ShowValues: "always"}
	for _, f := range q.Files {
		read := func() ([]byte, error) { return []byte(f.Text), nil }
		if crds, err := rules.ReadCRDs(lint.File{Path: f.Name, Label: f.Name, Read: read}, true); err == nil {
			objects.Add(crds)
		}
	}
	return objects
}

// fixEdits are the edits that fix one finding.
type fixEdits struct {
	Edits []lint.TextEdit `json:"edits"`
}

// edit is the fix of one finding, as edits of its file. Fixes are made into edits only here: that takes much longer than
// finding them.
func edit(q *Question) (any, error) {
	for _, f := range judged(q, &rules.Linter{Options: lint.Options{Edits: true}}).Findings {
		if q.Finding != nil && f.Fix != nil && *q.Finding == (Finding{f.Rule.ID, f.Pos.File, f.Pos.Line, f.Pos.Column}) && len(f.Fix.Edits) > 0 {
			return fixEdits{f.Fix.Edits}, nil
		}
	}
	return fixEdits{Edits: []lint.TextEdit{}}, nil
}

// A fixResult is what fixes make of the files.
type fixResult struct {
	Files    []fixed  `json:"files"`
	Fixed    int      `json:"fixed"`    // findings
	Withheld []string `json:"withheld"` // why fixes were tried and not made
}

// A fixed is what fixes make of a file.
type fixed struct {
	Name string `json:"name"`
	fixEdits
}

// fix makes the fixes of all findings: first those of CRDs, then those of custom resources by the fixed CRDs.
func fix(q *Question) (any, error) {
	out := fixResult{Files: []fixed{}, Withheld: []string{}}
	files := out.make(q.Files, q.Unsafe, &rules.Linter{})
	files = out.make(files, q.Unsafe, &rules.Linter{Objects: by(&Question{Files: files})})
	for i, f := range q.Files {
		out.Files = append(out.Files, fixed{f.Name, fixEdits{f.editsTo([]byte(files[i].Text))}})
	}
	return out, nil
}

// make makes fixes, and returns the files with them.
func (out *fixResult) make(files []File, unsafe bool, linter *rules.Linter) (all []File) {
	for _, f := range files {
		made := linter.Fix(f.Name, []byte(f.Text), unsafe)
		all = append(all, File{f.Name, string(made.Output)})
		out.Fixed += len(made.Findings)
		for _, w := range made.Withheld {
			out.Withheld = append(out.Withheld, w.Why)
		}
	}
	return all
}
