// Package losses says which fields of stored objects the conversion of their CRD loses, and which of its options lose none.
//
// In v1beta1, a CRD may keep the fields that its schema does not declare; in v1 they stay only where the schema says so, which is
// a choice of the conversion. Whether that loses anything depends on the objects.
//
// Read losses.go first: the CRDs, and the objects that they are judged by. way.go converts a CRD in each way there is, and
// report.go has what came out, in words.
package losses

import (
	"slices"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/upgrade"
	"github.com/crdlift/crdlift/lint"
)

// A CRD is one that was converted, and what the conversion does to its objects.
type CRD struct {
	Name     string
	Objects  int    // that were judged
	Unjudged int    // the others
	Why      string // the first of the others was not judged
	Losing   int    // objects that lose fields
	Fields   []*Field

	before *objects.Definition
	ways   []*way // the first is the one that was asked for, the others follow from the least marks to the most
}

// A Field is one that objects lose.
type Field struct {
	Path    string          // with [*] for items, and names that are data hidden
	Objects int             // that lose it
	First   []lint.Position // where the first of them have it
}

// places are so many of a field that are shown.
const places = 3

// All are the CRDs of a run, and what is known of their objects.
type All struct {
	CRDs   []*CRD // in the order of the inputs
	Others int    // objects and documents that none of the CRDs defines
	// Templates are the files that were passed over, as what they will have is not known.
	Templates int

	catalogue objects.Catalogue
	crds      map[*objects.Definition]*CRD
}

// Add adds the CRDs of a file.
func (a *All) Add(crds []*CRD) {
	if a.crds == nil {
		a.crds = map[*objects.Definition]*CRD{}
	}
	for _, c := range crds {
		a.CRDs = append(a.CRDs, c)
		a.crds[c.before] = c
		a.catalogue.Add(c.before)
	}
}

// A Look is what is known of the objects of a text.
type Look struct {
	Errs []error // of documents that do not parse

	objects  []objectLoss
	others   int
	template bool
}

// An objectLoss is what an object loses that one of the CRDs defines.
type objectLoss struct {
	crd    *CRD
	why    string      // it was not judged
	loses  []bool      // in which ways
	fields []lostField // in the way that was asked for, each once
}

// A lostField is a field that an object loses.
type lostField struct {
	path string
	at   *lint.Position // nil where the text does not have it, but a default
}

// Look checks the objects of a text, which is that of a file or, with parts, some of it. It is safe to call several at a time.
func (a *All) Look(path string, src []byte, parts []lint.Part) (look *Look) {
	look = &Look{}
	if template.Recognise(path, src) != template.None {
		look.template = true
		return look
	}
	for _, d := range manifest.SplitParts(path, src, parts).Documents {
		if d = d.Parsed(); d.Err != nil {
			look.Errs = append(look.Errs, d.Err)
			continue
		}
		found, others := objects.Find(d.Root.YNode())
		look.others += others
		for _, o := range found {
			if one := a.look(path, d, o); one != nil {
				look.objects = append(look.objects, *one)
			} else {
				look.others++
			}
		}
	}
	return look
}

// look judges an object; it returns nil for one that none of the CRDs defines.
func (a *All) look(path string, d *manifest.Document, o *objects.Object) *objectLoss {
	match := a.catalogue.Match(o, path)
	c := a.crds[match.Definition]
	if c == nil {
		return nil
	}
	one := &objectLoss{crd: c, why: match.Why}
	if match.Verdict == objects.VersionUnknown {
		one.why = "the CRD does not have the version " + o.Version
	}
	if one.why != "" {
		return one
	}
	tree, _, err := o.Tree()
	if err == nil {
		err = one.judge(tree, d, o)
	}
	if err != nil {
		one.why = err.Error()
	}
	return one
}

// judge finds out in which ways an object loses fields, and which those are in the way that was asked for.
func (l *objectLoss) judge(tree request.Object, d *manifest.Document, o *objects.Object) error {
	for i, w := range l.crd.ways {
		if i > 0 && w.loses.Load() {
			l.loses = append(l.loses, true) // that is all there is to know
			continue
		}
		prospect := w.replacement.Of(tree)
		if prospect.Err != nil {
			return prospect.Err
		}
		all := slices.DeleteFunc(prospect.Effects, func(e upgrade.Effect) bool { return e.Class != upgrade.FieldLost })
		l.loses = append(l.loses, len(all) > 0)
		if i == 0 && len(all) > 0 {
			l.note(all, d, o)
		}
	}
	return nil
}

func (l *objectLoss) note(all []upgrade.Effect, d *manifest.Document, o *objects.Object) {
	hides := mask.Of(o, l.crd.before, mask.Options{All: true})
	told := map[string]bool{}
	for _, e := range all {
		field := lostField{path: hides.Path(e.Path).Field()}
		if told[field.path] {
			continue
		}
		told[field.path] = true
		if place, missing := o.Locate(e.Path); missing == 0 {
			if start, end, ok := d.Span(place.Entry()); ok {
				at := d.File.Range(start, end)
				field.at = &at
			}
		}
		l.fields = append(l.fields, field)
	}
}

// Count counts what is known of the objects of the next text.
func (a *All) Count(look *Look) {
	a.Others += look.others
	if look.template {
		a.Templates++
	}
	for _, one := range look.objects {
		c := one.crd
		if one.why != "" {
			if c.Unjudged++; c.Unjudged == 1 {
				c.Why = one.why
			}
			continue
		}
		c.Objects++
		for i, loses := range one.loses {
			if loses {
				c.ways[i].loses.Store(true)
			}
		}
		if len(one.fields) > 0 {
			c.Losing++
		}
		for _, f := range one.fields {
			c.count(f)
		}
	}
}

func (c *CRD) count(l lostField) {
	i := slices.IndexFunc(c.Fields, func(f *Field) bool { return f.Path == l.path })
	if i < 0 {
		i = len(c.Fields)
		c.Fields = append(c.Fields, &Field{Path: l.path})
	}
	f := c.Fields[i]
	f.Objects++
	if l.at != nil && len(f.First) < places {
		f.First = append(f.First, *l.at)
	}
}

// Instead are the options that lose nothing of the objects with the least marks, and the marks that they make; ok is false where
// none do, or where they are those that were asked for.
func (c *CRD) Instead() (o policy.Options, marks int, ok bool) {
	for _, w := range c.ways[1:] {
		if !w.loses.Load() && (c.ways[0].loses.Load() || w.marks < c.ways[0].marks) {
			return w.options, w.marks, true
		}
	}
	return policy.Options{}, 0, false
}

// Marks are those that the conversion made as it was asked for.
func (c *CRD) Marks() int { return c.ways[0].marks }

// Converter is convert.File, or stands for it.
type Converter = func(path string, src []byte, opt policy.Options) (*convert.Result, error)
