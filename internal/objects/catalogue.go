package objects

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
)

// A Catalogue has the CRDs that objects are judged by. It is filled by one goroutine, and then serves any number.
type Catalogue struct {
	// Deployed says that a cluster has the CRDs already: whether it would accept them today does not matter.
	Deployed bool

	groups map[string]map[string]*kind  // by group and kind
	known  map[string]func() *kindNames // by group
	count  int                          // of those that can be read
	unread []*Definition                // the others
	kept   servers
}

// A Definition is one CRD of a catalogue.
type Definition struct {
	Name     string
	Path     string // of its file, from where the paths of objects are
	Nth      int    // how many CRDs of its name are above it in the file
	Given    bool   // it was named as one of the CRDs, rather than found among the objects
	Hub      *apiextensions.CustomResourceDefinition
	Document *manifest.Document // it has no tree: see Tree

	told    lint.CRD          // what reports say about it; the zero CRD for one in a template, of which rendering decides
	version crd.Version       // of the manifest
	unread  string            // why it cannot be read; "" where it can
	says    [sha256.Size]byte // of all that a server asks about it: copies are known by it

	tree func() *Tree

	*judge
	kept     *servers // that of its catalogue; nil where it is in none
	deployed bool     // as its catalogue says
}

// A judge is what judges the objects of a definition and of its copies.
type judge struct {
	prepare sync.Mutex
	server  *request.Server // nil before it is asked for, and when it is not kept
	why     string          // that there is none
	refused field.ErrorList // what a server that does not have the CRD yet says of it
}

// Definitions reads the CRDs of a file. Parts of CRDs have none: `crdlift lint` reports them. CRDs that cannot be read have some
// that define nothing: see Unread.
func Definitions(path, label string, src []byte, given bool) []*Definition {
	return DefinitionsOf(path, label, src, nil, given)
}

// DefinitionsOf is Definitions for a text whose parts are taken out of a larger file.
func DefinitionsOf(path, label string, src []byte, parts []lint.Part, given bool) []*Definition {
	if !crd.MayHold(src) {
		return nil
	}
	files := []*manifest.File{manifest.SplitParts(label, src, parts)}
	if parts == nil {
		files = manifest.Open(path, label, src).Worlds
	}
	var all []*Definition
	for _, f := range files {
		above := map[string]int{}
		for _, d := range f.Documents {
			if !crd.MayHold(d.Text()) {
				continue
			}
			for _, one := range definitionsIn(d) {
				one.Path, one.Given, one.Nth = path, given, above[one.Name]
				above[one.Name]++
				all = append(all, one)
			}
		}
	}
	return all
}

func definitionsIn(document *manifest.Document) (all []*Definition) {
	d := document.Parsed()
	switch {
	case d.Err != nil && d.File.Mask != nil:
		return nil
	case d.Err != nil:
		return []*Definition{Unparsed(d)}
	}
	found, _ := crd.Find(d.Root.YNode())
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
	d.leaveToRendering(parsed, c)
	if parsed.File.Mask == nil {
		d.told = c.Told(parsed, func(text string) string { return text })
	}
	d.Document, d.judge = document, &judge{}
	d.tree = sync.OnceValue(func() *Tree { return treeOf(document.Parsed(), index) })
	return d
}

// Told is what reports say about the CRDs that count for objects anywhere, with what the earlier form of each, nil for none, says
// of its versions. CRDs in templates are left out.
func (c *Catalogue) Told(earlier func(d *Definition) *Definition) (all []lint.CRD) {
	for _, d := range c.Kinds() {
		if d.told.File == "" {
			continue
		}
		told := d.told
		if was := earlier(d); was != nil && was.unread == "" {
			told.Before = was.told.Versions
		}
		all = append(all, told)
	}
	return all
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

// Add adds CRDs. Copies have one server, and each counts where it stands.
func (c *Catalogue) Add(all ...*Definition) {
	if c.groups == nil {
		c.groups, c.known = map[string]map[string]*kind{}, map[string]func() *kindNames{}
	}
	for _, d := range all {
		d.kept, d.deployed = &c.kept, c.Deployed
		if d.unread == "" {
			c.count++
		} else {
			c.unread = append(c.unread, d)
		}
		group, name := d.Hub.Spec.Group, d.Hub.Spec.Names.Kind
		if group == "" || name == "" {
			continue
		}
		if c.groups[group] == nil {
			c.groups[group] = map[string]*kind{}
		}
		if c.groups[group][name] == nil {
			c.groups[group][name] = &kind{first: map[content]*Definition{}, given: places{}, found: places{}}
		}
		c.groups[group][name].add(d)
		c.known[group] = sync.OnceValue(func() *kindNames { return namesIn(c.groups[group]) })
	}
}

// Count is the number of CRDs that were added and can be read.
func (c *Catalogue) Count() int { return c.count }

// Versions are the names of the versions that the CRDs have, sorted.
func (c *Catalogue) Versions() []string {
	names := map[string]bool{}
	for _, kinds := range c.groups {
		for _, k := range kinds {
			for _, d := range k.all {
				for _, v := range d.Hub.Spec.Versions {
					names[v.Name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// MayDefine reports whether a text could hold an object of one of the CRDs: whether it names one of their groups, if need be
// in UTF-16.
func (c *Catalogue) MayDefine(src []byte) bool {
	src = text.WithoutNULs(src)
	for group := range c.groups {
		if bytes.Contains(src, []byte(group)) {
			return true
		}
	}
	return false
}

// Kinds lists one CRD for each kind, in the order of their paths and texts: that which counts for objects anywhere. Kinds for
// which that is not known are left out.
func (c *Catalogue) Kinds() (all []*Definition) {
	for _, kinds := range c.groups {
		for _, k := range kinds {
			if d, others := k.nearest(&Object{}, ""); len(others) == 0 && d.unread == "" {
				all = append(all, d)
			}
		}
	}
	slices.SortFunc(all, func(a, b *Definition) int {
		return cmp.Or(strings.Compare(a.Document.File.Path, b.Document.File.Path), a.Document.Index-b.Document.Index, strings.Compare(a.Name, b.Name))
	})
	return all
}

// Server returns what judges the objects of the CRD, or why nothing can.
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
		verdict := fast.OnCreate(d.Hub, d.version)
		if !verdict.Accepted() && d.version == crd.V1 {
			d.refused = apiserver.Kept(d.Hub, verdict.Verdict)
		}
		if !verdict.Accepted() && d.refused == nil {
			return nil, "the API server refuses its CRD"
		}
	}
	server, err := request.New(d.Hub)
	if err != nil {
		return nil, "its CRD cannot be used: " + err.Error()
	}
	return server, ""
}

// Refused are the places of the CRD that a server refuses, which serves it nonetheless where it has the CRD already; none before
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
