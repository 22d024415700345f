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

// Read judges the objects of a file. The errors are of documents that do not parse; the others are judged all the same.
func (a *All) Read(path string, src []byte) (errs []error) {
	if manifest.TemplateOf(path, src) != manifest.NoTemplate {
		return nil
	}
	for _, d := range manifest.Split(path, src).Documents {
		if d = d.Parsed(); d.Err != nil {
			errs = append(errs, d.Err)
			continue
		}
		if d.Root == nil {
			continue
		}
		found, others := objects.Find(d.Root.YNode())
		a.Others += others
		for _, o := range found {
			a.judge(path, d, o)
		}
	}
	return errs
}

// judge finds out what an object loses.
func (a *All) judge(path string, d *manifest.Document, o *objects.Object) {
	match := a.catalogue.Match(o, path)
	c := a.crds[match.Definition]
	if c == nil {
		a.Others++
		return
	}
	why := match.Why
	switch match.Verdict {
	case objects.Judged, objects.VersionUnserved:
	case objects.VersionUnknown:
		why = "the CRD does not have the version " + o.Version
	case objects.Ambiguous:
		why = "there are several CRDs of its kind, and they differ"
	}
	if why == "" {
		var tree request.Object
		var err error
		if tree, _, err = o.Tree(); err == nil {
			err = c.judge(tree, lostIn{d, o, mask.Of(o, c.before, mask.Options{All: true})})
		}
		if err != nil {
			why = err.Error()
		}
	}
	if why != "" && c.Unjudged == 0 {
		c.Why = why
	}
	if why != "" {
		c.Unjudged++
	} else {
		c.Objects++
	}
}

// A lostIn is an object that loses fields.
type lostIn struct {
	document *manifest.Document
	object   *objects.Object
	mask     *mask.Mask
}

// judge finds out in which ways an object loses fields, and which those are in the way that was asked for.
func (c *CRD) judge(o request.Object, in lostIn) error {
	for i, w := range c.ways {
		if i > 0 && w.loses {
			continue // that is all there is to know
		}
		prospect := w.replacement.Of(o)
		if prospect.Err != nil {
			return prospect.Err
		}
		lost := slices.DeleteFunc(prospect.Effects, func(e upgrade.Effect) bool { return e.Class != upgrade.FieldLost })
		w.loses = w.loses || len(lost) > 0
		if i == 0 && len(lost) > 0 {
			c.Losing++
			c.note(lost, in)
		}
	}
	return nil
}

// note notes the fields that an object loses, each once.
func (c *CRD) note(lost []upgrade.Effect, in lostIn) {
	seen := map[string]bool{}
	for _, e := range lost {
		path := in.mask.Path(e.Path).Field()
		if seen[path] {
			continue
		}
		seen[path] = true
		i := slices.IndexFunc(c.Fields, func(f *Field) bool { return f.Path == path })
		if i < 0 {
			i = len(c.Fields)
			c.Fields = append(c.Fields, &Field{Path: path})
		}
		f := c.Fields[i]
		f.Objects++
		if place, missing := in.object.Locate(e.Path); len(f.First) < places && missing == 0 {
			if start, end, ok := in.document.Span(place.Entry()); ok {
				f.First = append(f.First, in.document.File.Range(start, end))
			}
		}
	}
}

// Instead are the options that lose nothing of the objects with the least marks, and the marks that they make; ok is false where
// none do, or where they are those that were asked for.
func (c *CRD) Instead() (o policy.Options, marks int, ok bool) {
	for _, w := range c.ways[1:] {
		if !w.loses && (c.ways[0].loses || w.marks < c.ways[0].marks) {
			return w.options, w.marks, true
		}
	}
	return policy.Options{}, 0, false
}

// Marks are those that the conversion made as it was asked for.
func (c *CRD) Marks() int { return c.ways[0].marks }

// Converter is convert.File, or stands for it.
type Converter = func(path string, src []byte, opt policy.Options) (*convert.Result, error)
