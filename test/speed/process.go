package main

import (
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
	peer string   // the name of its program, when it is somebody else's
	name string   // in the table, as Markdown
	does string   // what it does with these files
	args []string // the program and its arguments
	// each has more arguments for as many processes, one after the other, that are measured together; nil for one process.
	each [][]string
	env  []string // beside the environment of all
	// stdin is a file that it gets through a pipe; "" for nothing.
	stdin string
	done  []int // the exit codes that say that it did its work; 0 when empty
}

// A sample is what one run of a process cost.
type sample struct {
	wall, cpu time.Duration // cpu in user and system mode, on all cores
	memory    int64         // the largest resident set, in bytes
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
// what it says when it fails.
//
// A child's peak memory is never below what this process has when it starts it: until exec, the two share their pages.
// So this program links nothing but the standard library and holds no file in memory.
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
		return sample{}, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, complaint.text)
	}
	return cost(cmd.ProcessState, wall), nil
}

// cost is what a process that has ended took.
func cost(state *os.ProcessState, wall time.Duration) sample {
	return sample{wall, state.UserTime() + state.SystemTime(), peakMemory(state)}
}

// A tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	const enough = 2000
	t.text = append(t.text, p...)
	if extra := len(t.text) - enough; extra > 0 {
		t.text = slices.Delete(t.text, 0, extra)
	}
	return len(p), nil
}

// race runs contestants several times. They take turns, so that whatever else the machine does meets all of them. A peer
// that fails is left out, for it may be another release than the one whose arguments we know; of ours, none may fail.
func race(ctx context.Context, measure func(context.Context, contestant, string) (sample, error), home string, rounds int, log, progress io.Writer, contestants []contestant) ([]result, error) {
	results := make([]result, len(contestants))
	for i, c := range contestants {
		results[i].contestant = c
	}
	for round := range rounds {
		for i := 0; i < len(results); i++ {
			c := results[i].contestant
			fmt.Fprintf(progress, "\r\x1b[Kround %d of %d: %s", round+1, rounds, strings.ReplaceAll(c.name, "`", ""))
			s, err := measure(ctx, c, home)
			switch {
			case err == nil:
				results[i].samples = append(results[i].samples, s)
			case c.peer == "" || ctx.Err() != nil:
				return nil, err
			default:
				fmt.Fprintf(log, "\nleft out: %v\n", err)
				results = slices.Delete(results, i, i+1)
				i--
			}
		}
	}
	fmt.Fprint(progress, "\r\x1b[K")
	return results, nil
}
