package older

import (
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
)

// Definition is the CRD that one of the newer side replaces; nil where that one is new. As Find has it, it is the nearest.
func (s *Side) Definition(is *objects.Definition) *objects.Definition {
	return s.definition(lookup{is.Name, is.Path, is.Nth})
}

func (s *Side) definition(a lookup) *objects.Definition {
	s.definitions.mu.Lock()
	made := s.definitions.made[a]
	if made == nil {
		made = sync.OnceValue(func() *objects.Definition { return s.define(a) })
		s.definitions.made[a] = made
	}
	s.definitions.mu.Unlock()
	return made()
}

func (s *Side) define(a lookup) *objects.Definition {
	was, f := s.find(a.name, a.path, a.nth)
	if was == nil {
		return s.unparsed(a.name)
	}
	d := objects.Define(was.split, was.Document, was.CRD, was.index)
	if d == nil {
		return nil
	}
	d.Path = f.Path
	s.definitions.mu.Lock()
	defer s.definitions.mu.Unlock()
	s.definitions.all.Add(d)
	return d
}

// unparsed is a CRD of a name that is not found, and may be in a document that does not parse; nil where there is none.
func (s *Side) unparsed(name string) *objects.Definition {
	for _, f := range slices.Concat(s.mentioned[name], s.veiled) {
		for _, d := range s.content(f).documents {
			if d = d.Parsed(); d.Err != nil && d.File.Mask == nil && mentions(d.Text(), name) {
				return objects.Unparsed(d)
			}
		}
	}
	return nil
}

// Replaced is Definition for an object of the kind; why says that there is nothing that it could be compared with.
func (s *Side) Replaced(is *objects.Definition, o *objects.Object) (was *objects.Definition, why string) {
	if was = s.Definition(is); was == nil {
		return nil, "its CRD is new"
	}
	switch m := was.Match(o); m.Verdict {
	case objects.VersionUnknown:
		return nil, "the old CRD does not have the version " + o.Version
	case objects.NotJudged:
		return nil, "of the old CRD: " + m.Why
	}
	if _, why := was.Server(); why != "" {
		return nil, "of the old CRD: " + why
	}
	return was, ""
}

// Replacing is what becomes of what is known of an object in the file at a path, where the CRDs replace those of this side: a
// version that is not there any more is no reason not to check the object, and a kind may be gone.
func (s *Side) Replacing(m objects.Match, o *objects.Object, path string) objects.Match {
	switch m.Verdict {
	case objects.VersionUnserved, objects.VersionUnknown:
		m.Verdict = objects.Judged
		if _, m.Why = m.Definition.Server(); m.Why != "" {
			m.Verdict = objects.NotJudged
		}
	case objects.KindUnknown:
		for _, name := range s.definitions.kinds()[kind{o.Group, o.Kind}] {
			was := s.definition(lookup{name, path, 0})
			if was == nil || was.Hub.Spec.Names.Kind != o.Kind {
				continue
			}
			if old := was.Match(o).Verdict; old == objects.Judged || old == objects.VersionUnserved {
				return objects.Match{Verdict: objects.KindGone, Definition: was}
			}
		}
	}
	return m
}

func (s *Side) namesOfKinds() map[kind][]string {
	names := map[kind][]string{}
	for _, f := range s.files {
		for old := range s.crds(f, func(string) bool { return true }) {
			spec := crd.Get(old.Node, "spec")
			k := kind{crd.StringAt(spec, "group"), crd.StringAt(spec, "names", "kind")}
			if name := old.Name(); !slices.Contains(names[k], name) {
				names[k] = append(names[k], name)
			}
		}
	}
	return names
}
