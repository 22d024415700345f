package objects

import (
	"strings"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/template"
)

// identity is what an object is known by from one revision to the next: its version may change.
type identity struct{ group, kind, namespace, name string }

// A Former has the objects of an older side. It is filled by one goroutine, and then serves any number.
type Former struct {
	objects map[identity][]former
	named   map[identity]bool // the same without their namespaces; whether one is in none
	broken  []string
}

// A former is an object in the file at a path.
type former struct {
	path string
	*Object
}

// Read notes the objects of a file, which messages call by its label. Broken tells of documents that do not parse.
func (f *Former) Read(path, label string, src []byte) {
	if !MayHold(src) || template.Recognise(path, src) != template.None {
		return
	}
	if f.objects == nil {
		f.objects, f.named = map[identity][]former{}, map[identity]bool{}
	}
	for _, d := range manifest.Split(label, src).Documents {
		if d.Root == nil {
			d = d.Parsed()
		}
		if d.Err != nil && MayHold(d.Text()) {
			f.broken = append(f.broken, d.Err.Error())
		}
		if d.Root == nil {
			continue
		}
		found, _ := Find(d.Root.YNode())
		for _, o := range found {
			if o.Name != "" && !isBuiltIn(o.Group) && !o.isPatch() { // with generateName, each is another one
				id := o.identity()
				f.objects[id] = append(f.objects[id], former{path, o})
				id.namespace = ""
				f.named[id] = f.named[id] || o.Namespace == ""
			}
		}
	}
}

func (o *Object) identity() identity { return identity{o.Group, o.Kind, o.Namespace, o.Name} }

// Broken says where documents do not parse and why: their objects count as new.
func (f *Former) Broken() []string { return f.broken }

// Find returns an object in the file at a path as it was; nil where there was none or, with the reason, that is not known. In a repository of
// several clusters, the same object is in the folder of each: the one whose path ends most like this one counts, since the old
// side may lie in another folder. Of several as near, it is the last, as the one that is applied last.
func (f *Former) Find(o *Object, path string) (before request.Object, why string) {
	var was *Object
	nearest := 0
	for _, one := range f.objects[o.identity()] {
		if n := sharedEnd(one.path, path); was == nil || n >= nearest {
			was, nearest = one.Object, n
		}
	}
	if was == nil {
		return nil, f.elsewhere(o)
	}
	tree, _, err := was.Tree()
	if err != nil {
		return nil, "kubectl could not send it as it was"
	}
	return tree, ""
}

// elsewhere says that there was an object of the name, and only one of the two names its namespace; "" where there was none.
func (f *Former) elsewhere(o *Object) string {
	id := o.identity()
	id.namespace = ""
	inNone, found := f.named[id]
	switch {
	case found && o.Namespace == "":
		return "it has no namespace now, and had one"
	case found && inNone:
		return "it has a namespace now, and had none"
	}
	return ""
}

// sharedEnd counts the names that two paths end with.
func sharedEnd(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// IsEmpty reports whether there are no objects.
func (f *Former) IsEmpty() bool { return len(f.objects) == 0 }
