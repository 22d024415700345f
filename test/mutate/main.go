// Command mutate asks whether the tests of a package notice when a condition or a bound in it is another. `make mutate` runs it.
//
//	go run ./test/mutate [-base REV] [-mutants N] [-time DURATION] [-floor PERCENT] [PACKAGE...]
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

	"github.com/crdlift/crdlift/internal/testing/checked"
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
	copied, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(copied)
	// Mutants may write where the tests run.
	if _, err := output(ctx, "sh", "-c", `git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - | tar -x -C "$0"`, copied); err != nil {
		return err
	}
	failed := 0
	for i, p := range packages {
		share := time.Now().Add(time.Until(until) / time.Duration(len(packages)-i))
		name := nameOf(p)
		o, err := try(ctx, p, filepath.Join(copied, filepath.FromSlash(testsOf(name))), *mutants, share, seed)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		o.print(stdout, name)
		if o.tried() > 0 && o.percent() < *floor {
			failed++
		}
	}
	fmt.Fprintf(stdout, "CRDLIFT_SEED=%d takes the same mutants again\n", seed)
	if failed > 0 {
		return fmt.Errorf("under %v%% killed in %d of %d packages", *floor, failed, len(packages))
	}
	return nil
}

// testsOf returns the package whose tests hold another: the one that has it in its internal folder, or else itself.
func testsOf(name string) string {
	above, _, _ := strings.Cut(name, "/internal/")
	return above
}

// choose loads the packages of the program that patterns name, or else those with Go files that differ from a revision.
func choose(ctx context.Context, base string, patterns []string) ([]*checked.Package, error) {
	if len(patterns) == 0 {
		differ, err := output(ctx, "git", "diff", "--name-only", base, "--", "*.go")
		if err != nil {
			return nil, err
		}
		added, err := output(ctx, "git", "ls-files", "--others", "--exclude-standard", "--", "*.go")
		if err != nil {
			return nil, err
		}
		for name := range strings.FieldsSeq(differ + added) {
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*.go")); left != nil {
				patterns = append(patterns, "./"+path.Dir(name))
			}
		}
	}
	if len(patterns) == 0 {
		return nil, nil
	}
	slices.Sort(patterns)
	packages, err := checked.Load(slices.Compact(patterns)...)
	return slices.DeleteFunc(packages, func(p *checked.Package) bool {
		isTested := len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 || testsOf(nameOf(p)) != nameOf(p)
		return !isTested || p.Types.Name() == "main" || strings.HasPrefix(nameOf(p), "internal/testing/")
	}), err
}

// nameOf is the folder of a package in the repository.
func nameOf(p *checked.Package) string {
	return strings.TrimPrefix(p.ImportPath, "github.com/crdlift/crdlift/")
}

// output runs a program for what it prints.
func output(ctx context.Context, name string, args ...string) (string, error) {
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}
