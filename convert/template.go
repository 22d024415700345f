package convert

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// A templateRun converts the CRDs of a Helm template in place.
type templateRun struct {
	path    string
	opt     policy.Options
	explain lint.Explainer
	world   *manifest.File // the template with the first branches of its conditions
	tmpl    *template.Template
	left    map[int]string // why a document is left alone
}

// maxRefusals bounds how often a file is converted again without the documents that cannot be. After that all are left.
const maxRefusals = 8

// templateFile converts the CRDs of a template, if that can be proven without rendering it: the actions stay the same, in
// the same branches, and at the same indentation where that shows; and whichever branches are taken, the conversion of what
// they leave is what they leave of the conversion. Other CRDs are left alone, and so are those that only some clusters get.
func templateFile(path string, opened *manifest.Contents, opt policy.Options, explain lint.Explainer) *Result {
	r := &templateRun{path: path, opt: opt, explain: explain, world: opened.Worlds[0], tmpl: opened.Template, left: map[int]string{}}
	for _, world := range opened.Worlds {
		for _, d := range world.Documents {
			if d = d.Parsed(); d.Err != nil {
				return &Result{Output: []byte(r.tmpl.Source), Template: string(template.Helm), TemplateWhy: world.Unmasked(d.Err).Error()}
			}
		}
	}
	for _, d := range r.world.Documents {
		if why := cmp.Or(r.branch(d), printed(d)); why != "" {
			r.left[d.Index] = why
		}
	}
	var res *Result
	for tries := 0; ; tries++ {
		res = r.convert()
		refused, why := r.restore(res)
		if why == nil {
			break
		}
		if refused < 0 || r.left[refused] != "" || tries >= maxRefusals {
			for _, d := range r.world.Documents {
				r.leave(d.Index, why)
			}
			continue
		}
		r.leave(refused, why)
	}
	seen := map[int]bool{}
	for _, c := range res.CRDs {
		seen[c.Line] = true
	}
	for _, world := range opened.Worlds[1:] {
		other := &templateRun{path: path, opt: opt, explain: explain, world: world, tmpl: r.tmpl, left: map[int]string{}}
		res.CRDs = append(res.CRDs, other.elsewhere(seen)...)
	}
	slices.SortStableFunc(res.CRDs, func(a, b CRD) int { return a.Line - b.Line })
	r.show(res)
	return res
}

func (r *templateRun) leave(document int, why error) {
	if r.left[document] == "" {
		r.left[document] = "cannot be rewritten in its template: " + why.Error() + "; convert it by hand"
	}
}

// convert converts the documents of the masked text but for those that are left alone.
func (r *templateRun) convert() *Result {
	res := &Result{Output: r.world.Source}
	var edits []rewrite.Edit
	var texts [][]byte
	for _, d := range r.world.Documents {
		text := d.Text()
		if d = d.Parsed(); d.Root != nil {
			if r.left[d.Index] != "" {
				r.report(d, res)
			} else if made := convertDocument(d, r.opt, r.explain, res); made != nil {
				edits, text = append(edits, made.Edits...), made.Text
			}
		}
		texts = append(texts, text)
	}
	res.settle(r.world, edits, texts)
	return res
}

// report notes the CRDs of a document that is left alone.
func (r *templateRun) report(d *manifest.Document, res *Result) {
	found, others := crd.Find(d.Root.YNode())
	res.Others += others
	for _, c := range found {
		res.CRDs = append(res.CRDs, r.reported(d, c))
	}
}

func (r *templateRun) reported(d *manifest.Document, c *crd.CRD) CRD {
	at := position(d, c.Node)
	out := CRD{Name: c.Name(), Document: d.Index, Line: at.Line, State: policy.AlreadyThere}
	if string(c.Version) != string(r.opt.Decided().To) {
		out.State = policy.NeedsPerson
		id := conversion.NotWritten
		if r.branch(d) != "" {
			id = conversion.InBranch
		}
		out.Notes = []Note{{Class: policy.Report, ID: id, Message: r.left[d.Index], Document: d.Index, Resource: out.Name, Pos: at}}
	}
	return out
}

// elsewhere are the CRDs of another world, at other lines than those that were seen.
func (r *templateRun) elsewhere(seen map[int]bool) (all []CRD) {
	for _, d := range r.world.Documents {
		if d = d.Parsed(); d.Root == nil {
			continue
		}
		r.left[d.Index] = cmp.Or(r.branch(d), "is in a branch that another branch replaces; convert it by hand")
		for _, c := range crdsIn(d) {
			if one := r.reported(d, c); !seen[one.Line] {
				seen[one.Line] = true
				all = append(all, one)
			}
		}
	}
	return all
}

// restore puts the actions back into what was converted. The error says why that is not to be, and the document is the one to
// blame; -1 where that is not known.
func (r *templateRun) restore(res *Result) (document int, err error) {
	if bytes.Equal(res.Output, r.world.Source) {
		res.Output = []byte(r.tmpl.Source)
		return 0, nil
	}
	converted := map[int]bool{}
	for _, c := range res.CRDs {
		converted[c.Document] = converted[c.Document] || c.State == policy.Converted
	}
	out, err := r.world.Mask.Restore(res.Output)
	if err == nil {
		err = r.tmpl.Prove(out, func(cut *template.Cut) ([]byte, error) { return r.convertCut(cut, converted) })
	}
	if err != nil {
		return r.blame(err), err
	}
	res.Output = out
	if alone := r.tmpl.TriedAlone(); alone != "" {
		res.note(conversion.Uncombined, alone+", since all their combinations would take too long; compare what Helm renders")
	}
	return 0, nil
}

// note adds one that is about the whole template to each CRD that was converted.
func (res *Result) note(id, message string) {
	for i := range res.CRDs {
		if c := &res.CRDs[i]; c.State == policy.Converted {
			c.Notes = append(c.Notes, Note{Class: policy.Safe, ID: id, Message: message, Document: c.Document, Resource: c.Name, Pos: lint.Position{Line: c.Line, Column: 1}})
		}
	}
}

// blame is the document that has the action of an error.
func (r *templateRun) blame(err error) int {
	var unsafe *template.Unsafe
	if !errors.As(err, &unsafe) {
		return -1
	}
	for _, d := range r.world.Documents {
		first, _ := r.world.Position(d.Start)
		last, _ := r.world.Position(d.End)
		if unsafe.Line >= first && unsafe.Line < max(last, first+1) {
			return d.Index
		}
	}
	return -1
}

// convertCut converts, in a template of which branches are chosen, the documents that were converted in the whole template.
func (r *templateRun) convertCut(cut *template.Cut, converted map[int]bool) ([]byte, error) {
	tmpl, err := template.Parse(cut.Text)
	if err != nil {
		return nil, err
	}
	mask, err := tmpl.Mask(make(template.World, len(tmpl.Blocks)))
	if err != nil {
		return nil, err
	}
	one := &templateRun{path: r.path, opt: r.opt, world: manifest.SplitMasked(r.path, mask.Text, mask), tmpl: tmpl, left: map[int]string{}}
	for _, d := range one.world.Documents {
		if !r.isConverted(cut.Origin(firstContent(d)), converted) {
			one.left[d.Index] = "left"
		}
	}
	res := one.convert()
	return mask.Restore(res.Output)
}

// isConverted reports whether an offset of the template is in a document that was converted, and not in a branch that was not
// looked at.
func (r *templateRun) isConverted(at int, converted map[int]bool) bool {
	if lines.IsBlankOrComment(lines.Text(r.world.Source[lines.Start(r.world.Source, at):])) {
		return false
	}
	for _, d := range r.world.Documents {
		if d.Start <= at && at < d.End {
			return converted[d.Index]
		}
	}
	return false
}

// leaveToRendering rewords what is said of a value that an action prints: nobody knows yet whether it is wrong.
func (r *templateRun) leaveToRendering(n *Note) {
	at, ok := r.world.Offset(n.Pos.Line, 1)
	if n.Class != policy.Report || !ok || n.ID == conversion.NotWritten || n.ID == conversion.InBranch {
		return
	}
	if action, _ := r.world.Mask.Printed(lines.Text(r.world.Source[at:])); action != "" {
		n.Message, n.Brief = fmt.Sprintf("%s decides about this; convert it by hand, or convert what Helm renders", action), ""
	}
}

// show puts the actions into names and messages.
func (r *templateRun) show(res *Result) {
	mask := r.world.Mask
	for _, all := range [][]CRD{res.CRDs, res.Meant} {
		for i := range all {
			c := &all[i]
			c.Name = mask.Show(c.Name)
			for j := range c.Notes {
				n := &c.Notes[j]
				r.leaveToRendering(n)
				n.Message, n.Brief, n.Resource = mask.Show(n.Message), mask.Show(n.Brief), mask.Show(n.Resource)
			}
		}
	}
}
