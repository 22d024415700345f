package rules

import (
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Objects are what custom resources are checked by: the CRDs that define them, and the request that is checked.
type Objects struct {
	// On is the request: "create", "update", "status", "scale", or "all", of which the first that is rejected counts. "" is an
	// update of an object that a server wrote or that Old has, and else a create.
	On      string
	Old     *Old                   // what the objects were before; nil where that does not matter
	IsPatch func(path string) bool // whether the file at a path has patches, not objects; nil for never
	MaxSize int                    // of an object as JSON, in bytes; 0 for what an API server takes
	List    bool                   // list each object in the reports, rather than only count it
	Drift   bool                   // find what controllers write into applied objects, as lint.Objects.Applied
	// Preview is the form of objects in the previews that reports then have; nil for no previews.
	Preview *As
	// ShowValues is one of the words that ShowValues lists: whether source lines, messages and previews may have values of
	// objects. "" is the first.
	ShowValues string
	Files      []string               // of this machine that CRDs were read from, besides those that are judged
	Anonymous  bool                   // hashes take the place of names and namespaces of objects
	Stream     func(path string) bool // whether a path is that of a stream, which may come from a cluster; nil for never
	Incomplete bool                   // there are files that could not be read, and may have CRDs
	// Roles is what a CRD of a file is to its repository or, for no name, what the objects of the file are, and the folder below which
	// a CRD of a test or an older release judges objects, "" for that of its file. Nil for sources, and objects that are judged.
	Roles func(path, crd string) (role lint.Role, below string)
	// Around are further files of the repository, which may register webhooks that change objects. It is called where one would
	// matter; nil for none.
	Around func() []lint.File

	// Against has the CRDs that the others replace: the run says what becomes of the objects then. No request is judged, and On and
	// Old do not matter. Nil for a run that judges requests.
	Against *Old

	// Audit is what to look for in a dump of a cluster; nil for a run over anything else.
	Audit *Audit

	catalogue objects.Catalogue
	further   sync.Once
	webhooks  []*objects.Webhook // of Around
}

// An Audit is what a run over a dump of a cluster asks, and what it then knows, for packages of crdlift.
type Audit objectpass.HeldAudit

// An As is the form that a preview has objects in: as they are stored or, if Served, as a read shows them at a version, "" for
// the one that they are written in.
type As = lint.As

// A Preview is what may be shown of a file, and of what becomes of it.
type Preview = lint.Preview

// ShowValues are the words that Objects.ShowValues takes.
func ShowValues() []string { return objectpass.ValuesWords() }

// Operations are the words that Objects.On takes.
func Operations() []string { return objectpass.Operations() }

// OnAll is the one of them for each of the others, up to the first that is rejected.
const OnAll = string(objectpass.OnAll)

// DefaultMaxSize is how large an API server lets a request be, in bytes.
const DefaultMaxSize = objectpass.DefaultMaxSize

// A CRDFile has the CRDs of one file.
type CRDFile struct {
	Kind        string // of the first object in the file, as far as one can see without parsing it
	definitions []*objects.Definition
	path        string
	webhooks    []*objects.Webhook
}

// ReadCRDs reads the CRDs of a file. Those that are named as the CRDs to check by come before those that are only found near
// the objects. What does not parse, and what is only a part of a CRD, is skipped: the linter of CRDs reports it.
func ReadCRDs(f lint.File, named bool) (*CRDFile, error) {
	src, err := f.Read()
	if err != nil {
		return nil, err
	}
	return &CRDFile{objects.KindIn(src), objects.DefinitionsOf(f.Path, f.Label, src, f.Parts, named), f.Path, objects.Webhooks(f.Path, f.Label, src)}, nil
}

// CRDsIn reads the CRDs of a text that may be found near objects, as ReadCRDs does.
func CRDsIn(path string, src []byte) *CRDFile {
	read := func() ([]byte, error) { return src, nil }
	f, _ := ReadCRDs(lint.File{Path: path, Label: path, Read: read}, false) // which only fails where the function does
	return f
}

// reader reads the CRDs of a file while its documents are parsed for a linter. A template is read at once.
func (f *CRDFile) reader(path string, src []byte) func(parsed *manifest.Document) {
	if manifest.Recognise(path, src).Unread != template.None {
		*f = *CRDsIn(path, src)
		return nil
	}
	f.Kind, f.path, f.webhooks = objects.KindIn(src), path, objects.Webhooks(path, path, src)
	r := objects.Reader{Path: path}
	return func(parsed *manifest.Document) {
		r.Read(parsed)
		f.definitions = r.All
	}
}

// Unload lets go of what takes memory and can be read again from the text of the file, which a function returns, and of the text. The
// first time, it is to be called before Add.
func (f *CRDFile) Unload(text func() []byte) {
	for _, d := range f.definitions {
		d.Unload(text)
	}
}

// Names are the groups and the kinds that the CRDs define, sorted. An object that has none of them is checked as before when the
// file changes.
func (f *CRDFile) Names() (all []string) {
	for _, d := range f.definitions {
		all = append(all, d.Hub.Spec.Group, d.Hub.Spec.Names.Kind)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Add adds the CRDs of a file. It is not to be called while the linter runs.
func (o *Objects) Add(f *CRDFile) {
	if o.Roles != nil {
		for _, d := range f.definitions {
			d.Role, d.Below = o.Roles(d.Path, d.Name)
		}
	}
	o.catalogue.Deployed = o.Audit != nil
	o.catalogue.Add(f.definitions...)
	if len(f.webhooks) > 0 && o.role(f.path).Own() {
		o.catalogue.Mutating = append(o.catalogue.Mutating, f.webhooks...)
	}
}

// AddBuilt adds the CRDs that a kustomization, which is the label of the file, does with those of a file.
func (o *Objects) AddBuilt(f *CRDFile) {
	for _, d := range f.definitions {
		d.Role, d.Built = lint.RoleBuilt, true
	}
	o.catalogue.Add(f.definitions...)
}

// Settle has CRDs that are added from now on count only for kinds that have none yet. Their roles are of other files than those of
// objects.
func (o *Objects) Settle(roles func(path, crd string) (role lint.Role, below string)) (done func()) {
	o.catalogue.Settle()
	was := o.Roles
	o.Roles = roles
	return func() { o.Roles = was }
}

// role is that of the objects of a file.
func (o *Objects) role(path string) (role lint.Role) {
	if o.Roles != nil {
		role, _ = o.Roles(path, "")
	}
	return role
}

// mutating are the webhooks that further files of the repository register. They are looked for once.
func (o *Objects) mutating() []*objects.Webhook {
	o.further.Do(func() {
		for _, f := range o.Around() {
			if src, err := f.Read(); err == nil && o.role(f.Path).Own() {
				o.webhooks = append(o.webhooks, objects.Webhooks(f.Path, f.Label, src)...)
			}
		}
	})
	return o.webhooks
}

// Definitions are the CRDs of a run, for packages of crdlift that complete and explain objects.
type Definitions objects.Held

// Definitions are the CRDs that were added.
func (o *Objects) Definitions() Definitions { return Definitions(objects.Hold(&o.catalogue)) }

// CRDs is the number of CRDs that were added and can be read.
func (o *Objects) CRDs() int { return o.catalogue.Count() }

// Versions are the names of the versions that the CRDs have.
func (o *Objects) Versions() []string { return o.catalogue.Versions() }

// GroupVersions are the groups with the names of the versions that the CRDs have, and Kinds their kinds, sorted.
func (o *Objects) GroupVersions() (all []string) {
	for _, d := range o.catalogue.Kinds() {
		for _, v := range d.Hub.Spec.Versions {
			all = append(all, d.Hub.Spec.Group+"/"+v.Name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (o *Objects) Kinds() (all []string) {
	for _, d := range o.catalogue.Kinds() {
		all = append(all, d.Hub.Spec.Names.Kind)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ReportsOnObjects reports whether a run over custom resources may have findings of a rule: it is about any manifest, or about
// what the run asks, which is what the server says of objects or, if replaced, what becomes of them when their CRDs are.
func ReportsOnObjects(id string, replaced bool) bool {
	for _, r := range allRules {
		if check, is := r.Object.(*objectpass.Check); is && r.ID == id {
			return check.Asks(replaced)
		}
	}
	return slices.ContainsFunc(engine.OwnRules(), func(own *engine.Rule) bool { return own.ID == id && !own.Value().AboutChange })
}

// Unread says of each of the other CRDs that were added where it is and why it cannot be read.
func (o *Objects) Unread() (lines []string) {
	for _, d := range o.catalogue.Unread() {
		at := d.Where()
		lines = append(lines, text.Sprintf("%s:%d: %s", at.File, at.Line, text.Reason(d.Unread())).Brief())
	}
	return lines
}

func (o *Objects) pass() *objectpass.Objects {
	run := &objectpass.Objects{Catalogue: &o.catalogue, Files: o.Files, On: objectpass.Operation(o.On), IsPatch: o.IsPatch, MaxSize: o.MaxSize, List: o.List, Drift: o.Drift,
		Preview: o.Preview, Values: objectpass.Values(o.ShowValues), Anonymous: o.Anonymous, Stream: o.Stream, Incomplete: o.Incomplete, Role: o.role}
	if o.Audit != nil {
		run.Audit = (*objectpass.HeldAudit)(o.Audit).Audit()
	}
	if o.Against != nil {
		run.Against = (*older.Side)(o.Against)
	}
	if o.Old != nil {
		was := (*older.Side)(o.Old)
		run.Old, run.OldCRD = was.Object, was.Definition
	}
	if o.Around != nil {
		run.Mutating = o.mutating
	}
	return run
}

// MayDefine reports whether a text could hold an object of one of the CRDs.
func (o *Objects) MayDefine(src []byte) bool { return o.catalogue.MayDefine(src) }

// ReadOld reads what objects were before from files. CRDs have to be added before.
func (o *Objects) ReadOld(files []lint.File) (*Old, error) {
	s, err := older.New(files, o.MayDefine)
	return (*Old)(s), err
}
