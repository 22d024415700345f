package objects

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
)

// A Definition is one CRD of a catalogue.
type Definition struct {
	Name    string
	Path    string // of its file, from where the paths of objects are
	Nth     int    // how many CRDs of its name are above it in the file
	Further bool   // nobody has asked for it: there is no other of its kind, and no sample of it is expected
	Given   bool   // it was named as one of the CRDs, rather than found among the objects
	// Role is that of the CRD in its repository, "" for a source. One of a test or an older release judges what is below a folder
	// alone, "" for the one that it is in.
	Role     lint.Role
	Below    string
	Built    bool                                    // by a kustomization, which messages name: nothing in it has a place
	stored   bool                                    // a server has what it is made of, and the CRD beside that
	Hub      *apiextensions.CustomResourceDefinition // without schemas once it was unloaded: see Whole
	Document *manifest.Document                      // it has no tree: see Tree

	told    lint.CRD          // what reports say about it; the zero CRD for one in a template, of which rendering decides
	version crd.Version       // of the manifest
	unread  string            // why it cannot be read; "" where it can
	says    [sha256.Size]byte // of all that a server asks about it: copies are known by it

	index  int           // how many CRDs of its document are above it
	bare   bool          // it was unloaded
	reopen func() []byte // the text of its file, which Document does not have; nil where it has
	*reread

	*judge
	kept     *servers // that of its catalogue; nil where it is in none
	deployed bool     // as its catalogue says
}

// Definitions reads the CRDs of a file. Parts of CRDs have none: `crdlift lint` reports them. CRDs that cannot be read have some
// that define nothing: see Unread.
func Definitions(path, label string, src []byte, given bool) []*Definition {
	return DefinitionsOf(path, label, src, nil, given)
}

// DefinitionsOf is Definitions for a text whose parts are taken out of a larger file.
func DefinitionsOf(path, label string, src []byte, parts []lint.Part, given bool) []*Definition {
	if !xrd.MayHold(src) {
		return nil
	}
	files := []*manifest.File{manifest.SplitParts(label, src, parts)}
	if parts == nil {
		files = manifest.Open(path, label, src).Worlds
	}
	var all []*Definition
	for _, f := range files {
		r := Reader{Path: path, Given: given}
		for _, d := range f.Documents {
			r.Read(d)
		}
		all = append(all, r.All...)
	}
	return all
}

// A Reader reads the CRDs of a file, one document after the other.
type Reader struct {
	Path  string
	Given bool
	All   []*Definition

	above map[string]int // how many CRDs have a name
}

// Read reads those of a document. Its tree is not kept.
func (r *Reader) Read(document *manifest.Document) {
	if !xrd.MayHold(document.Text()) {
		return
	}
	if r.above == nil {
		r.above = map[string]int{}
	}
	for _, one := range definitionsIn(document.Unparsed(), document.Tree()) {
		one.Path, one.Given, one.Nth = r.Path, r.Given, r.above[one.Name]
		r.above[one.Name]++
		r.All = append(r.All, one)
	}
}

func definitionsIn(document, d *manifest.Document) (all []*Definition) {
	switch {
	case d.Err != nil && d.File.Mask != nil:
		return nil
	case d.Err != nil:
		return []*Definition{Unparsed(d)}
	}
	found, _ := xrd.Find(d.Root.YNode())
	for i, c := range found {
		if one := Define(document, d, c, i); one != nil {
			all = append(all, one)
		}
	}
	return all
}

// Define is the definition by a CRD of a document, which counts others above it there; nil for a part of one, and where an action
// of a template decides what kind it defines. The document is kept, and parsed again when its tree is asked for.
func Define(document, parsed *manifest.Document, c *crd.CRD, index int) *Definition {
	if c.IsPart() || nameless(document, c) {
		return nil
	}
	d := define(c)
	d.stored = c.From != nil && crd.Get(c.From.Node, "metadata", "uid") != nil
	d.leaveToRendering(parsed, c)
	if parsed.File.Mask == nil {
		d.told = c.Told(parsed, func(text string) string { return text })
	}
	d.Document, d.index, d.judge, d.reread = document, index, &judge{}, &reread{}
	return d
}

// define decodes a CRD. One without a group defines nothing: all of Kubernetes' own objects would be its.
func define(c *crd.CRD) *Definition {
	d := &Definition{Name: c.Name(), version: c.Version}
	decoded, err := c.Decode()
	if err == nil {
		d.Hub = decoded.Hub
		var spec []byte
		spec, err = yaml11.ToJSON(crd.Get(c.Node, "spec"))
		d.says = sha256.Sum256(fmt.Appendf(nil, "%s %q %q %s", c.Version, d.Name, d.Hub.Annotations[apiextensionsv1.KubeAPIApprovedAnnotation], spec))
	}
	switch {
	case err != nil:
		d.Hub, d.unread = sketch(c), "its CRD cannot be read: "+err.Error()
	case d.Hub.Spec.Group == "" || d.Hub.Spec.Names.Kind == "":
		d.unread = "its CRD has no group or no kind"
	}
	return d
}

// Server returns what checks the objects of the CRD, or why nothing can.
func (d *Definition) Server() (server *request.Server, why string) {
	d.prepare.Lock()
	isNew := d.server == nil && d.why == ""
	if isNew {
		d.server, d.why = d.newServer()
	}
	server, why = d.server, d.why
	d.prepare.Unlock()
	if isNew && d.kept != nil {
		d.kept.add(d.judge)
	}
	return server, why
}

func (d *Definition) newServer() (server *request.Server, why string) {
	if d.unread != "" {
		return nil, d.unread
	}
	if !d.deployed {
		verdict := fast.OnCreate(d.Whole(), d.version)
		if !verdict.Accepted() && d.version == crd.V1 {
			d.refused = apiserver.Kept(d.Whole(), verdict.Verdict)
		}
		if !verdict.Accepted() && d.refused == nil {
			return nil, "the API server rejects its CRD"
		}
	}
	server, err := request.New(d.Whole())
	if err != nil {
		return nil, "its CRD cannot be used: " + err.Error()
	}
	return server, ""
}

// Refused are the places of the CRD that a server rejects, which serves it nonetheless where it has the CRD already; none before
// Server is called.
func (d *Definition) Refused() (all []crd.Place) {
	d.prepare.Lock()
	defer d.prepare.Unlock()
	for _, err := range d.refused {
		at, _ := d.Tree().LocateExactly(err.Field)
		all = append(all, at)
	}
	return all
}

// IsRefused reports whether there are such places.
func (d *Definition) IsRefused() bool {
	d.prepare.Lock()
	defer d.prepare.Unlock()
	return len(d.refused) > 0
}

// unfit says why the objects of a version cannot be judged; "" where they can.
func (d *Definition) unfit(version string) string {
	server, why := d.Server()
	if why != "" {
		return why
	}
	if err := server.Version(version).Err(); err != nil {
		return "its CRD cannot be used: " + err.Error()
	}
	return ""
}

// Version returns a version of the CRD; nil where it has none of that name.
func (d *Definition) Version(name string) *apiextensions.CustomResourceDefinitionVersion {
	i := slices.IndexFunc(d.Hub.Spec.Versions, func(v apiextensions.CustomResourceDefinitionVersion) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &d.Hub.Spec.Versions[i]
}

// Storage is the name of the version that objects are stored in; "" for a CRD without one, which is not accepted.
func (d *Definition) Storage() string {
	for _, v := range d.Hub.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}

// Converts reports whether the objects of a version go through a conversion webhook on their way to or from storage, so that
// nothing is known of what becomes of them.
func (d *Definition) Converts(version string) bool {
	c := d.Hub.Spec.Conversion
	v := d.Version(version)
	return c != nil && c.Strategy == apiextensions.WebhookConverter && v != nil && !v.Storage
}

// IsNamespaced reports whether objects of the kind are in a namespace.
func (d *Definition) IsNamespaced() bool { return d.Hub.Spec.Scope == apiextensions.NamespaceScoped }

// Unread says why the CRD cannot be read; "" where it can.
func (d *Definition) Unread() string { return d.unread }

// sketch is what can be known of a CRD that cannot be decoded: which objects it is about.
func sketch(c *crd.CRD) *apiextensions.CustomResourceDefinition {
	hub := &apiextensions.CustomResourceDefinition{}
	spec := crd.Get(c.Node, "spec")
	hub.Spec.Group, hub.Spec.Names.Kind = crd.StringAt(spec, "group"), crd.StringAt(spec, "names", "kind")
	for _, v := range c.Versions() {
		hub.Spec.Versions = append(hub.Spec.Versions, apiextensions.CustomResourceDefinitionVersion{Name: v.Name, Served: true})
	}
	return hub
}

// Unparsed is the definition of a document that names a CRD and does not parse.
func Unparsed(d *manifest.Document) *Definition {
	return &Definition{
		Document: d, judge: &judge{}, Hub: &apiextensions.CustomResourceDefinition{}, unread: "its CRD does not parse: " + d.Err.Message,
		reread: &reread{tree: &Tree{CRD: &crd.CRD{}, document: d}},
	}
}

// nameless reports whether an action of a template decides what kind a CRD defines.
func nameless(d *manifest.Document, c *crd.CRD) bool {
	mask := d.File.Mask
	return mask.Mentions(crd.StringAt(c.Node, "spec", "group")) || mask.Mentions(crd.StringAt(c.Node, "spec", "names", "kind"))
}

// IsTemplate reports whether the CRD is in a template.
func (d *Definition) IsTemplate() bool {
	return d != nil && d.Document != nil && d.Document.File.Mask != nil
}

// leaveToRendering has nothing judged by a CRD whose schemas an action of a template prints a part of.
func (d *Definition) leaveToRendering(document *manifest.Document, c *crd.CRD) {
	mask := document.File.Mask
	if mask == nil || d.unread != "" {
		return
	}
	for _, key := range []string{"validation", "versions"} {
		start, end, ok := document.Span(crd.Get(c.Root(), "spec", key))
		if !ok {
			continue
		}
		if action, at := mask.Printed(document.File.Source[start:end]); action != "" {
			line, _ := document.File.Position(start + at)
			d.unread = fmt.Sprintf("its CRD is a template, and %s on line %d prints a part of its schemas", action, line)
			return
		}
	}
}
