package migrations

import (
	"cmp"

	"github.com/crdlift/crdlift/internal/carry"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	objectrules "github.com/crdlift/crdlift/rules/internal/objects"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// A judge carries the custom resources of a file.
type judge struct {
	*Kind
	linter   *engine.Linter
	out      *engine.FileReport
	config   *lint.Config
	document *manifest.Document
	leftOut  lint.Role
	edits    []rewrite.Edit
	changed  map[int]bool // documents
}

// Conceals reports that messages have no text of the file.
func (j *judge) Conceals() bool { return true }

// End puts the file together, and lets go of the run: the judge stays in the report.
func (j *judge) End(f *manifest.File) {
	j.finish(f)
	j.Kind, j.linter, j.document, j.edits = nil, nil, nil, nil
}

// Document carries the objects of a document.
func (j *judge) Document(d *manifest.Document, config *lint.Config) {
	j.config, j.document = config, d
	if j.leftOut != "" {
		j.passOver(d)
		return
	}
	if d.Err != nil {
		found := engine.Unparsed(d, config)
		for _, f := range found {
			if !j.Catalogue.MayDefine(d.Text()) { // and so has nothing to carry
				f.AtMost(lint.Info)
			}
		}
		j.out.Found = append(j.out.Found, found...)
	}
	r := j.Carrier.Document(d)
	j.count(r)
	j.tell(r.Notes)
	j.ignores(d, r)
	if len(r.Edits) > 0 {
		if j.changed == nil {
			j.changed = map[int]bool{}
		}
		j.changed[d.Index] = true
		j.edits = append(j.edits, r.Edits...)
	}
}

// passOver counts the objects of a document that would be carried, but for what their file is to its repository.
func (j *judge) passOver(d *manifest.Document) {
	if d.Root == nil {
		return
	}
	found, _ := objects.Find(d.Root.YNode())
	for _, o := range found {
		if by := j.Catalogue.Match(o, j.out.Path).Definition; by != nil && j.Concerns(by, o.Version) {
			j.out.Carried.Add(&lint.Carried{LeftOut: map[lint.Role]int{j.leftOut: 1}})
		}
	}
}

// count counts what became of objects.
func (j *judge) count(r *carry.Result) {
	c := j.out.Carried
	for _, one := range r.Items {
		switch one.State {
		case carry.Moved:
			c.Objects++
			if one.Part {
				c.Patches++
			}
		case carry.Refused:
			c.Refused++
			if one.Definition != nil {
				j.Cut(one.Definition, j.out.Path)
			}
		case carry.NoTarget:
			c.NoTarget++
		case carry.NoCRD:
			c.NoCRD++
		default:
			if one.Definition != nil {
				c.There++
			} else {
				j.out.Others++
			}
		}
	}
	c.References += r.References
	c.Comments += r.Comments
	c.Printed += r.LeftAlone
}

// ignores reads the comments of a document that ignore findings.
func (j *judge) ignores(d *manifest.Document, r *carry.Result) {
	resource, told := "", map[string]bool{}
	for _, one := range r.Items {
		if one.Definition == nil || told[one.Definition.Name] {
			continue
		}
		resource = one.Definition.Name
		told[resource] = true
		j.out.Judged = append(j.out.Judged, suppress.Subject{Document: d.Index, Resource: resource})
	}
	if len(told) == 0 {
		j.out.Judged = append(j.out.Judged, suppress.Subject{Document: d.Index})
	}
	if len(told) > 1 {
		resource = ""
	}
	if d.Root != nil {
		j.linter.ReadIgnores(d, resource, j.config, j.out)
	}
}

// tell reports notes. One of an object whose webhook does not answer any more is not about the object.
func (j *judge) tell(notes []carry.Note) {
	for i := range notes {
		n := &notes[i]
		rule := j.ruleOf(n.Rule)
		severity := rule.SeverityIn(j.config)
		if severity == lint.Off || n.Rule == refused && n.Cause == nil && n.Object != nil && j.isCut(n.Object) {
			continue
		}
		f := &engine.Finding{By: rule, Finding: &lint.Finding{
			Rule: rule.Value(), Severity: severity, Document: j.document.Index, Source: j.document.File.SourceAt(j.document.File.Range(n.Start, n.End)),
		}}
		switch {
		case n.Warn:
			f.AtMost(lint.Warning)
		case !rule.Migration: // it is taken out, which nobody has to do
			f.AtMost(lint.Info)
		}
		j.identify(f, n)
		j.out.Found = append(j.out.Found, f)
	}
}

const (
	refused    = "migrate-refused"
	unwritable = "migrate-unwritable"
)

// isCut reports whether the webhook of an object's CRD does not answer any more.
func (j *judge) isCut(o *objects.Object) bool {
	d := j.Catalogue.Match(o, j.out.Path).Definition
	return d != nil && j.Cut(d, j.out.Path)
}

// identify says which object and which place a finding is about, and what. Names that are data are hidden.
func (j *judge) identify(f *engine.Finding, n *carry.Note) {
	var hides *mask.Mask
	var by *objects.Definition
	if o := n.Object; o != nil {
		by = j.Catalogue.Match(o, j.out.Path).Definition
		f.Finding.Object = &lint.Object{APIVersion: o.APIVersion(), Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
		f.Index = o.Index
		at := *o
		at.Version = cmp.Or(n.Version, o.Version)
		hides = mask.Of(&at, by, mask.Options{All: true})
	}
	f.At = crd.Place{Node: n.Node, Path: hides.Path(n.Path).String()}
	f.Path = f.At.Path
	if by != nil {
		f.Resource = by.Name
	}
	if n.Cause == nil {
		said := n.Message
		if len(n.Path) > 0 {
			said = text.Sprintf("%s: %s", words.PathName(hides.Path(n.Path)), said)
		}
		f.Say(said)
		return
	}
	c := *n.Cause
	if c.Path = hides.Path(c.Path); c.Composed {
		c.Detail = mask.Withheld
	}
	f.Versions = []string{n.Version}
	f.Say(text.Sprintf("the object is not migrated, as %s rejects it: %s%s; correct it", text.Value(n.Version), objectrules.CauseText(&c), n.Message))
	if by != nil {
		if pos, ok := by.Constraint(n.Version, n.Cause); ok {
			f.Relate(pos, objects.ConstraintMessage(n.Cause.Keyword))
		}
	}
}

// ruleOf is the rule of an id: one of those here, or one about objects.
func (j *judge) ruleOf(id string) *engine.Rule {
	for _, r := range j.linter.Rules {
		if r.ID == id {
			return r
		}
	}
	panic("there is no rule " + id)
}

// finish makes the new text of the file. No document changes but those that are changed.
func (j *judge) finish(f *manifest.File) {
	if len(j.edits) == 0 {
		return
	}
	after := rewrite.Apply(f.Source, j.edits)
	if len(f.Documents) > 0 {
		if _, err := rewrite.CheckNeighbours(f, after, func(i int) bool { return j.changed[i] }); err != nil {
			j.tell([]carry.Note{{Rule: unwritable, Message: text.Sprintf("other documents of the file would change; write --- between them")}})
			for _, one := range j.out.Found {
				j.out.Findings = append(j.out.Findings, one.Finding)
			}
			j.out.Carried = &lint.Carried{Refused: j.out.Carried.Objects + j.out.Carried.Refused}
			return
		}
	}
	j.out.Carried.Text, j.out.Carried.Files = after, 1
}
