package run

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A crdSource is a file that may have CRDs.
type crdSource struct {
	lint.File
	named bool   // by --crds or the configuration; else it is one of the inputs
	local bool   // named, and a file of this machine
	input *Input // that it is; nil for one that is named
}

// ReadCRDs reads the CRDs among the inputs and those that are named, several files at a time. Inputs that cannot be read are
// reported when their objects are looked for.
func (r *Run) ReadCRDs(ctx context.Context, names []string, to *rules.Objects) error {
	sources, err := r.crdSources(ctx, names)
	if err != nil {
		return err
	}
	found := r.Inputs
	for i := range found.All {
		in := &found.All[i]
		if in.Piece != nil {
			if source, may := in.crdSource(); may {
				sources = append(sources, source.withLinks()...)
			}
			continue
		}
		if in.Path == StdinName && in.Text == nil { // which can be read only once
			if in.Text, err = r.Read(*in); err != nil {
				return err
			}
		}
		name := Shown(in.Path)
		source := crdSource{input: in, File: lint.File{Path: name, Label: name, Read: func() ([]byte, error) {
			src, err := r.Read(*in)
			if err != nil {
				in.Unread = err
				return nil, nil
			}
			return src, nil
		}}}
		sources = append(sources, source.withLinks()...)
	}
	type outcome struct {
		from crdSource
		crds *rules.CRDFile
		err  error
	}
	work := func(from crdSource) outcome {
		crds, err := rules.ReadCRDs(from.File, from.named)
		return outcome{from, crds, err}
	}
	ordered.Each(ctx, runtime.GOMAXPROCS(0), sources, work, func(out outcome) {
		if out.err != nil {
			err = out.err
			return
		}
		to.Add(out.crds)
		if out.from.input != nil {
			out.from.input.kind = out.crds.Kind
			to.Incomplete = to.Incomplete || out.from.input.Unread != nil
		}
		if out.from.local {
			to.Files = append(to.Files, out.from.Label)
		}
	})
	to.Incomplete = to.Incomplete || len(r.Oversized.Of(OfCRDs)) > 0
	return err
}

// withLinks is the source of an input at each of its paths: a CRD counts where there is a link to it, like a copy.
func (c crdSource) withLinks() []crdSource {
	if len(c.input.links) > 0 {
		c.Read = sync.OnceValues(c.Read)
	}
	all := []crdSource{c}
	for _, link := range c.input.links {
		c.Path = Shown(link)
		all = append(all, c)
	}
	return all
}

// crdSource is a piece of a list as a file that may have CRDs, if it may.
func (in *Input) crdSource() (source crdSource, may bool) {
	name, p := Shown(in.Path), in.Piece
	return crdSource{input: in, File: lint.File{Path: name, Label: name, Parts: p.List.Parts(p.Index), Read: func() ([]byte, error) {
		src, _, err := p.Text()
		if err != nil {
			return nil, nil // which is reported when its objects are looked for
		}
		return src, nil
	}}}, p.crds[p.Index]
}

// crdSources are the files that --crds names or, without it, the configuration. They can be read until the session ends.
func (r *Run) crdSources(ctx context.Context, names []string) (sources []crdSource, err error) {
	key, globs := "validate.crds", r.Config.Validate.CRDs
	if r.Flags.About == AboutSuites {
		key, globs = "test.crds", r.Config.Test.CRDs
	}
	if len(names) == 0 && len(globs) > 0 {
		if names, err = expanded(r.Config, key, globs); err != nil {
			return nil, err
		}
		for i := range names {
			names[i] = older.PathPrefix + names[i]
		}
	}
	option := OfCRDs + ": "
	if r.Flags.About == "" { // the CRDs are what the command is about, and its arguments
		option = ""
	}
	for _, name := range names {
		named, err := older.Parse(ctx, name)
		if err != nil && older.IsPlain(name) {
			return nil, UsageError(option+fmt.Sprintf("%q is not a file, a folder or a git revision", name), "name what has the CRDs, such as config/crd/bases or git:v1.2.0:config/crd")
		}
		if err != nil {
			return nil, fmt.Errorf("%s%w", option, err)
		}
		from, err := r.Open(ctx, OfCRDs, named)
		if err != nil {
			return nil, err
		}
		for _, file := range append(from.Files, from.Links...) {
			source := crdSource{File: file, named: true, local: !named.IsGit() && !named.IsStdin()}
			source.Path = from.Here(file) // from where the paths of objects are
			sources = append(sources, source)
		}
	}
	return sources, nil
}

// ReadCRDsAround reads the CRDs of the repositories that inputs are in, for kinds without any among the inputs: those by which a run over
// all of such a repository counts.
func (r *Run) ReadCRDsAround(ctx context.Context, to *rules.Objects) error {
	if r.Around == nil {
		return nil
	}
	done := map[*repository.Around]bool{nil: true}
	for i := range r.Inputs.paths {
		done[r.topAt(i)] = true
	}
	for _, in := range r.Inputs.All {
		at := r.Around.Of(Shown(in.Path))
		if done[at] || !worktree.IsRepository(at.Top) {
			continue
		}
		done[at] = true
		found, err := r.inputs(r.Flags, r.Config, []string{at.Shown(".")})
		if err != nil {
			return err
		}
		whole := &Run{Session: r.Session, Flags: r.Flags, Config: r.Config, Inputs: found, Around: r.Around}
		whole.Roles = whole.rolesOf()
		found.All = slices.DeleteFunc(found.All, func(in Input) bool { return r.isElsewhere(whole.Roles, Shown(in.Path)) })
		settled := to.Settle(whole.Roles.OfObjects())
		if err = whole.ReadCRDs(ctx, nil, to); err == nil && r.Flags.Against == "" {
			err = whole.AddBuilt(to)
		}
		if settled(); err != nil {
			return err
		}
	}
	return nil
}

// isElsewhere reports whether a file has CRDs of tests or older releases alone, in none of which an input is: they judge none.
func (r *Run) isElsewhere(roles *Roles, file string) bool {
	all, at := roles.documentsIn(file), r.Around.Of(file)
	judges := func(d *repository.Document) bool {
		if d.Role != lint.RoleTest && d.Role != lint.RoleOld {
			return true
		}
		below := at.Look().Below(d.File, d.Role)
		return below == "." || slices.ContainsFunc(r.Inputs.All, func(in Input) bool { return strings.HasPrefix(at.InTree(Shown(in.Path)), below+"/") })
	}
	return len(all) > 0 && !slices.ContainsFunc(all, judges)
}

// FilesAround are the manifests of the repository that the working directory is in; none outside of any.
func (s *Session) FilesAround() (all []lint.File) {
	here := WorkingFolder()
	top := worktree.TopOf(here)
	if top == "" {
		return nil
	}
	walk := worktree.Walk{Failed: func(error) {}, Found: func(below, _ string) {
		in := Input{Path: filepath.Join(top, below)}
		if at, err := filepath.Rel(here, in.Path); err == nil {
			in.Path = at
		}
		name := Shown(in.Path)
		all = append(all, lint.File{Path: name, Label: name, Read: func() ([]byte, error) { return s.Read(in) }})
	}}
	walk.Folder(top)
	return all
}

// PatchesAround returns what knows the files that kustomizations apply as patches: those of the kustomizations among the
// inputs, and in their folders and those above, up to the working directory.
func (r *Run) PatchesAround() func(path string) bool {
	now := r.patchesBy(func(path string) ([]byte, error) {
		return Input{Path: filepath.FromSlash(path)}.Read(nil, int64(defaultMaxFileSize))
	})
	if r.base == nil {
		return now
	}
	files := map[string]func() ([]byte, error){}
	for _, f := range r.base.Files {
		files[r.base.Here(f)] = f.Read
	}
	was := r.patchesBy(func(path string) ([]byte, error) {
		if read := files[path]; read != nil {
			return read()
		}
		return nil, fs.ErrNotExist
	})
	return func(path string) bool { return now(path) && (files[path] == nil || was(path)) }
}

// patchesBy reports of files near the inputs whether kustomizations apply them as patches, given the text of each file.
func (r *Run) patchesBy(read func(path string) ([]byte, error)) func(path string) bool {
	patches := objects.PatchesAround{Within: func(dir string) bool { return filepath.IsLocal(filepath.FromSlash(dir)) }, Read: read}
	for _, in := range r.Inputs.All {
		if in.Path != StdinName {
			patches.Look(Shown(filepath.Dir(in.Path)))
		}
	}
	return patches.Has
}

// OpenNamed opens the earlier version that an option of a run over custom resources names, if it does: with the objects of a kind that
// somebody may want, or with CRDs only.
func (r *Run) OpenNamed(ctx context.Context, option, given string, wanted func(src []byte) bool) (*older.Side, error) {
	if given == "" {
		return nil, nil
	}
	name, err := r.parseOld(ctx, r.Flags, given)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", option, err)
	}
	from, err := r.Open(ctx, option, name, r.Paths...)
	if err != nil {
		return nil, err
	}
	return from.Side(wanted)
}
