package answer

import (
	"encoding/json"

	"github.com/crdlift/crdlift/rules"
)

// A verdicts is what an API server makes of the custom resources.
type verdicts struct {
	CRDs     int             `json:"crds"`             // that can be read
	Objects  []verdict       `json:"objects"`          // in their order
	Previews []preview       `json:"previews"`         // of the files that have any
	Unread   []string        `json:"unread,omitempty"` // CRDs that cannot be used, each with its place and the reason
	Report   json.RawMessage `json:"report"`           // the causes, in the JSON format of the command
}

// A verdict is what a server answers to one object.
type verdict struct {
	Kind    string `json:"kind"`
	Label   string `json:"label"` // its name, with the namespace where it has one
	File    string `json:"file"`
	Line    int    `json:"line"`
	Verdict string `json:"verdict"`
}

// A preview is what changes in a file where its objects are as a server stores or shows them.
type preview struct {
	Name string   `json:"name"`
	Diff string   `json:"diff"` // "" where nothing changes
	Left []string `json:"left"` // why objects are shown as they are
}

// objects are the verdicts on the custom resources, and what becomes of those that are accepted.
func objects(q *Question) (any, error) {
	linter := &rules.Linter{Objects: by(q)}
	linter.Objects.Preview = &rules.As{Served: q.Served}
	out := verdicts{CRDs: linter.Objects.CRDs(), Objects: []verdict{}, Previews: []preview{}, Unread: linter.Objects.Unread()}
	var files []*rules.FileReport
	for _, f := range q.Files {
		file := linter.File(f.Name, []byte(f.Text))
		files = append(files, file)
		if p := file.Preview(); p != nil && file.Objects.Len() > 0 {
			shown := preview{f.Name, f.diffTo(p.Before, p.After), []string{}}
			for _, left := range p.Left {
				shown.Left = append(shown.Left, left.Why)
			}
			out.Previews = append(out.Previews, shown)
		}
	}
	all := linter.Report(files...)
	if all.Objects != nil {
		for _, o := range all.Objects.Listed {
			out.Objects = append(out.Objects, verdict{o.Kind, o.Label(), o.File, o.Line, o.Verdict})
		}
	}
	var err error
	out.Report, err = reported(all)
	return out, err
}
