package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

const (
	// maxExtended is how many files a configuration and those that it extends may name.
	maxExtended = 50
	// policies is the folder of a repository with files of other repositories.
	policies = ".crdlift/policies"
)

// remote matches HOST/REPOSITORY//PATH@REF: a file of another repository.
var remote = text.Pattern(`^([\w-]+(?:\.[\w-]+)+(?:/[\w.~-]+)+)(?://([^@]+))?@(\w[\w.+/-]*)$`)

// A settingsFile is a configuration, or a file that one extends.
type settingsFile struct {
	source *Source
	path   string // absolute
	top    string // of what it may name by a path: the repository, or its own folder
	src    []byte
}

func (f *settingsFile) label() string { return f.source.Label(f.path) }

// An extension reads a configuration and all that it extends into one.
type extension struct {
	config *lint.Config
	known  lint.Rules
	errs   []error
	at     lint.Source     // where that extends the file that is read
	open   []*settingsFile // those that lead to the file that is read, and itself
	chain  []string        // the places that name them
	read   []*settingsFile // complete
	named  int             // entries so far
}

// add reads a file.
func (x *extension) add(name string, f *settingsFile) {
	x.open = append(x.open, f)
	err := ReadStrictly(name, f.src, func(r *Reader) []Member {
		one := &reader{r, x.known, &x.config.Renamed, x}
		if n := crd.Get(r.Document().Root.YNode(), "extends"); n != nil { // before all other keys
			x.extendAll(one, f, crd.Deref(n))
		}
		return one.fields(x.config)
	})
	x.open, x.read = x.open[:len(x.open)-1], append(x.read, f)
	for _, err := range text.Separate(err) {
		if at, is := err.(*lint.FileError); is {
			if f.source != nil {
				at.Path = f.label()
			}
			if len(x.chain) > 0 {
				at.Message += " (extended at " + strings.Join(x.chain, ", at ") + ")"
			}
		}
		x.errs = append(x.errs, err)
	}
}

// extendAll reads the files that a file names: one, or a list.
func (x *extension) extendAll(r *reader, f *settingsFile, n *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		r.List(n, "extends", func(item *yaml.Node) { x.extend(r, f, item) })
	} else if !crd.IsNull(n) {
		x.extend(r, f, n)
	}
}

// extend reads the file that a file names, unless it is read already.
func (x *extension) extend(r *reader, from *settingsFile, n *yaml.Node) {
	name := r.Text(n, "extends")
	switch x.named++; {
	case x.named == maxExtended+1:
		r.Fail(n, "extends: the configuration names more than %d files; combine some of them", maxExtended)
		return
	case x.named > maxExtended || name == "":
		return
	}
	f, err := from.named(name)
	same := func(g *settingsFile) bool { return g.label() == f.label() }
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Fail(n, "extends: there is no file %s; correct the path", f.label())
	case err != nil:
		r.Fail(n, "extends: %v", err)
	case slices.ContainsFunc(x.open, same):
		r.Fail(n, "extends: %s extends itself, directly or through other files; remove this entry", f.label())
	case slices.ContainsFunc(x.read, same):
	default:
		x.at = r.source(n)
		before := x.chain
		line, column := r.Document().Begin(n)
		x.chain = append([]string{fmt.Sprintf("%s:%d:%d", r.Document().File.Path, line, column)}, before...)
		x.add(f.label(), f)
		x.chain = before
	}
}

// isShared reports whether what is read is in a file that the configuration extends.
func (x *extension) isShared() bool { return x != nil && len(x.open) > 1 }

// named is the file that a name in a file stands for.
func (f *settingsFile) named(name string) (*settingsFile, error) {
	if revision, ok := strings.CutPrefix(name, "git:"); ok {
		return f.ofRevision(revision)
	}
	if m := remote().FindStringSubmatch(name); m != nil {
		return f.ofOthers(m[1], m[2], m[3])
	}
	path := filepath.Join(filepath.Dir(f.path), filepath.FromSlash(name))
	if _, inside := worktree.RelativeTo(f.top, path); !inside || filepath.IsAbs(name) || strings.Contains(name, "//") {
		return nil, fmt.Errorf("%q is not a file of the repository; name one, or github.com/ORG/REPO//PATH@REF for a file of another", name)
	}
	return (&settingsFile{source: f.source, top: f.top}).at(path)
}

// at is the file at a path, or in the folder there; with fs.ErrNotExist, that which would be there.
func (f *settingsFile) at(path string) (_ *settingsFile, err error) {
	f.path, f.src, err = f.source.readEither(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, fs.ErrNotExist
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.label(), err)
	}
	if real, err := worktree.RealPath(f.path); f.source == nil && err == nil {
		top, _ := worktree.RealPath(f.top)
		if _, inside := worktree.RelativeTo(top, real); !inside {
			return nil, fmt.Errorf("%s: %w", f.label(), worktree.ErrLeadsAway)
		}
	}
	return f, nil
}

// ofRevision is the file of REVISION:PATH, with the path from the top of the repository.
func (f *settingsFile) ofRevision(name string) (*settingsFile, error) {
	revision, path, _ := strings.Cut(name, ":")
	if path == "" || !filepath.IsLocal(filepath.FromSlash(path)) {
		return nil, fmt.Errorf("%q is not git:REVISION:PATH, with a path from the top of the repository", "git:"+name)
	}
	source, err := At(context.Background(), f.top, revision)
	if err != nil {
		return nil, err
	}
	return (&settingsFile{source: source, top: f.top}).at(filepath.Join(f.top, filepath.FromSlash(path)))
}

// ofOthers is a file of another repository: from a folder of this one, or from the cache of the user.
func (f *settingsFile) ofOthers(repository, path, ref string) (*settingsFile, error) {
	folder := filepath.FromSlash(repository + "@" + ref)
	if !filepath.IsLocal(folder) || !filepath.IsLocal(filepath.FromSlash("./"+path)) {
		return nil, fmt.Errorf("%q is not a repository, //, a path in it, @ and a tag, branch or commit", repository+"//"+path+"@"+ref)
	}
	tops := []settingsFile{{source: f.source, top: filepath.Join(f.top, filepath.FromSlash(policies), folder)}}
	if cache, err := os.UserCacheDir(); err == nil {
		tops = append(tops, settingsFile{top: filepath.Join(cache, "crdlift", "policies", folder)})
	}
	var looked []string
	for _, one := range tops {
		found, err := one.at(filepath.Join(one.top, filepath.FromSlash(path)))
		if !errors.Is(err, fs.ErrNotExist) {
			return found, err
		}
		looked = append(looked, worktree.Shown(one.path))
	}
	target := worktree.Shown(tops[len(tops)-1].top)
	return nil, fmt.Errorf("there is no %s, and crdlift fetches nothing; run 'git clone https://%s %q && git -C %q checkout %s'",
		strings.Join(looked, " and no "), repository, target, target, ref)
}
