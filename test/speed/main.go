// Command speed times crdlift beside other programs: whole processes, in one run, on the same files. `make speed` runs it;
// with -write, it puts what it measured into docs/performance.md and docs/files.svg, and leaves there what it did not.
// `make ratios` runs it with -check, which compares ratios with those that the page has, and fails if what crdlift costs grows
// faster than its input: a sample of all growths, which changes every day, or those that -grow names.
//
//	go run ./test/speed [-rounds N] [-only CONTEST,...] [-grow REGEXP] [-peers=false] [-write] [FOLDER]
//	go run ./test/speed [-rounds N] [-grow REGEXP] -check
//
// FOLDER holds v1 manifests for the contests of linters; without it, they and others take folders of the corpus, which
// CRDLIFT_CORPUS names. Peers that are not on PATH are left out, and the page says so.
//
// It reads the resource usage of its children rather than calling hyperfine: wall time, CPU time and peak memory of one
// and the same run, and nothing to install.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, ".", os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(2)
	}
}

// run is the program. The repository is at root.
func run(ctx context.Context, root string, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("speed", flag.ExitOnError)
	rounds := flags.Int("rounds", 5, "how often each program runs; medians are reported")
	only := flags.String("only", strings.Join(names(), ","), "contests to run")
	peers := flags.Bool("peers", true, "run other programs that are on PATH, too")
	write := flags.Bool("write", false, "write the figures into docs/performance.md and docs/files.svg")
	check := flags.Bool("check", false, "fail if a ratio is worse than the one in docs/performance.md")
	grow := flags.String("grow", "", "measure only growths whose `WAY, THING` matches; . for all")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen := strings.Split(*only, ",")
	for _, name := range chosen {
		if !slices.Contains(names(), name) {
			return fmt.Errorf("%q is not one of %s", name, strings.Join(names(), ", "))
		}
	}
	if *rounds < 1 || flags.NArg() > 1 || *check && (*write || flags.NArg() > 0) {
		return fmt.Errorf("usage: speed [-rounds N] [-only CONTESTS] [-grow REGEXP] [-peers=false] [-write] [FOLDER], or speed [-rounds N] [-grow REGEXP] -check")
	}
	if *write && (!*peers || flags.NArg() > 0) {
		return fmt.Errorf("-write takes the peers and the corpus")
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "speed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{ctx: ctx, root: root, dir: dir, rounds: *rounds, withPeers: *peers, measure: measure, lookPath: exec.LookPath, v1: flags.Arg(0), measured: map[string]string{}}
	if *grow != "" {
		if b.grow, err = regexp.Compile(*grow); err != nil {
			return err
		}
	}
	if err := b.prepare(); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, b.machine)
	if *check {
		seed, err := today()
		if err != nil {
			return err
		}
		return errors.Join(b.check(filepath.Join(root, "docs", "performance.md"), stdout), b.linearly(seed, stdout))
	}
	for _, c := range contests {
		if !slices.Contains(chosen, c.name) {
			continue
		}
		if b.measured[c.name], err = c.run(b); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if !*write {
			fmt.Fprintf(stdout, "## %s\n\n%s\n", c.name, b.measured[c.name])
		}
	}
	if *write {
		return b.write(filepath.Join(root, "docs"))
	}
	fmt.Fprintf(stdout, "## targets\n\n%s\n%s", targetTable(b.targets), b.plot)
	return nil
}
