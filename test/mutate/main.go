// Command mutate runs gremlins, a mutation tester, over a sample of the packages that tests have to hold most: it
// changes an operator, runs the tests, and asks whether one of them fails. `make mutate` runs it.
//
//	go run ./test/mutate [-mutants N] [-floor PERCENT] [PACKAGE...]
//
// It fails when too few of the mutants that tests cover are killed in a package. The sample changes from day to day;
// CRDLIFT_SEED=20261121 takes that of that day. All happens in a copy of the repository.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"time"
)

// targets are the packages that are tried unless some are named.
var targets = []target{
	{"internal/repair", "internal/repair", "."},
	{"internal/rewrite", "internal/rewrite", "."},
	{"internal/layout", "convert", conversions},
	{"internal/engine", "internal/engine", "."},
	{"internal/config", "internal/config", "."},
	{"internal/suppress", "internal/suppress", "."},
	{"internal/conversion", "convert", conversions},
	{"internal/review", "internal/review", "."},
	{"rules", "rules", "Fixtures|Limits|ManyEnum|Storage|NoValue|TextFormats|Expiry|OneMistake|AgreesWithServer$|UnboundedSeverity|PartsOf|LongWitnesses|WhereVersions"},
}

// conversions are the tests of conversions that answer in seconds.
const conversions = "Golden|RoundTrip|Convert|Copies|Nothing|Verify|Settle|Leftover|File|Filter|Brief"

// A target is a package, and the tests that hold it and answer in seconds: those of a package, chosen by a regular expression.
type target struct{ path, tests, run string }

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
	mutants := flags.Int("mutants", 150, "how many mutants to try in each package, at least")
	floor := flags.Float64("floor", 85, "how many percent of them have to be killed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	seed, err := seedOfToday(os.Getenv("CRDLIFT_SEED"))
	if err != nil {
		return err
	}
	chosen, err := choose(flags.Args())
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := install(ctx, dir); err != nil {
		return err
	}
	failed := 0
	for _, t := range chosen {
		tried, err := try(ctx, dir, t, *mutants, seed)
		if err != nil {
			return fmt.Errorf("%s: %w", t.path, err)
		}
		tried.print(stdout, t.path)
		if tried.percent() < *floor {
			failed++
		}
	}
	fmt.Fprintf(stdout, "CRDLIFT_SEED=%d takes the same mutants again\n", seed)
	if failed > 0 {
		return fmt.Errorf("under %v%% killed in %d of %d packages", *floor, failed, len(chosen))
	}
	return nil
}

// choose finds the targets of some paths; all when none is named.
func choose(paths []string) ([]target, error) {
	if len(paths) == 0 {
		return targets, nil
	}
	var chosen []target
	for _, path := range paths {
		i := slices.IndexFunc(targets, func(t target) bool { return t.path == path })
		if i < 0 {
			return nil, fmt.Errorf("%s is not one of the packages that are tried", path)
		}
		chosen = append(chosen, targets[i])
	}
	return chosen, nil
}

// seedOfToday reads a seed; without one, it is the day's date as a number.
func seedOfToday(text string) (uint64, error) {
	if text == "" {
		text = time.Now().UTC().Format("20060102")
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("CRDLIFT_SEED=%q is not a number", text)
	}
	return seed, nil
}
