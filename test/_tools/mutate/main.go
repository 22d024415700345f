// Command mutate asks whether the tests of a package notice when a condition or a bound in it is another. `make mutate` runs it.
//
//	go run ./test/_tools/mutate [-base REV] [-mutants N] [-time DURATION] [-floor PERCENT] [PACKAGE...]
//
// It takes the packages that are named, or those whose files differ from the base, and of each a sample of the mutants that
// the package's own tests come past, or those of the package that has it in its internal folder. It fails if too few are
// killed in one of them. The sample changes from day to day; CRDLIFT_SEED=20261121 takes that of that day. The files stay as
// they are.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/testing/corpus"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// run is the program, in the folder of the repository.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("mutate", flag.ExitOnError)
	base := flags.String("base", "HEAD", "the revision with which files are compared")
	mutants := flags.Int("mutants", 40, "how many mutants to try in each package, at most")
	limit := flags.Duration("time", 5*time.Minute, "how long to try; each package has its share")
	floor := flags.Float64("floor", 80, "how many percent of them have to be killed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	until := time.Now().Add(*limit)
	seed, err := corpus.Today()
	if err != nil {
		return err
	}
	packages, err := choose(ctx, *base, flags.Args())
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// Mutants may write where the tests run.
	if _, err := output(ctx, "sh", "-c", `git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - | tar -x -C "$0"`, dir); err != nil {
		return err
	}
	failed := 0
	for i, p := range packages {
		share := time.Now().Add(time.Until(until) / time.Duration(len(packages)-i))
		percent, err := try(ctx, stdout, p, dir, *mutants, share, seed)
		if err != nil {
			return fmt.Errorf("%s: %w", nameOf(p), err)
		}
		if percent < *floor {
			failed++
		}
	}
	fmt.Fprintf(stdout, "CRDLIFT_SEED=%d takes the same mutants again\n", seed)
	if failed > 0 {
		return fmt.Errorf("under %v%% killed in %d of %d packages", *floor, failed, len(packages))
	}
	return nil
}

// module is what the names of packages begin with.
const module = "github.com/crdlift/crdlift/"

// nameOf is the folder of a package in the repository, and testsOf that of the package whose tests hold it: the one that has
// it in its internal folder, or else itself.
func nameOf(p *Package) string { return strings.TrimPrefix(p.ImportPath, module) }

func testsOf(p *Package) string {
	above, _, _ := strings.Cut(nameOf(p), "/internal/")
	return above
}

// choose loads the packages of the program that patterns name, or else those with Go files that differ from a revision.
func choose(ctx context.Context, base string, patterns []string) ([]*Package, error) {
	if len(patterns) == 0 {
		differ, err := output(ctx, "sh", "-c", `git diff --name-only "$0" -- '*.go' && git ls-files --others --exclude-standard -- '*.go'`, base)
		if err != nil {
			return nil, err
		}
		for name := range strings.FieldsSeq(differ) {
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*.go")); left != nil {
				patterns = append(patterns, "./"+path.Dir(name))
			}
		}
		if len(patterns) == 0 {
			return nil, nil
		}
	}
	slices.Sort(patterns)
	packages, err := load(slices.Compact(patterns)...)
	return slices.DeleteFunc(packages, func(p *Package) bool {
		isTested := len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 || testsOf(p) != nameOf(p)
		return !isTested || p.Types.Name() == "main" || strings.HasPrefix(nameOf(p), "internal/testing/")
	}), err
}

// output runs a program for what it prints.
func output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if exit, failed := err.(*exec.ExitError); failed {
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, exit.Stderr)
	}
	return string(out), err
}
