package answer

import (
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A fixed is what fixes made of the files.
type fixed struct {
	Files    []File     `json:"files"`
	Fixed    int        `json:"fixed"` // findings
	Withheld []withheld `json:"withheld"`
}

// A withheld is a fix that was tried and not made.
type withheld struct {
	Finding
	Why string `json:"why"`
}

// fix makes the fixes of all findings: first those of CRDs, then those of custom resources by the fixed CRDs.
func fix(q *Question) (any, error) {
	out := fixed{Files: q.Files, Withheld: []withheld{}}
	out.make(q, &rules.Linter{})
	out.make(q, &rules.Linter{Objects: by(&Question{Files: out.Files})})
	return out, nil
}

func (out *fixed) make(q *Question, linter *rules.Linter) {
	var files []File
	for _, f := range out.Files {
		made := linter.Fix(f.Name, []byte(f.Text), q.Unsafe)
		files = append(files, File{f.Name, string(made.Output)})
		out.Fixed += len(made.Findings)
		for _, w := range made.Withheld {
			out.Withheld = append(out.Withheld, withheldOf(w))
		}
	}
	out.Files = files
}

func withheldOf(w lint.Withheld) withheld {
	f := w.Finding
	return withheld{Finding{f.Rule.ID, f.Pos.File, f.Pos.Line, f.Pos.Column}, w.Why}
}
