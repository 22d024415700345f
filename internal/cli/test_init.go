package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/starter"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/text"
)

// initFlags are those of `crdlift test --init`.
type initFlags struct {
	on             bool
	rulesOnly, all bool
}

func (f *initFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.on, "init", false, "write a suite for each CRD in PATH, or add what it does not test to the existing one")
	flags.BoolVar(&f.rulesOnly, "rules-only", false, "with --init, write cases for rules only")
	flags.BoolVar(&f.all, "all-constraints", false, "with --init, write cases for everything that the schema demands")
}

func (f *initFlags) check() error {
	switch {
	case !f.on && (f.rulesOnly || f.all):
		return run.UsageError("--rules-only and --all-constraints say what --init writes", "add --init")
	case f.rulesOnly && f.all:
		return run.UsageError("--rules-only and --all-constraints contradict each other", "leave out one of them")
	}
	return nil
}

func (f *initFlags) which() starter.Which {
	switch {
	case f.rulesOnly:
		return starter.RulesOnly
	case f.all:
		return starter.All
	}
	return starter.Usual
}

// startSuites writes suites for the CRDs at paths. A path of a suite says where that of the CRD is.
func (s *session) startSuites(ctx context.Context, f *initFlags, paths []string) error {
	isSuite := func(p string) bool { return suite.IsNamed(filepath.ToSlash(p)) }
	there := ""
	if i := slices.IndexFunc(paths, isSuite); i >= 0 {
		there, paths = paths[i], slices.Delete(slices.Clone(paths), i, i+1)
	}
	if len(paths) == 0 || slices.ContainsFunc(paths, isSuite) {
		return run.UsageError("--init needs the path of a CRD, and perhaps the path of a suite", "write them as in crdlift test --init config/crd/bases/shop.example.com_shelves.yaml")
	}
	found := s.FindAll(paths...)
	s.FailAll(found.Errs)
	found.NoteLinks(s.Note)
	count := 0
	for _, in := range found.All {
		src, err := s.Read(in)
		if err != nil {
			s.Fail(err)
			continue
		}
		for _, d := range objects.Definitions(in.Path, run.Shown(in.Path), src, true) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if count++; count > 1 && there != "" {
				return run.UsageError("a suite is for one CRD, and there are several", "leave out the path of the suite, or name one CRD")
			}
			if err := s.startSuite(f, in, d, there); err != nil {
				s.Fail(fmt.Errorf("%s: %w", run.Shown(in.Path), err))
			}
		}
	}
	if count == 0 && s.Code == 0 {
		return run.UsageError("there is no CRD in \""+strings.Join(paths, `", "`)+`"`, "name the file of a CRD")
	}
	return nil
}

// startSuite writes the suite of a CRD, or adds to it. That of standard input goes to standard output.
func (s *session) startSuite(f *initFlags, in run.Input, d *objects.Definition, file string) error {
	toStdout := in.Path == run.StdinName && file == ""
	if file == "" {
		file = filepath.Join(suiteFolder(filepath.Dir(in.Path)), strings.ToLower(d.Hub.Spec.Names.Kind)+".crdtest.yaml")
	}
	if !toStdout {
		was, err := os.ReadFile(file)
		if err == nil {
			return s.addToSuite(f, d, file, was)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return run.Unread(err)
		}
	}
	made, why := starter.New(d, d.Storage(), starter.Options{Which: f.which()})
	if why != "" {
		return errors.New(why)
	}
	if toStdout {
		_, err := s.Stdout.Write(made.Text(""))
		return err
	}
	var where string
	var err error
	if in.Path != run.StdinName { // which no suite can name
		where, err = relativeTo(filepath.Dir(file), in.Path)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o777)
	}
	if err == nil {
		err = atomicfile.Write(file, made.Text(filepath.ToSlash(where)))
	}
	if err != nil {
		return run.Unread(err)
	}
	s.tellStarted("wrote", file, made)
	return nil
}

// addToSuite adds to a suite what it does not test of the CRD.
func (s *session) addToSuite(f *initFlags, d *objects.Definition, file string, was []byte) error {
	made, changed, err := starter.Append(d, run.Shown(file), was, f.which())
	switch {
	case err != nil:
		return fmt.Errorf("nothing is added to %s: %w", run.Shown(file), err)
	case len(made.Suite.Cases) == 0:
		fmt.Fprintf(s.Stderr, "%s: there is nothing to add\n", text.Harmless(run.Shown(file)))
		return nil
	}
	if err := atomicfile.Rewrite(file, was, changed); err != nil {
		return run.Unread(err)
	}
	s.tellStarted("added to", file, made)
	return nil
}

func (s *session) tellStarted(did, file string, made *starter.Start) {
	var parts []string
	if cases := len(made.Suite.Cases) - made.Skipped; cases > 0 {
		parts = append(parts, text.Count(cases, "case")+" that pass")
	}
	if made.Skipped > 0 {
		parts = append(parts, text.Count(made.Skipped, "case")+" to fill in, for rules that crdlift found no object for")
	}
	fmt.Fprintln(s.Stderr, text.Harmless(fmt.Sprintf("%s %s: %s", did, run.Shown(file), strings.Join(parts, ", and "))))
}

// relativeTo is a path as it is from a folder.
func relativeTo(dir, to string) (string, error) {
	from, err := filepath.Abs(dir)
	if err == nil {
		to, err = filepath.Abs(to)
	}
	if err != nil {
		return "", err
	}
	return filepath.Rel(from, to)
}

// suiteFolder is where suites of the CRDs in a folder go: beside these, unless controller-gen has that folder for itself.
func suiteFolder(dir string) string {
	if whole, err := filepath.Abs(dir); err == nil && strings.HasSuffix(filepath.ToSlash(whole), "/crd/bases") {
		return filepath.Join(dir, "..", "tests")
	}
	return dir
}
