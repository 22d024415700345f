package older

import (
	"slices"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/template"
)

func identityOf(o *objects.Object) identity { return identity{o.Group, o.Kind, o.Namespace, o.Name} }

func (c *customObjects) read(f *file, src []byte) {
	if !objects.MayHold(src) || template.Recognise(f.Path, src) != template.None {
		return
	}
	for d := range manifest.Scan(f.Label, src).Trees() {
		if d.Err != nil && objects.MayHold(d.Text()) {
			c.broken = append(c.broken, d.Err.Error())
		}
		found, _ := objects.Find(d.Root.YNode())
		for _, o := range found {
			if o.Name != "" && o.IsCustom() { // with generateName, each is another one
				id := identityOf(o)
				if n := len(c.in[id]); n > 0 && c.in[id][n-1].file == f {
					c.in[id] = c.in[id][:n-1]
				}
				c.in[id] = append(c.in[id], formerObject{f, o})
				id.namespace = ""
				c.named[id] = c.named[id] || o.Namespace == ""
			}
		}
	}
}

// HasObjects reports whether there are custom resources.
func (s *Side) HasObjects() bool { return len(s.custom.in) > 0 }

// BrokenObjects says where documents that may have custom resources do not parse and why: their objects count as new.
func (s *Side) BrokenObjects() []string { return s.custom.broken }

// Object returns an object in the file at a path as it was; nil where it was not there or, with the reason, where that is not
// known. In a repository of several clusters, the same object is in the folder of each: the nearest one counts.
func (s *Side) Object(o *objects.Object, path string) (was request.Object, why string) {
	all := s.custom.in[identityOf(o)]
	if len(all) == 0 {
		return nil, s.elsewhere(o)
	}
	var files []*file
	for _, one := range all {
		files = append(files, one.file)
	}
	byNearness(files, s.from.near(path))
	nearest := slices.IndexFunc(all, func(one formerObject) bool { return one.file == files[0] })
	was, _, err := all[nearest].Tree()
	if err != nil {
		return nil, "kubectl could not send it as it was"
	}
	return was, ""
}

// elsewhere says that there was an object of the name, and only one of the two names its namespace; "" where there was none.
func (s *Side) elsewhere(o *objects.Object) string {
	id := identityOf(o)
	id.namespace = ""
	inNone, found := s.custom.named[id]
	switch {
	case found && o.Namespace == "":
		return "it has no namespace now, and had one"
	case found && inNone:
		return "it has a namespace now, and had none"
	}
	return ""
}
