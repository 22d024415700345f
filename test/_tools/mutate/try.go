package main

import (
	"bytes"
	"context"
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
)

// A tester is a package's test program, with all its mutants in it.
type tester struct {
	program, dir string   // dir is the folder of the tests, in a copy of the repository
	runs         []string // the flags of what is run one after the other: quick tests, and then those that take more than a second
	limit        time.Duration
}

// try tries mutants of a package until there are enough or the time is over. It prints the figures and every survivor, and
// returns how many percent were killed: all, if none was tried.
func try(ctx context.Context, w io.Writer, p *Package, copied string, enough int, until time.Time, seed uint64) (percent float64, err error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	overlay, all, err := instrument(p, dir)
	if err != nil {
		return 0, err
	}
	t := &tester{program: filepath.Join(dir, "tests"), dir: filepath.Join(copied, filepath.FromSlash(testsOf(p)))}
	// Neither vet nor debug information is of any use.
	if _, err := output(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", t.program, module+testsOf(p)); err != nil {
		return 0, err
	}
	covered, err := t.cover(ctx)
	if err != nil {
		return 0, err
	}
	sample := slices.Clone(covered)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
	var killed, late int
	var lived []mutant
	var mu sync.Mutex
	var workers sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, n := range sample[:min(enough, len(sample))] {
		if slots <- struct{}{}; time.Now().After(until) || ctx.Err() != nil {
			break
		}
		workers.Go(func() {
			failed, slow := t.fails(ctx, n)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case failed && slow:
				late++
				fallthrough
			case failed:
				killed++
			default:
				lived = append(lived, all[n-1])
			}
			<-slots
		})
	}
	workers.Wait()
	tried := killed + len(lived)
	if percent = 100 * float64(killed) / float64(tried); tried == 0 {
		percent = 100
	}
	fmt.Fprintf(w, "%s: %.0f%% killed: %d of %d tried (%d of them by time) of %d covered of %d\n", nameOf(p), percent, killed, tried, late, len(covered), len(all))
	for _, m := range lived {
		fmt.Fprintf(w, "  lived: %s/%s: %s\n", nameOf(p), m.at, m.what)
	}
	return percent, ctx.Err()
}

var slowTest = regexp.MustCompile(`(?m)^--- PASS: (\w+) \((?:[1-9]|\d\d+)\.\d+s\)`)

// cover runs the tests as they are, and returns which mutants they come past.
func (t *tester) cover(ctx context.Context) (numbers []int, err error) {
	begun, hits := time.Now(), t.program+".hits"
	out, err := t.command(ctx, "CRDLIFT_MUTANT_HITS="+hits, "-test.v", "-test.parallel=1").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("the tests fail without any change: %w\n%s", err, out)
	}
	t.limit, t.runs = 4*time.Since(begun)+5*time.Second, []string{"-test.run=."}
	var slow []string
	for _, m := range slowTest.FindAllSubmatch(out, -1) {
		slow = append(slow, string(m[1]))
	}
	if slow != nil {
		names := "^(" + strings.Join(slow, "|") + ")$"
		t.runs = []string{"-test.skip=" + names, "-test.run=" + names}
	}
	text, err := os.ReadFile(hits)
	if os.IsNotExist(err) {
		return nil, nil
	}
	for line := range strings.FieldsSeq(string(text)) {
		n, err := strconv.Atoi(line)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), err
}

// fails reports whether a test fails with a mutant, and whether because it did not end.
func (t *tester) fails(ctx context.Context, n int) (failed, late bool) {
	for _, tests := range t.runs {
		ctx, stop := context.WithTimeout(ctx, t.limit+10*time.Second)
		out, err := t.command(ctx, "CRDLIFT_MUTANT="+strconv.Itoa(n), tests, "-test.failfast", "-test.timeout="+t.limit.String()).CombinedOutput()
		late = ctx.Err() != nil || bytes.Contains(out, []byte("panic: test timed out after"))
		if stop(); err != nil {
			return true, late
		}
	}
	return false, false
}

// command runs the program without the corpus, and with no more memory than a loop without end may have.
func (t *tester) command(ctx context.Context, env string, flags ...string) *exec.Cmd {
	script := `ulimit -v 6000000 2>/dev/null; exec "$0" -test.short "$@"`
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", script, t.program}, flags...)...)
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "CRDLIFT_CORPUS="+filepath.Join(t.dir, "no-corpus"), env)
	cmd.WaitDelay = time.Second
	return cmd
}
