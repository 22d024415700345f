package answer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

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

// judged is what there is to say about the files: a report on the custom resources that also has the findings about CRDs. The
// linter is one for CRDs.
func judged(q *Question, linter *rules.Linter) *lint.Report {
	about := run(q, linter)
	ofObjects := *linter
	ofObjects.Objects = by(q)
	all := run(q, &ofObjects)
	all.Findings = together(q, about.Findings, all.Findings)
	all.CRDs = about.CRDs
	return all
}

// run runs a linter over all files.
func run(q *Question, linter *rules.Linter) *lint.Report {
	var files []*rules.FileReport
	for _, f := range q.Files {
		files = append(files, linter.File(f.Name, []byte(f.Text)))
	}
	return linter.Report(files...)
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

// together are the findings of two runs over the same files, in their order: text that does not parse is a finding of both.
func together(q *Question, some, others []*lint.Finding) []*lint.Finding {
	at := map[string]int{}
	for i, f := range q.Files {
		at[f.Name] = i
	}
	all := slices.Concat(some, others)
	slices.SortStableFunc(all, func(a, b *lint.Finding) int {
		return cmp.Or(at[a.Pos.File]-at[b.Pos.File], a.Pos.Line-b.Pos.Line, a.Pos.Column-b.Pos.Column, cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
	return slices.CompactFunc(all, func(a, b *lint.Finding) bool {
		return a.Pos == b.Pos && a.Rule.ID == b.Rule.ID && a.Message == b.Message
	})
}

// An edited is the fix of one finding.
type edited struct {
	Edits []lint.TextEdit `json:"edits"`
}

// edit is the fix of one finding, as edits of its file. Fixes are made into edits only here: that takes much longer than
// finding them.
func edit(q *Question) (any, error) {
	for _, f := range judged(q, &rules.Linter{Options: lint.Options{Edits: true}}).Findings {
		if q.Finding != nil && f.Fix != nil && *q.Finding == (Finding{f.Rule.ID, f.Pos.File, f.Pos.Line, f.Pos.Column}) && len(f.Fix.Edits) > 0 {
			return edited{f.Fix.Edits}, nil
		}
	}
	return edited{Edits: []lint.TextEdit{}}, nil
}
