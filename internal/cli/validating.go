package cli

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A crdSource is a file that may have CRDs.
type crdSource struct {
	lint.File
	named bool   // by --crds or the configuration; else it is one of the inputs
	local bool   // named, and a file of this machine
	input *input // that it is; nil for one that is named
}

// readCRDs reads the CRDs among the inputs and those that are named, several files at a time. Inputs that cannot be read are
// reported when their objects are looked for.
func (s *session) readCRDs(ctx context.Context, f validateFlags, c *lint.Config, found *finder, to *rules.Objects) error {
	sources, done, err := s.crdSources(ctx, f, c)
	defer done()
	if err != nil {
		return err
	}
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

// readReplaced finds the CRDs that --against names, which the others replace, and readOldObjects the objects that --old-objects names;
// nil without those. The sides can be read until they are closed.
func (s *session) readReplaced(ctx context.Context, f validateFlags, paths []string) (*older.Side, error) {
	if f.against == "" {
		return nil, nil
	}
	from, err := s.openNamed(ctx, ofAgainst, f.against, f, paths)
	if err != nil {
		return nil, err
	}
	old, err := from.Side(nil)
	if err == nil && !old.HasCRD() && !f.allowEmpty {
		err = fmt.Errorf("--against: nothing to compare with: %w; with --allow-empty, this is not an error", noneOnSide(old))
		err = s.oversized.explain(err, ofAgainst, f.maxFileSize)
	}
	if err != nil {
		from.Close()
	}
	return old, err
}

// crdSources are the files that --crds names or, without it, the configuration. They can be read until done is called.
func (s *session) crdSources(ctx context.Context, f validateFlags, c *lint.Config) (sources []crdSource, done func(), err error) {
	var open []*older.Manifests
	done = func() {
		for _, from := range open {
			from.Close()
		}
	}
	names := f.crds
	if len(names) == 0 && len(c.Validate.CRDs) > 0 {
		if names, err = expanded(c, "validate.crds", c.Validate.CRDs); err != nil {
			return nil, done, err
		}
		for i := range names {
			names[i] = older.PathPrefix + names[i]
		}
	}
	for _, name := range names {
		named, err := older.Parse(ctx, name)
		if err != nil && older.IsPlain(name) {
			return nil, done, usageError{fmt.Sprintf("--crds: %q is not a file, a folder or a git revision", name), "Name what has the CRDs, such as config/crd/bases or git:v1.2.0:config/crd."}
		}
		if err != nil {
			return nil, done, fmt.Errorf("--crds: %w", err)
		}
		from, err := named.Open(ctx, s.older(ofCRDs, f.maxFileSize))
		if err != nil {
			return nil, done, err
		}
		open = append(open, from)
		for _, file := range append(from.Files, from.Links...) {
			source := crdSource{File: file, named: true, local: !named.IsGit() && !named.IsStdin()}
			source.Path = from.Here(file) // from where the paths of objects are
			sources = append(sources, source)
		}
	}
	return sources, done, nil
}

func (s *session) readOldObjects(ctx context.Context, f validateFlags, paths []string, by *rules.Objects) (*older.Side, error) {
	if f.oldObjects == "" {
		return nil, nil
	}
	from, err := s.openNamed(ctx, ofOldObjects, f.oldObjects, f, paths)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	old, err := from.Side(by.MayDefine)
	if err == nil && !old.HasObjects() && !f.allowEmpty && !from.IsGit() {
		err = fmt.Errorf("nothing to compare with: no custom resource in %s; with --allow-empty, this is not an error", from)
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
	if old := (*older.Side)(r.linter.Objects.Old); old != nil {
		for _, line := range old.BrokenObjects() {
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
