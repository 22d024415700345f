// Package drift answers how a version in a manifest differs from the Go types that controller-gen wrote it from: fields
// that only one of them has, what markers say, and texts. It knows what is no sign that the manifest is older or newer than
// the types: what other modules declare, what tools take out of manifests, and how versions of the generator write comments.
// Whether a manifest is to agree with the types at all, it does not know.
//
// Read drift.go first: a comparison goes through the manifest and, beside it, through the types. kind.go compares what
// markers say of the version and the CRD, and which fields are required, keyword.go what they say of a schema, and value.go
// reads both sides and compares descriptions.
package drift

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// A Reason is the way in which a manifest and Go types differ.
type Reason int

const (
	Missing Reason = iota // Go declares a field, and the manifest lacks it
	Extra                 // the manifest has a property that Go does not declare
	Limit                 // a keyword of the manifest is not what the markers in Go say
	Text                  // the manifest describes something in other words than Go
	Ignored               // controller-gen makes nothing of a marker: the manifest is up to date in this
)

// A Difference is one place where a manifest and Go types differ.
type Difference struct {
	Reason  Reason
	At      crd.Place // what is extra or described, or what lacks the field
	Path    string    // of values, as crd.Schema.FieldPath: what is extra, described or missing; "" for the whole object
	Keyword string    // of a Limit; marker.Required and marker.Optional for what the manifest says of a property
	// Declared and Written are what Go and the manifest have there, "" for nothing; both are "" where that is not one value.
	Declared, Written string
	// Go is the field or type that is missing or described, or the one that lacks what is extra. Of an ignored marker, it is
	// what that stands above.
	Go lint.Mark
	// Marker is one that is ignored, and Why the reason.
	Marker gotypes.Marker
	Why    marker.Rejection

	foreign bool // another module declares the type of what is missing
}

func (d Difference) rank() int {
	switch {
	case d.foreign:
		return int(Ignored)
	case d.Reason == Ignored:
		return int(Ignored) + 1
	}
	return int(d.Reason)
}

// maxDifferences bounds the work on hostile input. A manifest that differs more has more to say than anybody reads.
const maxDifferences = 1000

// Find returns how a version of a CRD differs from the struct of the kind, the clearest first: missing fields, then what is
// extra, then what markers say and texts, each in the order of the manifest. Markers that are ignored follow. After a
// thousand differences it stops.
//
// Fields of types of other modules do not count where nothing else differs: such types can be very large, and tools take
// them out of manifests.
func Find(of *crd.CRD, v crd.APIVersion, kind *gotypes.Kind) []Difference {
	root := v.Root()
	c := &comparison{texts: TextsOf(root), seen: map[*yaml.Node]bool{}, rejected: map[lint.Position]bool{}, of: kind}
	c.version, c.generator = generatorOf(of)
	c.kind(of, v, kind)
	c.compare(root, kind.At(), nil)
	if !slices.ContainsFunc(c.found, func(d Difference) bool { return !d.foreign && d.Reason != Ignored }) {
		c.found = slices.DeleteFunc(c.found, func(d Difference) bool { return d.foreign })
	}
	slices.SortStableFunc(c.found, func(a, b Difference) int { return a.rank() - b.rank() })
	return c.found
}

// A comparison goes through the schema of a version.
type comparison struct {
	texts     *Texts
	of        *gotypes.Kind
	seen      map[*yaml.Node]bool    // of an anchor's schema only the first use is compared, so that no circle is met
	version   *version.Version       // of the generator; nil where it is not known
	generator *version.Version       // the same; nil where markers are not compared but for limits
	rejected  map[lint.Position]bool // markers that were looked at
	found     []Difference
}

// full reports whether there are so many differences that the comparison ends.
func (c *comparison) full() bool { return len(c.found) >= maxDifferences }

// compare compares a schema, and those below it, with what Go declares there; list is the place of the list that the
// schema is of the elements of. Of what another module declares only the comment at the own field is compared, and of what
// the type has its own code for nothing.
func (c *comparison) compare(s *crd.Schema, at gotypes.Place, list *gotypes.Place) {
	node := crd.Deref(s.Node)
	if at.Outcome != gotypes.Exact || c.seen[node] || c.full() {
		return
	}
	c.seen[node] = true
	if at.DocKnown && c.texts.Differ(s, at.Doc) {
		c.add(Difference{Reason: Text, At: s.Place, Path: s.FieldPath()}, at, at.Doc)
	}
	c.ignored(s, at)
	if at.Foreign != nil {
		return
	}
	for _, v := range c.marked(s, at, list) {
		d := Difference{Reason: Limit, At: s.Place, Path: s.FieldPath(), Keyword: v.keyword}
		d.Declared, d.Written = v.plain()
		c.add(d, at, "")
	}
	c.missing(s, at)
	c.required(s, at)
	for _, e := range crd.Entries(s.Get("properties")) {
		property := s.Property(e.Name)
		below := at.At("properties", e.Name)
		if below.Outcome == gotypes.Missing {
			c.add(Difference{Reason: Extra, At: property.Place, Path: property.FieldPath()}, at, "")
		}
		c.compare(property, below, nil)
	}
	if items := s.Items(); items != nil {
		c.compare(items, at.At("items"), &at)
	}
	if values := s.AdditionalProperties(); values != nil {
		c.compare(values, at.At("additionalProperties"), nil)
	}
}

// WrittenLater reports whether a step after the generator wrote a keyword of a schema: it is for another type than the
// schema has, and no marker at the place makes it.
func WrittenLater(s *crd.Schema, keyword string, at gotypes.Place) bool {
	markers, _ := markersOf(at, nil, nil)
	return !s.Fits(keyword) && !slices.ContainsFunc(markers, func(m marker.Marker) bool { return m.Row.Keyword == keyword })
}

// missing adds the fields of a struct that its schema lacks. A schema that keeps unknown fields, or that requires a field
// without declaring it, has lost it to a tool.
func (c *comparison) missing(s *crd.Schema, at gotypes.Place) {
	properties := s.Get("properties")
	if properties == nil || s.KeepsUnknown() {
		return
	}
	fields, _ := at.Members()
	for _, f := range fields {
		if c.full() {
			return
		}
		if k, _ := crd.Lookup(properties, f.JSON); k != nil || s.Required(f.JSON) {
			continue
		}
		path := strings.TrimPrefix(s.FieldPath()+"."+f.JSON, ".")
		c.found = append(c.found, Difference{
			Reason: Missing, At: s.Place, Path: path, Go: fieldMark(f), foreign: isForeign(at.At("properties", f.JSON)),
		})
	}
}

// isForeign reports whether another module declares what is at a place, or its elements.
func isForeign(at gotypes.Place) bool {
	return at.Foreign != nil || at.At("items").Foreign != nil || at.At("additionalProperties").Foreign != nil
}

// add adds a difference at a place: at its type if that has the text or lacks the property, and otherwise at its field.
func (c *comparison) add(d Difference, at gotypes.Place, text string) {
	if c.full() {
		return
	}
	if f := at.Field; f != nil && (at.Type == nil || d.Reason == Limit && len(at.Elements) == 0 || d.Reason == Text && len(at.Elements) == 0 && f.Doc == text) {
		d.Go = fieldMark(f)
	} else {
		d.Go = lint.Mark{Pos: at.Type.Pos, Symbol: at.Type.Name, At: lint.TypeDeclaration}
	}
	c.found = append(c.found, d)
}

// ignored adds the markers above the declarations of a place of which controller-gen makes nothing, each once.
func (c *comparison) ignored(s *crd.Schema, at gotypes.Place) {
	look := func(markers []gotypes.Marker, above marker.Target, mark lint.Mark) {
		for _, m := range markers {
			if c.full() || c.rejected[m.Pos] {
				continue
			}
			c.rejected[m.Pos] = true
			if why := marker.Reject(m.Text, above, c.version); why.Fault != marker.None {
				c.found = append(c.found, Difference{Reason: Ignored, At: s.Place, Path: s.FieldPath(), Go: mark, Marker: m, Why: why})
			}
		}
	}
	if at.Field != nil && len(at.Elements) == 0 {
		look(at.Field.Markers, marker.AboveField, fieldMark(at.Field))
	}
	for _, t := range at.Types() {
		above, mark := marker.AboveType, lint.Mark{Pos: t.Pos, Symbol: t.Name, At: lint.TypeDeclaration}
		if len(t.Markers) > 0 && c.of.Declares(t) {
			above, mark.At = marker.AboveKind, lint.KindDeclaration
		}
		look(t.Markers, above, mark)
	}
}

func fieldMark(f *gotypes.Field) lint.Mark {
	return lint.Mark{Pos: f.Pos, Symbol: f.Symbol, At: lint.FieldDeclaration}
}
