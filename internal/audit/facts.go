// Package audit has the facts that a dump of a cluster states beside what a server makes of each object: who wrote at which version,
// what is being deleted, which services and migrations there are, and what could not be read.
//
// Read facts.go first: what is kept, which does not grow with the number of objects. object.go takes it from objects, webhook.go says
// whether a conversion webhook can be reached.
package audit

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/lint"
)

// Facts are those of a dump, or of a piece of one. The zero value has none.
type Facts struct {
	Kinds      map[schema.GroupKind]*Kind
	Services   map[string]*Service   // by NAMESPACE/NAME
	Endpoints  map[string]*Endpoints // by NAMESPACE/NAME of the service
	Migrations []Migration           // in the order of the dump
	Unread     []Unread              // the same
}

// An Unread is something that was asked for and is not in the dump: a note that `crdlift audit --dump` writes says so.
type Unread struct {
	What   string // as the plural and group of a kind, "services/NAMESPACE/NAME", "endpointslices/NAMESPACE/SERVICE", "storageversionmigrations"
	Why    string // "403 Forbidden", in one line
	Absent bool   // it was read, and there is none
}

// A Kind is what is known of the objects of a kind.
type Kind struct {
	Objects int
	Managed int // objects with managedFields
	Writers map[Writer]*Tally
	Held    Tally // objects that are being deleted and have finalizers

	managers map[string]int // the number of Writers by their version
	order    []Writer       // Writers as they came
}

// A Writer is who writes objects at which version, as managedFields say.
type Writer struct{ Version, Manager string }

// A Tally counts objects and has the first of them.
type Tally struct {
	Count int
	First []Example
}

// An Example is an object of a Tally, as it may be shown.
type Example struct {
	*lint.Object
	Finalizers []string // of one that is held
}

const (
	// examples are how many objects a tally names, as reports on dumps do.
	examples = 3
	// maxWriters bounds the writers of a kind at each version, as names may be made up for each object: those beyond are counted as
	// Others. No CRD has had as many versions as maxVersions, and more are not looked at.
	maxWriters, maxVersions = 100, 20
)

// Others are the managers beyond the first of a kind.
const Others = "other managers"

// add counts objects, and keeps the first examples.
func (t *Tally) add(other Tally) {
	t.Count += other.Count
	t.First = append(t.First, other.First[:min(len(other.First), examples-len(t.First))]...)
}

func (k *Kind) wrote(by Writer, t Tally) {
	if k.Writers == nil {
		k.Writers, k.managers = map[Writer]*Tally{}, map[string]int{}
	}
	if k.managers[by.Version] == 0 && len(k.managers) >= maxVersions {
		return
	}
	if k.Writers[by] == nil && k.managers[by.Version] >= maxWriters {
		by.Manager = Others
	}
	if k.Writers[by] == nil {
		k.Writers[by] = &Tally{}
		k.managers[by.Version]++
		k.order = append(k.order, by)
	}
	k.Writers[by].add(t)
}

// SortedWriters are the writers by version, and then by manager.
func (k *Kind) SortedWriters() []Writer {
	return slices.SortedFunc(maps.Keys(k.Writers), func(a, b Writer) int {
		return cmp.Or(cmp.Compare(a.Version, b.Version), cmp.Compare(a.Manager, b.Manager))
	})
}

// Kind is what is known of a kind; an empty one where nothing is. Facts may be nil.
func (f *Facts) Kind(of schema.GroupKind) *Kind {
	if f == nil || f.Kinds[of] == nil {
		return &Kind{}
	}
	return f.Kinds[of]
}

// Of is what is known of the objects of a CRD.
func (f *Facts) Of(hub *apiextensions.CustomResourceDefinition) *Kind {
	return f.Kind(schema.GroupKind{Group: hub.Spec.Group, Kind: hub.Spec.Names.Kind})
}

func (f *Facts) kind(of schema.GroupKind) *Kind {
	if f.Kinds == nil {
		f.Kinds = map[schema.GroupKind]*Kind{}
	}
	if f.Kinds[of] == nil {
		f.Kinds[of] = &Kind{}
	}
	return f.Kinds[of]
}

// Join adds the facts of what follows; nil adds none.
func (f *Facts) Join(next *Facts) {
	if next == nil {
		return
	}
	for of, from := range next.Kinds {
		to := f.kind(of)
		to.Objects += from.Objects
		to.Managed += from.Managed
		to.Held.add(from.Held)
		for _, by := range from.order {
			to.wrote(by, *from.Writers[by])
		}
	}
	for name, s := range next.Services {
		f.addService(name, s)
	}
	for name, e := range next.Endpoints {
		f.addEndpoints(name, *e)
	}
	f.Migrations = append(f.Migrations, next.Migrations...)
	f.Unread = append(f.Unread, next.Unread...)
}

// Missing are the notes of what could not be read.
func (f *Facts) Missing() []Unread {
	return slices.DeleteFunc(slices.Clone(f.Unread), func(u Unread) bool { return u.Absent })
}

// NotRead notes once that something was not read.
func (f *Facts) NotRead(what, why string) {
	if !slices.ContainsFunc(f.Unread, func(u Unread) bool { return u.What == what }) {
		f.Unread = append(f.Unread, Unread{What: what, Why: why})
	}
}
