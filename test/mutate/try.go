package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/crdlift/crdlift/internal/testing/checked"
)

// An outcome is what became of the mutants of a package.
type outcome struct {
	all, covered int
	killed, late int // late of those killed: the tests would not end
	lived        []mutant
}

// tried is how many mutants the tests were asked about.
func (o *outcome) tried() int { return o.killed + len(o.lived) }

// percent is how many of them were killed.
func (o *outcome) percent() float64 { return 100 * float64(o.killed) / float64(o.tried()) }

// print prints the figures and every survivor.
func (o *outcome) print(w io.Writer, path string) {
	if o.tried() == 0 {
		fmt.Fprintf(w, "%s: none tried of %d mutants, of which its tests cover %d\n", path, o.all, o.covered)
		return
	}
	fmt.Fprintf(w, "%s: %.0f%% killed: %d of %d tried (%d of them by time) of %d covered of %d\n", path, o.percent(), o.killed, o.tried(), o.late, o.covered, o.all)
	for _, m := range o.lived {
		fmt.Fprintf(w, "  lived: %s/%s: %s\n", path, m.at, m.what)
	}
}

// A tester is a package's test program, with all its mutants in it.
type tester struct {
	program, dir string // dir is the package's folder, in a copy of the repository
	slow         string // a regular expression of the tests that take more than a second
	limit        time.Duration
}

// try tries mutants of a package until there are enough or the time is over.
func try(ctx context.Context, p *checked.Package, copied string, enough int, until time.Time, seed uint64) (*outcome, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	overlay, all, err := instrument(p, dir)
	if err != nil {
		return nil, err
	}
	t := &tester{program: filepath.Join(dir, "tests"), dir: copied}
	if err := t.build(ctx, p, overlay); err != nil {
		return nil, err
	}
	covered, err := t.cover(ctx, filepath.Join(dir, "hits"))
	if err != nil {
		return nil, err
	}
	o := &outcome{all: len(all), covered: len(covered)}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(covered), func(i, j int) { covered[i], covered[j] = covered[j], covered[i] })
	numbers := make(chan int)
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := range numbers {
				failed, late := t.fails(ctx, n)
				mu.Lock()
				switch {
				case ctx.Err() != nil:
				case failed:
					o.killed++
				default:
					o.lived = append(o.lived, all[n-1])
				}
				if late {
					o.late++
				}
				mu.Unlock()
			}
		})
	}
	for _, n := range covered[:min(enough, len(covered))] {
		if time.Now().After(until) || ctx.Err() != nil {
			break
		}
		numbers <- n
	}
	close(numbers)
	workers.Wait()
	return o, ctx.Err()
}

// build builds the program. Neither vet nor debug information is of any use.
func (t *tester) build(ctx context.Context, p *checked.Package, overlay map[string]string) error {
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return err
	}
	name := t.program + ".json"
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", name, "-o", t.program, strings.TrimSuffix(p.ImportPath, nameOf(p))+testsOf(nameOf(p)))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go test: %w\n%s", err, out)
	}
	return nil
}

var slowTest = regexp.MustCompile(`(?m)^--- PASS: (\w+) \((?:[1-9]|\d\d+)\.\d+s\)`)

// cover runs the tests as they are, and returns which mutants they come past.
func (t *tester) cover(ctx context.Context, hits string) ([]int, error) {
	begun := time.Now()
	out, err := t.command(ctx, []string{"CRDLIFT_MUTANT_HITS=" + hits}, "-test.v", "-test.parallel=1").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("the tests fail without any change: %w\n%s", err, out)
	}
	t.limit = 4*time.Since(begun) + 5*time.Second
	var slow []string
	for _, m := range slowTest.FindAllSubmatch(out, -1) {
		slow = append(slow, string(m[1]))
	}
	if slow != nil {
		t.slow = "^(" + strings.Join(slow, "|") + ")$"
	}
	text, err := os.ReadFile(hits)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var numbers []int
	for line := range strings.FieldsSeq(string(text)) {
		n, err := strconv.Atoi(line)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// fails reports whether a test fails with a mutant, and whether because it did not end; the quick tests are asked first.
func (t *tester) fails(ctx context.Context, n int) (failed, late bool) {
	runs := [][]string{nil}
	if t.slow != "" {
		runs = [][]string{{"-test.skip=" + t.slow}, {"-test.run=" + t.slow}}
	}
	for _, flags := range runs {
		flags = append(flags, "-test.failfast", "-test.timeout="+t.limit.String())
		ctx, stop := context.WithTimeout(ctx, t.limit+10*time.Second)
		out, err := t.command(ctx, []string{"CRDLIFT_MUTANT=" + strconv.Itoa(n)}, flags...).CombinedOutput()
		late = ctx.Err() != nil || bytes.Contains(out, []byte("panic: test timed out after"))
		stop()
		if err != nil {
			return true, late
		}
	}
	return false, false
}

// command runs the program without the corpus, and with no more memory than a loop without end may have.
func (t *tester) command(ctx context.Context, env []string, flags ...string) *exec.Cmd {
	script := `ulimit -v 6000000 2>/dev/null; exec "$0" -test.short "$@"`
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", script, t.program}, flags...)...)
	cmd.Dir = t.dir
	cmd.Env = append(append(os.Environ(), "GOMAXPROCS=1", "CRDLIFT_CORPUS="+filepath.Join(t.dir, "no-corpus")), env...)
	cmd.WaitDelay = time.Second
	return cmd
}
