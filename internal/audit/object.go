package audit

import (
	"path"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/lint"
)

// Notes are objects of a dump that no server has: their apiVersion and kind. Each has the members of an Unread below spec: what, why
// and absent.
const (
	NoteAPIVersion = "crdlift.github.io/v1"
	NoteKind       = "Unread"
)

// Note is an Unread as an object of a dump.
func (u Unread) Note() map[string]any {
	return map[string]any{"apiVersion": NoteAPIVersion, "kind": NoteKind, "spec": map[string]any{"what": u.What, "why": u.Why, "absent": u.Absent}}
}

// Custom adds a custom resource of a kind. Shown is what may be said of who it is. Of managedFields, it keeps no names of fields.
func (f *Facts) Custom(of schema.GroupKind, o map[string]any, shown *lint.Object) {
	k := f.kind(of)
	k.Objects++
	one := Tally{Count: 1, First: []Example{{Object: shown}}}
	metadata := mapAt(o, "metadata")
	entries, _ := metadata["managedFields"].([]any)
	if len(entries) > 0 {
		k.Managed++
	}
	said := map[Writer]bool{}
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		by := Writer{path.Base(stringAt(entry, "apiVersion")), stringAt(entry, "manager")}
		if !said[by] && stringAt(entry, "apiVersion") != "" {
			said[by] = true
			k.wrote(by, one)
		}
	}
	if finalizers := Finalizers(o); len(finalizers) > 0 && metadata["deletionTimestamp"] != nil {
		k.Held.add(Tally{Count: 1, First: []Example{{shown, finalizers}}})
	}
}

// Finalizers are those of an object.
func Finalizers(o map[string]any) (names []string) {
	all, _ := mapAt(o, "metadata")["finalizers"].([]any)
	for _, one := range all {
		if name, is := one.(string); is {
			names = append(names, name)
		}
	}
	return names
}

// A Migration is a StorageVersionMigration.
type Migration struct {
	Name     string
	Resource schema.GroupResource
	Failed   bool
	Reason   string // the server's word; its message may quote values of objects, and is not kept
}

// migrates is the group of StorageVersionMigrations.
const migrates = "storagemigration.k8s.io"

// Other adds an object of another kind if it is one that facts are taken from, and reports whether it is a note. Tree reads the
// object, shown is what a name is shown as.
func (f *Facts) Other(apiVersion, kind string, tree func() map[string]any, shown func(string) string) (note bool) {
	gv, _ := schema.ParseGroupVersion(apiVersion)
	switch {
	case apiVersion == NoteAPIVersion && kind == NoteKind:
		spec := mapAt(tree(), "spec")
		absent, _ := spec["absent"].(bool)
		f.Unread = append(f.Unread, Unread{stringAt(spec, "what"), stringAt(spec, "why"), absent})
		return true
	case apiVersion == "v1" && kind == "Service":
		f.service(tree())
	case gv.Group == "discovery.k8s.io" && kind == "EndpointSlice":
		f.slice(tree())
	case gv.Group == migrates && kind == "StorageVersionMigration":
		f.migration(tree(), shown)
	}
	return false
}

func (f *Facts) migration(o map[string]any, shown func(string) string) {
	resource := mapAt(mapAt(o, "spec"), "resource")
	m := Migration{Name: shown(stringAt(mapAt(o, "metadata"), "name")), Resource: schema.GroupResource{Group: stringAt(resource, "group"), Resource: stringAt(resource, "resource")}}
	conditions, _ := mapAt(o, "status")["conditions"].([]any)
	for _, c := range conditions {
		if condition, _ := c.(map[string]any); stringAt(condition, "type") == "Failed" && stringAt(condition, "status") == "True" {
			m.Failed, m.Reason = true, stringAt(condition, "reason")
		}
	}
	f.Migrations = append(f.Migrations, m)
}

// mapAt is a member that is a mapping; an empty one where it is none.
func mapAt(o map[string]any, key string) map[string]any {
	m, _ := o[key].(map[string]any)
	return m
}

// stringAt is a member that is a text; "" where it is none.
func stringAt(o map[string]any, key string) string {
	s, _ := o[key].(string)
	return s
}
