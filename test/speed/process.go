package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A contestant is a process to be measured.
type contestant struct {
	name string   // as the page has it
	peer bool     // somebody else's, which may be missing or fail
	args []string // the program and its arguments
	// each has more arguments for as many processes, one after the other, that are measured together; nil for one process.
	each  [][]string
	env   []string // beside the environment of all
	stdin string   // a file; "" for nothing
	done  []int    // the exit codes that say that it did its work; 0 when empty
	goal  goal
}

// A sample is what one run of a process cost, and a result what its runs did: the least CPU time, as whatever else the
// machine does adds to it, the median of wall times, and the most memory.
type sample struct {
	wall, cpu time.Duration // cpu in user and system mode, on all cores
	memory    int64         // the largest resident set, in bytes
}

func result(samples []sample) (r sample) {
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.wall, b.wall) })
	r = samples[(len(samples)-1)/2]
	for _, s := range samples {
		r.cpu, r.memory = min(r.cpu, s.cpu), max(r.memory, s.memory)
	}
	return r
}

// unset are variables that would have one program measured under other conditions than another.
var unset = []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG", "FORCE_COLOR", "KUBECONFIG", "HOME", "XDG_CONFIG_HOME"}

// environment is that of all contestants. The home is an empty folder, so that nobody's configuration matters and no
// cluster is asked.
func environment(home string) []string {
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(unset, name)
	})
	return append(env, "HOME="+home, "NO_COLOR=1")
}

// measure runs the processes of a contestant once, and adds up what they cost.
func measure(ctx context.Context, c contestant, home string) (sample, error) {
	if c.each == nil {
		return c.run(ctx, home, c.args)
	}
	var sum sample
	for _, more := range c.each {
		s, err := c.run(ctx, home, slices.Concat(c.args, more))
		if err != nil {
			return sample{}, err
		}
		sum = sample{sum.wall + s.wall, sum.cpu + s.cpu, max(sum.memory, s.memory)}
	}
	return sum, nil
}

// run runs a process in a folder that has neither a configuration nor manifests. What it prints is thrown away, but for
// the end of what it says when it fails.
//
// A child's peak memory is never below what this process has when it starts it: until exec, the two share their pages.
// So this program holds no file in memory.
func (c contestant) run(ctx context.Context, home string, args []string) (sample, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = home
	cmd.Env = append(environment(home), c.env...)
	if c.stdin != "" {
		from, err := os.Open(c.stdin)
		if err != nil {
			return sample{}, err
		}
		defer from.Close()
		cmd.Stdin = struct{ io.Reader }{from} // which is no file, so that there is a pipe
	}
	var complaint tail
	cmd.Stderr = &complaint
	begin := time.Now()
	err := cmd.Run()
	wall := time.Since(begin)
	var exit *exec.ExitError
	if errors.As(err, &exit) && slices.Contains(c.done, exit.ExitCode()) {
		err = nil
	}
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, complaint)
	}
	return cost(cmd.ProcessState, wall), nil
}

// cost is what a process that has ended took.
func cost(state *os.ProcessState, wall time.Duration) sample {
	return sample{wall, state.UserTime() + state.SystemTime(), peakMemory(state)}
}

// A tail keeps the end of what is written to it.
type tail string

func (t *tail) Write(p []byte) (int, error) {
	text := string(*t) + string(p)
	*t = tail(text[max(0, len(text)-2000):])
	return len(p), nil
}

// race runs contestants several times. They take turns, so that whatever else the machine does meets all of them. A peer
// that fails is left out, for it may be another release than the one whose arguments we know; of ours, none may fail.
func (b *bench) race(rounds int, contestants []contestant, samples map[string][]sample) error {
	contestants = slices.Clone(contestants)
	for range rounds {
		for i := 0; i < len(contestants); i++ {
			c := contestants[i]
			s, err := b.measure(b.ctx, c, b.home())
			switch {
			case err == nil:
				samples[c.name] = append(samples[c.name], s)
			case !c.peer || b.ctx.Err() != nil:
				return err
			default:
				fmt.Fprintf(os.Stderr, "left out: %v\n", err)
				contestants = slices.Delete(contestants, i, i+1)
				i--
			}
		}
	}
	return nil
}
