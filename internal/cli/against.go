package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

// An oldName is the user's name of the old side: a git revision, perhaps with a path in it, or a folder or file.
type oldName struct {
	revision, commit string // as messages have it, and in full; "" for a folder or file
	path             string // of a revision from the top of the repository, "" for all of it
	repository       *gitrev.Repository
}

// The prefixes distinguish the two kinds of names.
const (
	gitPrefix  = "git:"
	pathPrefix = "path:"
)

// parseOld resolves a name of the old side.
func parseOld(ctx context.Context, text string) (oldName, error) {
	if name, ok := strings.CutPrefix(text, pathPrefix); ok {
		return oldPath(name)
	}
	if name, ok := strings.CutPrefix(text, gitPrefix); ok {
		return oldRevision(ctx, name)
	}
	if text == stdinPath {
		return oldName{path: stdinPath}, nil
	}
	_, missing := os.Lstat(text)
	revision, noRevision := oldRevision(ctx, text)
	switch {
	case missing == nil && noRevision == nil:
		return oldName{}, usageError{fmt.Sprintf("%q is both a git revision and a file or folder", text),
			fmt.Sprintf("Write %s%s or %s%s.", gitPrefix, text, pathPrefix, text)}
	case missing == nil:
		return oldPath(text)
	case noRevision == nil:
		return revision, nil
	}
	return oldName{}, fmt.Errorf("%q is not a file or folder; %w", text, noRevision)
}

func oldPath(name string) (oldName, error) {
	if name == "" {
		return oldName{}, usageError{pathPrefix + " has no path", "Add a folder or a file."}
	}
	if _, err := os.Stat(name); err != nil && name != stdinPath {
		return oldName{}, err
	}
	return oldName{path: name}, nil
}

// oldRevision reads REVISION or REVISION:PATH, as git does.
func oldRevision(ctx context.Context, given string) (oldName, error) {
	repository, err := gitrev.Open(ctx, ".")
	if err != nil {
		return oldName{}, err
	}
	n := oldName{revision: text.Revision(given), repository: repository}
	if n.commit, err = n.repository.Resolve(ctx, given); err == nil {
		return n, nil
	}
	revision, inside, ok := strings.Cut(given, ":")
	if !ok {
		return oldName{}, err
	}
	n.revision = text.Revision(revision)
	if n.commit, err = n.repository.Resolve(ctx, revision); err != nil {
		return oldName{}, err
	}
	n.path = path.Clean(inside)
	if strings.HasPrefix(inside, "./") || strings.HasPrefix(inside, "../") { // as git reads them: from here
		var within bool
		if n.path, within = n.repository.Path(inside); !within {
			return oldName{}, fmt.Errorf("%s is outside of the repository", inside)
		}
	}
	if n.path == "." || inside == "" {
		n.path = ""
	}
	return n, nil
}

// isGit reports whether a name is that of a revision.
func (n oldName) isGit() bool { return n.repository != nil }

// String is the name as the user gave it.
func (n oldName) String() string {
	switch {
	case n.isGit() && n.path != "":
		return n.revision + ":" + n.path
	case n.isGit():
		return n.revision
	case n.path == stdinPath:
		return stdinName
	}
	return shown(n.path)
}

// An oldSide is the old side of a comparison.
type oldSide struct {
	older
	name   oldName
	option string       // that names it
	tree   *gitrev.Tree // nil for a folder or file
	dir    bool         // the name is that of a folder
	links  []lint.File  // to files of the folder
	count  int          // of files
}

// An older is the source of older manifests in a run; rules.Old and before.Side implement it.
type older interface {
	At(path string) (f lint.File, ok bool)
	AskedForGroup(group string) bool
	Lost(in func(lint.File) bool) []lint.LostCRD
	Used() []lint.File
	IsEmpty() bool
	IsMisspelt(name string) bool
	Misspelt() []error
	Broken() []error
	Err() error
}

// near is the path that a file has, or would have, on the old side.
func (o *oldSide) near(file string) string {
	if !o.name.isGit() {
		return file
	}
	at, _ := o.name.repository.Path(file)
	return at
}

// here is the path of a file of the side as seen from the working directory.
func (o *oldSide) here(f lint.File) string {
	if o.name.isGit() {
		return o.name.repository.Shown(f.Path)
	}
	return f.Label
}

// close ends the git process.
func (o *oldSide) close() {
	if o != nil && o.tree != nil {
		o.tree.Close()
	}
}

// broken describes the parts of the old side that were skipped although they may contain requested CRDs, or contain
// objects that were meant to be CRDs.
func (o *oldSide) broken() []string {
	if o == nil {
		return nil
	}
	var lines []string
	for _, err := range o.Broken() {
		lines = append(lines, err.Error()+"; its CRDs count as missing on the old side")
	}
	for _, err := range o.Misspelt() {
		lines = append(lines, err.Error())
	}
	return lines
}

// isEmpty reports whether there is no CRD on the old side, nor a message about an object that was meant to be one.
func (o *oldSide) isEmpty() bool {
	return len(o.Used())+len(o.Broken())+len(o.Misspelt()) == 0 && o.IsEmpty()
}

// openOld looks through the old side. The paths are those of the new side: files among them count on the old side, too,
// whatever their names are.
func openOld[S older](ctx context.Context, s *session, name oldName, paths []string, limit byteSize, read func([]lint.File) (S, error)) (o *oldSide, content S, err error) {
	o = &oldSide{name: name, option: ofAgainst}
	files, err := o.files(ctx, s, paths, int64(limit))
	if err == nil {
		content, err = read(files)
	}
	if err != nil {
		o.close()
		return nil, content, err
	}
	o.older, o.count = content, len(files)
	return o, content, nil
}

func (o *oldSide) files(ctx context.Context, s *session, paths []string, limit int64) ([]lint.File, error) {
	if o.name.isGit() {
		return o.ofRevision(ctx, s, paths, limit)
	}
	if o.name.path == stdinPath {
		text, err := input{path: stdinName}.read(s.stdin, limit)
		return []lint.File{{Path: stdinName, Label: stdinName, Read: func() ([]byte, error) { return text, err }}}, err
	}
	return o.ofFolder(s, limit)
}

// ofRevision lists the manifests of a commit.
func (o *oldSide) ofRevision(ctx context.Context, s *session, paths []string, limit int64) ([]lint.File, error) {
	r := o.name.repository
	named := map[string]bool{o.name.path: true}
	for _, p := range paths {
		if at, ok := r.Path(p); ok {
			named[at] = true
		} else if p != stdinPath {
			return nil, fmt.Errorf("%s is outside of the repository at %s, which has the revision to compare with; run crdlift in its own repository",
				p, slashed(r.Top))
		}
	}
	wanted := func(at string) bool {
		inside := o.name.path == "" || isWithin(at, o.name.path)
		return inside && (worktree.IsManifest(at) || named[at])
	}
	var err error
	if o.tree, err = r.Tree(ctx, o.name.commit, limit, wanted); err != nil {
		return nil, err
	}
	if o.name.path != "" && len(o.tree.Files) == 0 {
		for _, m := range o.tree.Missing {
			if isWithin(o.name.path, m.Path) {
				return nil, fmt.Errorf("%s has the submodule %s at %s: %s", o.name.revision, r.Shown(m.Path), o.name.path, m.Why)
			}
		}
		return nil, fmt.Errorf("%s has no manifests at %s", o.name.revision, o.name.path)
	}
	var files []lint.File
	for _, b := range o.tree.Files {
		files = append(files, lint.File{Path: b.Path, Label: o.name.revision + ":" + b.Path, Read: func() ([]byte, error) {
			text, err := o.tree.Read(b)
			if errors.Is(err, gitrev.ErrTooLarge) {
				s.oversized.add(oversized{label: o.name.revision + ":" + b.Path, path: r.Shown(b.Path), revision: o.name.revision, option: o.option})
				return nil, nil
			}
			return text, err
		}})
	}
	return files, nil
}

// ofFolder lists the manifests of a folder, or the file that is named.
func (o *oldSide) ofFolder(s *session, limit int64) ([]lint.File, error) {
	found := &finder{}
	found.find(o.name.path)
	if err := errors.Join(found.errs...); err != nil {
		return nil, err
	}
	o.dir = found.walked
	var files []lint.File
	for _, in := range found.inputs {
		read := func() ([]byte, error) { return in.read(nil, limit) }
		switch info, err := os.Stat(in.path); {
		case err == nil && !info.Mode().IsRegular(): // a pipe can be read only once
			read = sync.OnceValues(read)
		case err == nil && info.Size() > limit:
			read = func() ([]byte, error) {
				s.oversized.add(oversized{label: shown(in.path), path: shown(in.path), option: o.option})
				return nil, nil
			}
		}
		if len(in.links) > 0 {
			read = sync.OnceValues(read)
		}
		files = append(files, o.fileAt(in.path, read))
		for _, link := range in.links {
			o.links = append(o.links, o.fileAt(link, read))
		}
	}
	return files, nil
}

// fileAt is a file of the folder, or the one that is named.
func (o *oldSide) fileAt(name string, read func() ([]byte, error)) lint.File {
	at, err := filepath.Rel(o.name.path, name)
	if err != nil || at == "." {
		at = name
	}
	return lint.File{Path: slashed(at), Label: shown(name), Read: read}
}
