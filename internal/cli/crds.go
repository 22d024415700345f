package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
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
func (r *batch) readCRDs(ctx context.Context, names []string, to *rules.Objects) error {
	sources, err := r.crdSources(ctx, names)
	if err != nil {
		return err
	}
	found := r.found
	for i := range found.inputs {
		in := &found.inputs[i]
		if in.piece != nil {
			if source, may := in.crdSource(); may {
				sources = append(sources, source.withLinks()...)
			}
			continue
		}
		if in.path == stdinName && in.text == nil { // which can be read only once
			if in.text, err = r.read(*in); err != nil {
				return err
			}
		}
		name := shown(in.path)
		source := crdSource{input: in, File: lint.File{Path: name, Label: name, Read: func() ([]byte, error) {
			src, err := r.read(*in)
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
	to.Incomplete = to.Incomplete || len(r.oversized.of(ofCRDs)) > 0
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

// crdSources are the files that --crds names or, without it, the configuration. They can be read until the session ends.
func (r *batch) crdSources(ctx context.Context, names []string) (sources []crdSource, err error) {
	if globs := r.config.Validate.CRDs; len(names) == 0 && len(globs) > 0 {
		if names, err = expanded(r.config, "validate.crds", globs); err != nil {
			return nil, err
		}
		for i := range names {
			names[i] = older.PathPrefix + names[i]
		}
	}
	for _, name := range names {
		named, err := older.Parse(ctx, name)
		if err != nil && older.IsPlain(name) {
			return nil, usageError{fmt.Sprintf("--crds: %q is not a file, a folder or a git revision", name), "Name what has the CRDs, such as config/crd/bases or git:v1.2.0:config/crd."}
		}
		if err != nil {
			return nil, fmt.Errorf("--crds: %w", err)
		}
		from, err := r.open(ctx, ofCRDs, named)
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

// openNamed opens the older side that an option of a run over custom resources names, if it does: with the objects of a kind that
// somebody may want, or with CRDs only.
func (r *batch) openNamed(ctx context.Context, option, given string, wanted func(src []byte) bool) (*older.Side, error) {
	if given == "" {
		return nil, nil
	}
	name, err := r.parseOld(ctx, r.common, given)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", option, err)
	}
	from, err := r.open(ctx, option, name, r.paths...)
	if err != nil {
		return nil, err
	}
	return from.Side(wanted)
}
