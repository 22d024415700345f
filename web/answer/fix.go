package answer

import "github.com/crdlift/crdlift/rules"

// A fixResult is what fixes made of the files.
type fixResult struct {
	Files    []File   `json:"files"`
	Fixed    int      `json:"fixed"`    // findings
	Withheld []string `json:"withheld"` // why fixes were tried and not made
}

// fix makes the fixes of all findings: first those of CRDs, then those of custom resources by the fixed CRDs.
func fix(q *Question) (any, error) {
	out := fixResult{Files: q.Files, Withheld: []string{}}
	out.make(q, &rules.Linter{})
	out.make(q, &rules.Linter{Objects: by(&Question{Files: out.Files})})
	return out, nil
}

func (out *fixResult) make(q *Question, linter *rules.Linter) {
	var files []File
	for _, f := range out.Files {
		made := linter.Fix(f.Name, []byte(f.Text), q.Unsafe)
		files = append(files, File{f.Name, string(made.Output)})
		out.Fixed += len(made.Findings)
		for _, w := range made.Withheld {
			out.Withheld = append(out.Withheld, w.Why)
		}
	}
	out.Files = files
}
