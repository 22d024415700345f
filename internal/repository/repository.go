// Package repository answers what each file of a repository is to the people who work in it: the source of a
// CustomResourceDefinition, a copy that is made of it, a release that is kept, a test's, or another project's. It decides by
// evidence that can be shown, and knows nothing of rules, findings or objects' validity.
//
// Read decide.go first, which is the rule; the other files collect what it weighs: heads.go the CRDs in texts, declared.go the kinds
// that the code declares, outputs.go where generators write and what is made of that, folders.go what the names of a tree say.
package repository

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/lint"
)

// A Tree is the files of a repository at one time: a working tree, or those of a git revision. Its paths have slashes and count
// from its top.
type Tree interface {
	Files() []string
	// Read returns the text of a file; no text for one that is too large or cannot be read. Several are read at once.
	Read(path string) []byte
}

// A Repository is the roles of the files of a tree.
type Repository struct {
	folders *folders
	all     []*Document
	in      map[string][]*Document // by file
	forced  []*Setting
	missing []Missing

	kustomizations map[string]*kustomization // by folder
	patches        map[string]Reason
	applied        []Applied
}

// A Document is a CRD in a file.
type Document struct {
	File        string
	Index, Line int // of the document in the file, from 0, and of its first line, from 1
	Name        string
	Group, Kind string
	Decision

	head
	alone bool // there is nothing else in its file
	mixed bool // there are objects of other kinds in its file
}

// A Decision is a role, and why it is that.
type Decision struct {
	Role    lint.Role
	Because Reason
	// Source is the file with the same CRD that is mended in the place of this one; "" for the source itself, and where the tree
	// has none.
	Source string
	Rank   int    // among the files with the CRD, from that which is rather its source
	Top    string // of the working tree, where a file of one is asked about
	// Guessed says that nothing speaks for the role but that one of the files has to be the source.
	Guessed bool
}

// A Reason says why, with the place that shows it where there is one.
type Reason struct {
	Text string
	File string // "" for none
	Line int    // from 1; 0 for the file as a whole
}

func (r Reason) String() string {
	switch {
	case r.File == "":
		return r.Text
	case r.Line == 0:
		return r.File + " " + r.Text
	}
	return fmt.Sprintf("%s:%d %s", r.File, r.Line, r.Text)
}

// A Missing is a CRD whose source is not in the tree, though its code is: a generator writes it when it is run, or it is taken for a
// test's.
type Missing struct {
	Name    string
	Latest  string // the file that comes nearest to it
	Because Reason // the line that would write the source; the zero Reason where no line is known
	Folder  string // that it would be in; "" where that is not known
	IsTest  bool   // Latest is the only file, and a test's by the names of its folders alone, as Because says
}

// Look decides the roles of a tree's files. Settings win over all evidence; the files that have them are those of the tree.
func Look(t Tree, settings ...Setting) *Repository {
	r := &Repository{folders: newFolders(t), in: map[string][]*Document{}}
	for _, s := range settings {
		r.forced = append(r.forced, &s)
	}
	type contents struct {
		docs    []*Document
		applied []Applied
	}
	read := func(file string) contents {
		src := t.Read(file)
		return contents{documentsIn(file, src), r.folders.appliers(file, src)}
	}
	ordered.Each(context.Background(), runtime.GOMAXPROCS(0), r.folders.manifests, read, func(c contents) {
		r.applied = append(r.applied, c.applied...)
		if docs := c.docs; len(docs) > 0 {
			r.in[docs[0].File], r.all = docs, append(r.all, docs...)
		}
	})
	e := &evidence{folders: r.folders, declared: map[string]*declaration{}}
	e.collect(t, r.all)
	r.kustomizations, r.patches = e.kustomizations, e.patches
	isOwn := func(a Applied) bool { return e.declared[a.kind] != nil } // it is what the program is about
	r.applied = append(slices.DeleteFunc(r.applied, isOwn), e.outputs.applied...)
	byName := map[string][]*Document{}
	for _, d := range r.all {
		byName[d.Name] = append(byName[d.Name], d)
	}
	for _, d := range r.all {
		if docs := byName[d.Name]; docs[0] == d {
			r.decide(e, docs)
		}
	}
	for _, s := range r.forced {
		s.used = s.used || slices.ContainsFunc(r.folders.manifests, func(file string) bool {
			return len(r.in[file]) == 0 && s.matchesFile(file) && r.folders.objects(file).Role != s.Role
		})
	}
	return r
}

// CRDs are all CRDs of the tree, by their files and places.
func (r *Repository) CRDs() []*Document { return r.all }

// DocumentsIn are the CRDs in a file.
func (r *Repository) DocumentsIn(file string) []*Document { return r.in[file] }

// CRD is the role of the CRD of a name in a file. One that is not known, such as one whose kind is misspelt, has none: it is the user's,
// unless the file is a test's.
func (r *Repository) CRD(file, name string) Decision {
	docs := r.in[file]
	if i := slices.IndexFunc(docs, func(d *Document) bool { return d.Name == name }); i >= 0 {
		return docs[i].Decision
	}
	if len(docs) > 0 {
		return docs[0].Decision // a name that only rendering decides
	}
	if d := r.File(file); d.Role == lint.RoleTest {
		return d
	}
	return Decision{}
}

// Missing are the CRDs whose source is not in the tree, by name.
func (r *Repository) Missing() []Missing { return r.missing }

// Tells reports whether a CRD has a file here whose mistakes are reported.
func (r *Repository) Tells(name string) bool {
	return slices.ContainsFunc(r.all, func(d *Document) bool { return d.Name == name && d.Role.Told() })
}

// File is the role of a file for the custom resources in it. One that is not in the tree has none.
func (r *Repository) File(file string) Decision {
	if d, ok := r.set(file); ok || !r.folders.has(file) {
		return d
	}
	d := r.folders.objects(file)
	if r.IsPatch(file) && d.Role.Own() {
		return Decision{Role: lint.RolePatch, Because: r.patches[file]}
	}
	return d
}

// Placed is File for one that need not be in the tree, by where it would be.
func (r *Repository) Placed(file string) Decision {
	if d, ok := r.set(file); ok {
		return d
	}
	return r.folders.objects(file)
}

// IsPatch reports whether a kustomization patches CRDs with a file.
func (r *Repository) IsPatch(file string) bool { return r.patches[file] != Reason{} }

// set is what the settings say of a file.
func (r *Repository) set(file string) (d Decision, ok bool) {
	for _, s := range r.forced {
		if s.matchesFile(file) {
			return s.decision(), true
		}
	}
	return Decision{}, false
}

// Below is the folder that a test or an older release is in, of which a file is one: the outermost in which files have its role.
func (r *Repository) Below(file string, role lint.Role) string {
	below := path.Dir(file)
	for above := path.Dir(below); above != "."; above = path.Dir(above) {
		if r.Placed(path.Join(above, "any.yaml")).Role != role {
			break
		}
		below = above
	}
	return below
}

// Unused are the settings that change nothing.
func (r *Repository) Unused() (all []lint.RoleSetting) {
	for _, s := range r.forced {
		if !s.used {
			all = append(all, s.RoleSetting)
		}
	}
	return all
}

// decide gives the documents of one CRD their roles: those of the evidence, over which settings have the last word.
func (r *Repository) decide(e *evidence, docs []*Document) {
	m, forced := e.decide(docs), false
	for _, d := range docs {
		if i := slices.IndexFunc(r.forced, func(s *Setting) bool { return s.matches(d) }); i >= 0 {
			s := r.forced[i]
			s.used = s.used || d.Role != s.Role
			d.Decision, d.isForced, forced = s.decision(), true, true
		}
	}
	if forced {
		m = e.decide(docs)
	}
	if m != nil {
		r.missing = append(r.missing, *m)
	}
}

// A Setting is one of a configuration, which is called as in the tree.
type Setting struct {
	lint.RoleSetting
	Below string // the path of the tree from the folder of a configuration above it; "" for one in the tree
	used  bool   // it has changed something
}

func (s *Setting) decision() Decision {
	return Decision{Role: s.Role, Because: Reason{Text: "says so", File: s.At.Pos.File, Line: s.At.Pos.Line}}
}

func (s *Setting) matchesFile(file string) bool {
	from := path.Dir(s.At.Pos.File)
	if s.Below != "" {
		from, file = ".", path.Join(s.Below, file)
	}
	return within(file, from) && matchGlob(strings.TrimPrefix(s.Glob, "./"), strings.TrimPrefix(file, from+"/"))
}

func (s *Setting) matches(d *Document) bool {
	return s.matchesFile(d.File) || !strings.Contains(s.Glob, "/") && matchGlob(s.Glob, d.Name)
}

// compareFiles orders paths as a person would name one of them: fewer folders first, then by name.
func compareFiles(a, b string) int {
	return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), strings.Compare(a, b))
}

// within reports whether a path is a folder or below it; "." has all.
func within(at, folder string) bool {
	return folder == "." || at == folder || strings.HasPrefix(at, folder+"/")
}

// upwards are the folders that a path is in, the nearest first, and "." last.
func upwards(at string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for dir := path.Dir(at); yield(dir) && dir != "."; {
			dir = path.Dir(dir)
		}
	}
}
