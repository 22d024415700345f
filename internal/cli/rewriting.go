package cli

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
)

// rewriteModes say what becomes of the new text of files: the flags of the commands that rewrite them. Without any of these flags, a
// single file is printed.
type rewriteModes struct {
	write, diff, check bool
	outputDir          string
}

// add defines the flags.
func (m *rewriteModes) add(flags *pflag.FlagSet) {
	flags.BoolVarP(&m.write, "write", "w", false, "rewrite the files in place")
	flags.BoolVarP(&m.diff, "diff", "d", false, "print a unified diff, write nothing")
	flags.BoolVar(&m.check, "check", false, "print the names of files that would change, write nothing")
	flags.StringVar(&m.outputDir, "output-dir", "", "`FOLDER` write the files below it, at their relative paths")
}

// exclude rejects more than one mode.
func (m *rewriteModes) exclude() error {
	modes := given([]mode{{"--write", m.write}, {"--diff", m.diff}, {"--check", m.check}, {"--output-dir", m.outputDir != ""}})
	if len(modes) > 1 {
		return run.UsageError(strings.Join(modes, " and ")+" cannot be used together", "use one of them")
	}
	return nil
}

// A mode is a flag for which a command does something else.
type mode struct {
	name string
	set  bool
}

// given are the names of the flags that are set.
func given(all []mode) (names []string) {
	for _, m := range all {
		if m.set {
			names = append(names, m.name)
		}
	}
	return names
}

// writes reports whether files are written.
func (m *rewriteModes) writes() bool { return m.write || m.outputDir != "" }

// prints reports whether the new text goes to standard output.
func (m *rewriteModes) prints() bool { return !m.writes() && !m.diff && !m.check }

// checkPaths checks that the flags can do something with the paths. The verb is what the command does.
func (m *rewriteModes) checkPaths(verb string, paths []string) error {
	stdin := slices.Contains(paths, run.Stdin)
	folder := false
	if len(paths) == 1 {
		info, err := os.Stat(paths[0])
		folder = err == nil && info.IsDir()
	}
	switch {
	case len(paths) == 0:
		return run.UsageError("there is nothing to "+verb, "name files or folders, or - for standard input")
	case stdin && (len(paths) > 1 || m.writes()):
		return run.UsageError("standard input (-) cannot be combined with other paths, --write or --output-dir", "leave these out: the result goes to standard output")
	case m.prints() && (len(paths) > 1 || folder):
		return run.UsageError("only a single file can go to standard output",
			"use --write to rewrite files in place, --output-dir to write them elsewhere, or --diff or --check to look first")
	}
	return nil
}

// passOver is the folder that the run does not read, since it is written to; "" for none.
func (m *rewriteModes) passOver() string {
	if m.outputDir == "" {
		return ""
	}
	skip, _ := worktree.RealPath(m.outputDir) // missing is fine: then there is nothing in it to skip
	return skip
}

// mirror is the folder that the files of a run are written below; nil without one.
func (m *rewriteModes) mirror(r *run.Run) (*run.Mirror, error) {
	if m.outputDir == "" {
		return nil, nil
	}
	return run.NewMirror(m.outputDir, "", r.Inputs.All)
}

// rewrite does with the new text of an input what the flags say, and returns its part of standard output. With --check, that is its name,
// unless findings go there.
func (m *rewriteModes) rewrite(r *run.Run, mirror *run.Mirror, in run.Input, src, is []byte) (part []byte, trouble error) {
	changed := !bytes.Equal(src, is)
	switch {
	case mirror != nil:
		return nil, mirror.Write(in, is)
	case m.prints():
		return is, nil
	case !changed:
	case m.write:
		return nil, run.Unread(atomicfile.Rewrite(in.Path, src, is))
	case m.diff:
		return r.DiffOf(in, src, is), nil
	case !r.Flags.Outputs.OnStdout() || len(r.Flags.OutputNames) == 0:
		return []byte(text.Harmless(run.Slashed(in.Path)) + "\n"), nil
	}
	return nil, nil
}
