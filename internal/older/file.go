package older

import (
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

var seed = maphash.MakeSeed()

// A file is a lint.File with the data that is kept of it, so that it need not be read again. The mutex of the Side
// guards the fields that change.
type file struct {
	lint.File
	hash   uint64           // of the text
	holds  bool             // it may hold a CRD
	names  []map[string]int // how many CRDs of a name each document has, nil for one that is not parsed yet; nil before the file is split
	used   bool             // something was found in it
	broken error            // what does not parse
}

// mayHave reports whether a file, according to the data kept of it, may have a CRD that is wanted, as one of the documents may.
func (f *file) mayHave(wanted func(names map[string]int) bool) bool {
	return f.holds && (f.names == nil || slices.ContainsFunc(f.names, func(names map[string]int) bool { return names == nil || wanted(names) }))
}

// A content is the text of a file, split into documents, those in YAML without their trees. Trees take many times the room
// of their text, so that a document is parsed when someone asks for one of its CRDs, and only one with several is kept.
type content struct {
	file      *file
	split     sync.Once // by the first of several goroutines
	documents []*manifest.Document
	trees     []tree // of the documents
}

// A tree is the data kept of a parsed document.
type tree struct {
	mu   sync.Mutex
	crds []CRD            // when there are several: others will be asked for
	by   map[string][]CRD // the same by their names
}

// keptFiles bounds how many files are kept: each worker may go through a bundle, which is not to be read and split anew
// for each of its CRDs.
var keptFiles = 2 * runtime.GOMAXPROCS(0)

// content returns the content of a file, which is empty for one that cannot be read.
func (s *Side) content(f *file) *content {
	c := s.contents.Of(f, func() *content { return &content{file: f} })
	c.split.Do(func() {
		text, err := f.Read()
		if err == nil && maphash.Bytes(seed, text) != f.hash {
			err = fmt.Errorf("%s was changed meanwhile", f.Label)
		}
		if err == nil {
			c.documents = manifest.Open(f.Path, f.Label, text).Documents()
			c.trees = make([]tree, len(c.documents))
		}
		s.learn(f, c.documents, err)
	})
	return c
}

// learn records the data of a file after it is split.
func (s *Side) learn(f *file, documents []*manifest.Document, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("the earlier version: %w", err)
	}
	if f.names == nil {
		f.names = make([]map[string]int, len(documents))
	}
	for i, d := range documents {
		if d.Err != nil || !mayHold(d.Text()) {
			f.names[i] = map[string]int{}
		}
		if d.Err != nil && xrd.MayHold(d.Text()) {
			f.breaks(d)
		}
	}
}

// breaks records that a document does not parse, which is expected of a template.
func (f *file) breaks(d *manifest.Document) {
	if d.File.Mask == nil {
		f.broken = d.Err
	}
}

// findIn returns the CRD of a name in a file with as many above it as nth says, or else the last; nil when there is none.
func (s *Side) findIn(f *file, name string, nth int) *CRD {
	c := s.content(f)
	last := -1
	for i, d := range c.documents {
		n, known := s.count(f, i, name)
		if !known && !mentions(d.Text(), name) {
			continue
		}
		if !known || nth < n {
			all := s.named(c, i, name)
			if nth < len(all) {
				return &all[nth]
			}
			n = len(all)
		}
		if nth -= n; n > 0 {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	all := s.named(c, last, name)
	return &all[len(all)-1]
}

func (s *Side) count(f *file, document int, name string) (count int, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f.names[document][name], f.names[document] != nil
}

func (s *Side) named(c *content, document int, name string) []CRD {
	all := s.look(c, document)
	if len(all) > 1 {
		return c.trees[document].by[name]
	}
	return slices.DeleteFunc(slices.Clone(all), func(old CRD) bool { return old.Name() != name })
}

// look lists the CRDs in a document. One that does not parse holds nothing.
func (s *Side) look(c *content, document int) []CRD {
	kept, d := &c.trees[document], c.documents[document]
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.crds != nil {
		return kept.crds
	}
	if d.Root == nil {
		d = d.Parsed()
	}
	var crds []CRD
	names, by := map[string]int{}, map[string][]CRD{}
	found, _ := xrd.Find(d.Root.YNode())
	for at, one := range found {
		if !one.IsPart() && !d.File.Mask.Mentions(one.Name()) { // a patch, for example, is at most a part of the old CRD
			old := CRD{one, d, c.documents[document], at}
			crds, by[one.Name()] = append(crds, old), append(by[one.Name()], old)
			names[one.Name()]++
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.file.names[document] = names
	if d.Err != nil {
		c.file.breaks(d)
	}
	s.learnHeads(d)
	if len(crds) > 1 {
		kept.crds, kept.by = crds, by
	}
	return crds
}

// learnHeads notes the objects of a document whose head, or the key of whose spec, is misspelt.
func (s *Side) learnHeads(d *manifest.Document) {
	if d.Root == nil {
		return
	}
	found, _ := xrd.Find(d.Root.YNode())
	found = slices.DeleteFunc(found, func(one *crd.CRD) bool { return !one.IsPart() })
	for _, meant := range append(found, crd.Meant(d.Root.YNode())...) {
		slips, name := meant.Slips(), meant.Name()
		if len(slips) == 0 || name == "" || s.heads[name] != nil {
			continue
		}
		line, column := d.Begin(slips[0].Place.Node)
		s.heads[name] = fmt.Errorf("%s:%d:%d: %s", d.File.Path, line, column, slips[0].Message().Brief())
	}
}

// A CRD is one of an earlier version, in the document it comes from.
type CRD struct {
	*crd.CRD
	Document *manifest.Document

	split *manifest.Document // the same without its tree
	index int                // among the CRDs of the document
}

// A Side is what there is at a name. It remembers which file mentions which CRD; files are read again, and documents parsed,
// when one of their CRDs is requested. Its methods may be called from several goroutines.
type Side struct {
	Strict bool // a CRD of a revision is deleted that is not among the files of the run, wherever else it is

	from        *Manifests
	custom      customObjects
	definitions definitions
	contents    memory.Memory[*file, *content]

	was *repository.Repository // nil for a side whose files have no roles
	now Roles                  // of the newer side; nil where was is

	files     []*file
	paths     map[string]*file
	mentioned map[string][]*file // the files that mention a name
	veiled    []*file            // those that may hold names without mentioning them

	mu     sync.Mutex
	asked  map[string]bool   // names that somebody looked for
	groups map[string]bool   // of those names
	heads  map[string]error  // misspelt heads, by the names of the intended CRDs
	missed map[string]bool   // names that nothing was found of
	others map[string]string // what is to be said of names whose former source is not there
	err    error
}

// definitions are the CRDs that objects of a Side are judged by. What a cluster has is served, whether or not it would be
// accepted today.
type definitions struct {
	mu    sync.Mutex
	made  map[lookup]func() *objects.Definition
	all   objects.Catalogue // of their servers, of which not all are kept
	kinds func() map[kind][]string
}

// A lookup is what a CRD is looked up by.
type lookup struct {
	name, path string
	nth        int
}

type kind struct{ group, name string }

// identity is what an object is known by from one revision to the next: its version may change.
type identity struct{ group, kind, namespace, name string }

// customObjects are the custom resources of a Side.
type customObjects struct {
	in     map[identity][]formerObject
	named  map[identity]bool // the same without their namespaces; whether one is in none
	broken []string
}

// A formerObject is one of a file. Of several in one file it is the last, as the one that is applied last.
type formerObject struct {
	file *file
	*objects.Object
}

// crds goes through the CRDs of those documents of a file that may have one with a name that is wanted.
func (s *Side) crds(f *file, wanted func(name string) bool) iter.Seq[CRD] {
	some := func(names map[string]int) bool { return slices.ContainsFunc(slices.Collect(maps.Keys(names)), wanted) }
	skips := func(skips func() bool) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return skips()
	}
	return func(yield func(CRD) bool) {
		if skips(func() bool { return !f.mayHave(some) }) {
			return
		}
		c := s.content(f)
		for i := range c.documents {
			if skips(func() bool { return f.names[i] != nil && !some(f.names[i]) }) {
				continue
			}
			for _, old := range s.look(c, i) {
				if !yield(old) {
					return
				}
			}
		}
	}
}
