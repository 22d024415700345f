package older

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// Roles say what the files of the newer side are to their repository, by the names that Find takes.
type Roles interface {
	CRD(file, name string) repository.Decision
	Missing() []repository.Missing
}

// UseRoles has what files are to their repository decide, on both sides: the source of a CRD is compared with what was its source,
// wherever that was, and only a CRD that was reported on is deleted. A file and a dump have no roles, and nothing changes for them.
func (s *Side) UseRoles(was *repository.Repository, now Roles) {
	if was != nil {
		s.was, s.now = was, now
	}
}

// Repository is what the files at a name are to the repository of its revision, or to the folder; nil for anything else, and for a
// part of a revision without any CRD that is reported on: such as an old release, it is asked for as it is.
func (m *Manifests) Repository(ctx context.Context, settings []repository.Setting) (*repository.Repository, error) {
	switch {
	case m.Folder:
		return repository.Look(repository.OnDisk(m.Path), settings...), nil
	case !m.IsGit():
		return nil, nil
	}
	r, err := m.lookAt(ctx, nil, settings)
	isTold := func(f lint.File) bool {
		return f.Path != m.Path && slices.ContainsFunc(r.DocumentsIn(f.Path), func(d *repository.Document) bool { return d.Role.Told() })
	}
	if err != nil || m.Path != "" && !slices.ContainsFunc(m.Files, isTold) {
		return nil, err
	}
	return r, nil
}

// Evidence is what the files of a working tree are to its repository by what the revision shows: CRDs count as they are now, and all
// else as the revision has it.
func (m *Manifests) Evidence(ctx context.Context, now repository.Tree, settings []repository.Setting) (*repository.Repository, error) {
	return m.lookAt(ctx, now, settings)
}

// lookAt looks at all files of the revision, with the CRDs of a working tree if that is not nil.
func (m *Manifests) lookAt(ctx context.Context, now repository.Tree, settings []repository.Setting) (*repository.Repository, error) {
	// Git processes of its own: after a failure they can be read no more, and who compares manifests needs no Go types.
	tree, err := m.repository.Tree(ctx, m.commit, m.reader.Limit, worktree.IsEntered)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	t := &revisionTree{tree: tree, blobs: map[string]gitrev.Blob{}}
	for _, b := range tree.Files {
		t.files, t.blobs[b.Path] = append(t.files, b.Path), b
	}
	r := repository.Look(withCRDs(t, now), settings...)
	if t.err != nil {
		return nil, fmt.Errorf("%s: each CRD is compared with the nearest file, since git cannot read all files (%w); fetch the whole revision", m.Revision, t.err)
	}
	return r, nil
}

// A revisionTree is the files of a revision.
type revisionTree struct {
	tree  *gitrev.Tree
	files []string
	blobs map[string]gitrev.Blob

	mu  sync.Mutex // while git reads
	err error      // the first
}

func (t *revisionTree) Files() []string { return t.files }

func (t *revisionTree) Read(at string) []byte {
	blob, ok := t.blobs[at]
	if !ok {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	text, err := t.tree.Read(blob)
	if err != nil && !errors.Is(err, gitrev.ErrTooLarge) && t.err == nil {
		t.err = err
	}
	return text
}

// A changedTree is the files of a revision, with the CRDs of a working tree in place of its own.
type changedTree struct {
	repository.Tree
	files []string
	now   map[string][]byte
}

func withCRDs(was, now repository.Tree) repository.Tree {
	if now == nil {
		return was
	}
	hasCRD := func(t repository.Tree, file string) bool {
		return worktree.IsManifest(file) && !worktree.IsKustomization(file) && xrd.MayHold(t.Read(file))
	}
	t := &changedTree{Tree: was, now: map[string][]byte{}}
	for _, file := range now.Files() {
		if hasCRD(now, file) {
			t.files, t.now[file] = append(t.files, file), now.Read(file)
		}
	}
	for _, file := range was.Files() {
		if t.now[file] == nil && !hasCRD(was, file) {
			t.files = append(t.files, file)
		}
	}
	return t
}

func (t *changedTree) Files() []string { return t.files }

func (t *changedTree) Read(at string) []byte {
	if text, is := t.now[at]; is {
		return text
	}
	return t.Tree.Read(at)
}

// Was is what a CRD in a file of this side was to the repository; the zero Decision where that is not known.
func (s *Side) Was(file, name string) repository.Decision {
	if s.was == nil {
		return repository.Decision{}
	}
	return s.was.CRD(file, name)
}

// isKept reports whether a file of a role says nothing of whether its CRD is still there.
func isKept(d repository.Decision) bool {
	return d.Role != "" && !d.Role.Told() && d.Role != lint.RoleForeign
}

// is is the role of a CRD in a file of the newer side; the zero Decision where files have none.
func (s *Side) is(file, name string) repository.Decision {
	if s.was == nil {
		return repository.Decision{}
	}
	return s.now.CRD(file, name)
}

// byRole orders files that are ordered by nearness for the CRD in a file of the newer side that is told of: the source is compared
// with the source, and else with what comes nearest to it; a copy with the nearest that was told of.
func (s *Side) byRole(candidates []*file, name, path string) {
	is := s.is(path, name)
	if is.Role == "" || !is.Role.Told() {
		return
	}
	place := func(f *file) (tier, rank int) {
		switch was := s.Was(f.Path, name); {
		case is.Source != "" && was.Role.Told():
			return 0, 0
		case isSource(was):
			return 0, was.Rank
		case was.Role != "" && was.Role.Told():
			return 1, was.Rank
		case was.Role != "":
			return 2, was.Rank
		}
		return 3, 0
	}
	slices.SortStableFunc(candidates, func(f, g *file) int {
		tier, rank := place(f)
		other, lower := place(g)
		return cmp.Or(tier-other, rank-lower)
	})
}

func isSource(d repository.Decision) bool { return d.Role != "" && d.Role.Told() && d.Source == "" }

// noteOther notes that the source of a CRD is compared with what was none.
func (s *Side) noteOther(name, path string, found *file) {
	if was := s.Was(found.Path, name); was.Role != "" && !isSource(was) && isSource(s.is(path, name)) {
		s.others[name] = fmt.Sprintf("%s is compared with %s, since %s does not have its source", name, found.Label, s.from)
	}
}
