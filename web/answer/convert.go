package answer

import (
	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A conversion is what a conversion made of a file.
type conversion struct {
	Name  string          `json:"name"`
	Diff  string          `json:"diff"` // "" where nothing was converted
	Edits []lint.TextEdit `json:"edits"`
	CRDs  []crd           `json:"crds"`
	Notes []note          `json:"notes"`
	Error string          `json:"error,omitempty"` // of the text that does not parse; the rest is converted
	Why   string          `json:"why,omitempty"`   // for a template: why it is passed over
}

// A crd is what became of a CRD, or of an object that is meant to be one.
type crd struct {
	Name  string       `json:"name"`
	State policy.State `json:"state"`
}

// A note is what the conversion did, or could not do, at one place.
type note struct {
	Class    policy.Class `json:"class"`
	Severity string       `json:"severity"`
	Rule     string       `json:"rule"`
	Message  string       `json:"message"`
	Line     int          `json:"line"`
	Column   int          `json:"column"`
}

// converted converts each file by the options.
func converted(q *Question) (any, error) {
	if err := q.Options.Check(); err != nil {
		return nil, err
	}
	out := []conversion{}
	for _, f := range q.Files {
		out = append(out, conversionOf(f, q.Options))
	}
	return out, nil
}

func conversionOf(f File, options policy.Options) conversion {
	result, err := convert.Explained(f.Name, []byte(f.Text), options, rules.Explainer())
	out := conversion{Name: f.Name, Edits: []lint.TextEdit{}, CRDs: []crd{}, Notes: []note{}}
	if err != nil {
		out.Error = err.Error()
	}
	if result == nil {
		return out
	}
	out.Diff, out.Edits = f.diffTo([]byte(f.Text), result.Output), f.editsTo(result.Output)
	if result.Template != "" {
		out.Why = result.Template + " templates are skipped"
		if result.TemplateWhy != "" {
			out.Why = "this " + result.Template + " template is skipped: " + result.TemplateWhy
		}
	}
	for _, all := range [][]convert.CRD{result.CRDs, result.Meant} {
		for _, c := range all {
			out.CRDs = append(out.CRDs, crd{c.Name, c.State})
			for _, n := range c.Notes {
				out.Notes = append(out.Notes, note{n.Class, rules.NoteSeverity(n.Class).String(), n.ID, n.Message, n.Pos.Line, n.Pos.Column})
			}
		}
	}
	return out
}
