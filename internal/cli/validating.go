package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A crdSource is a file that may have CRDs.
type crdSource struct {
	lint.File
	named  bool   // by --crds or the configuration; else it is one of the inputs
	local  bool   // named, and a file of this machine
	inside string // its path in what is named
	input  *input // that it is; nil for one that is named
}

// readCRDs reads the CRDs among the inputs and those that are named, several files at a time. Inputs that cannot be read are
// reported when their objects are looked for.
func (s *session) readCRDs(ctx context.Context, f validateFlags, c *lint.Config, found *finder, to *rules.Objects) error {
	sources, done, err := s.crdSources(ctx, f, c)
	defer done()
	if err != nil {
		return err
	}
	to.Near = pathInside(sources)
	for i := range found.inputs {
		in := &found.inputs[i]
		if in.piece != nil {
			if source, may := in.crdSource(); may {
				sources = append(sources, source.withLinks()...)
			}
			continue
		}
		if in.path == stdinName && in.text == nil { // which can be read only once
			if in.text, err = in.read(s.stdin, int64(f.maxFileSize)); err != nil {
				return err
			}
		}
		name := shown(in.path)
		source := crdSource{input: in, File: lint.File{Path: name, Label: name, Read: func() ([]byte, error) {
			src, err := in.read(nil, int64(f.maxFileSize))
			if err != nil {
				in.unread = err
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
	inOrder(ctx, runtime.GOMAXPROCS(0), sources, work, func(out outcome) {
		if out.err != nil {
			err = out.err
			return
		}
		to.Add(out.crds)
		if out.from.input != nil {
			out.from.input.kind = out.crds.Kind
			to.Incomplete = to.Incomplete || out.from.input.unread != nil
		}
		if out.from.local {
			to.Files = append(to.Files, out.from.Label)
		}
	})
	to.Incomplete = to.Incomplete || len(s.oversized.of(ofCRDs)) > 0
	return err
}

// pathInside returns the path that a file has in what --crds names, for a folder of older CRDs that looks like that one.
func pathInside(named []crdSource) func(path string) string {
	inside := map[string]string{}
	for _, source := range named {
		inside[source.Path] = source.inside
	}
	return func(path string) string { return cmp.Or(inside[path], path) }
}

// withLinks is the source of an input at each of its paths: a CRD counts where there is a link to it, like a copy.
func (c crdSource) withLinks() []crdSource {
	if len(c.input.links) > 0 {
		c.Read = sync.OnceValues(c.Read)
	}
	all := []crdSource{c}
	for _, link := range c.input.links {
		c.Path = shown(link)
		all = append(all, c)
	}
	return all
}

// crdSource is a piece of a list as a file that may have CRDs, if it may.
func (in *input) crdSource() (source crdSource, may bool) {
	name, p := shown(in.path), in.piece
	return crdSource{input: in, File: lint.File{Path: name, Label: name, Parts: p.list.Parts(p.index), Read: func() ([]byte, error) {
		src, _, err := p.text()
		if err != nil {
			return nil, nil // which is reported when its objects are looked for
		}
		return src, nil
	}}}, p.crds[p.index]
}

// readReplaced reads the CRDs that --against names, which the others replace.
func (s *session) readReplaced(ctx context.Context, f validateFlags, paths []string, to *rules.Objects) error {
	side, err := s.openNamed(ctx, ofAgainst, f.against, f.mergeBase)
	if err != nil {
		return err
	}
	defer side.close()
	files, err := side.files(ctx, s, paths, int64(f.maxFileSize))
	if err != nil {
		return err
	}
	type outcome struct {
		crds *rules.CRDFile
		err  error
	}
	work := func(file lint.File) outcome {
		crds, err := rules.ReadCRDs(file, false)
		return outcome{crds, err}
	}
	inOrder(ctx, runtime.GOMAXPROCS(0), append(files, side.links...), work, func(out outcome) {
		if err = cmp.Or(err, out.err); out.err == nil {
			to.AddReplaced(out.crds)
		}
	})
	if side.name.isGit() {
		to.Near = side.near
	}
	if err == nil && to.Replaced() == 0 && !f.allowEmpty {
		err = fmt.Errorf("--against: nothing to compare with: %w; with --allow-empty, this is not an error", noneIn(side.name.String(), len(files)))
		err = s.oversized.explain(err, ofAgainst, f.maxFileSize)
	}
	return err
}

// openNamed opens the older side that an option names, if asked for at the commit where HEAD forked off.
func (s *session) openNamed(ctx context.Context, option, given string, mergeBase bool) (*oldSide, error) {
	name, err := parseOld(ctx, given)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", option, err)
	}
	if mergeBase && !name.isGit() {
		return nil, usageError{"--merge-base needs a git revision", "A folder or a file has no history."}
	}
	if mergeBase {
		name, err = name.atMergeBase(ctx)
	}
	return &oldSide{name: name, option: option}, err
}

// crdSources are the files that --crds names or, without it, the configuration. They can be read until done is called.
func (s *session) crdSources(ctx context.Context, f validateFlags, c *lint.Config) (sources []crdSource, done func(), err error) {
	var open []*oldSide
	done = func() {
		for _, side := range open {
			side.close()
		}
	}
	names := f.crds
	if len(names) == 0 && len(c.Validate.CRDs) > 0 {
		if names, err = expanded(c, "validate.crds", c.Validate.CRDs); err != nil {
			return nil, done, err
		}
		for i := range names {
			names[i] = pathPrefix + names[i]
		}
	}
	for _, name := range names {
		named, err := parseOld(ctx, name)
		if _, missing := os.Lstat(name); err != nil && missing != nil && !strings.HasPrefix(name, gitPrefix) && !strings.HasPrefix(name, pathPrefix) {
			return nil, done, usageError{fmt.Sprintf("--crds: %q is not a file, a folder or a git revision", name), "Name what has the CRDs, such as config/crd/bases or git:v1.2.0:config/crd."}
		}
		if err != nil {
			return nil, done, fmt.Errorf("--crds: %w", err)
		}
		side := &oldSide{name: named, option: ofCRDs}
		open = append(open, side)
		files, err := side.files(ctx, s, nil, int64(f.maxFileSize))
		if err != nil {
			return nil, done, err
		}
		for _, file := range append(files, side.links...) {
			source := crdSource{File: file, named: true, local: !named.isGit() && named.path != stdinPath, inside: file.Path}
			source.Path = side.here(file) // from where the paths of objects are
			sources = append(sources, source)
		}
	}
	return sources, done, nil
}

// readOldObjects reads the objects that --old-objects names; nil without it.
func (s *session) readOldObjects(ctx context.Context, f validateFlags, paths []string, by *rules.Objects) (*rules.OldObjects, error) {
	if f.oldObjects == "" {
		return nil, nil
	}
	side, err := s.openNamed(ctx, ofOldObjects, f.oldObjects, f.mergeBase)
	if err != nil {
		return nil, err
	}
	defer side.close()
	files, err := side.files(ctx, s, paths, int64(f.maxFileSize))
	if err != nil {
		return nil, err
	}
	old, err := by.ReadOld(files)
	if err == nil && old.IsEmpty() && !f.allowEmpty && !side.name.isGit() {
		err = fmt.Errorf("nothing to compare with: no custom resource in %s; with --allow-empty, this is not an error", side.name)
		err = s.oversized.explain(err, ofOldObjects, f.maxFileSize)
	}
	return old, err
}

// patchesAround returns what knows the files that kustomizations apply as patches: those of the kustomizations among the
// inputs, and in their folders and those above, up to the working directory.
func patchesAround(inputs []input) func(path string) bool {
	patches := objects.PatchesAround{
		Within: func(dir string) bool { return filepath.IsLocal(filepath.FromSlash(dir)) },
		Read: func(path string) ([]byte, error) {
			return input{path: filepath.FromSlash(path)}.read(nil, int64(defaultMaxFileSize))
		},
	}
	for _, in := range inputs {
		if in.path != stdinName {
			patches.Look(shown(filepath.Dir(in.path)))
		}
	}
	return patches.Has
}

// noteUncompared says which objects are not compared with how they were, once for each reason.
func (r *lintRun) noteUncompared(all *lint.Objects) {
	if old := r.linter.Objects.Old; old != nil {
		for _, line := range old.Broken() {
			r.note("--old-objects: %s; its objects count as new", line)
		}
	}
	first, counts := map[string]lint.AlikeObjects{}, map[string]int{}
	for _, alike := range all.Alike {
		if counts[alike.Uncompared] == 0 {
			first[alike.Uncompared] = alike
		}
		counts[alike.Uncompared] += alike.Count
	}
	delete(first, "")
	what := "not compared with how it was"
	if all.Upgrade {
		what = "not compared"
	}
	for _, why := range slices.Sorted(maps.Keys(first)) {
		one, more := first[why], ""
		if n := counts[why] - 1; n > 0 {
			more = fmt.Sprintf(" (and %d more)", n)
		}
		r.note("%s:%d: %s: %s%s", one.File, one.Line, what, text.Harmless(why), more)
	}
}
