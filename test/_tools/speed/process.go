package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A contestant is a process to be measured.
type contestant struct {
	name  string   // as the page has it
	args  []string // the program and its arguments
	times int      // how many processes, one after the other, are measured together; 0 for one
	env   []string // beside the environment of all
	stdin string   // a file of the folder; "" for nothing
}

// kubeconform is the contestant that is somebody else's, which may be missing or fail.
const kubeconform = "kubeconform"

// A sample is what one run of a process cost.
type sample struct {
	wall, cpu time.Duration // cpu in user and system mode, on all cores
	memory    int64         // the largest resident set, in bytes
}

// result is what some runs cost: the least CPU time, as whatever else the machine does adds to it, the median of wall times,
// and the most memory.
func result(samples []sample) (r sample) {
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.wall, b.wall) })
	r = samples[(len(samples)-1)/2]
	for _, s := range samples {
		r.cpu, r.memory = min(r.cpu, s.cpu), max(r.memory, s.memory)
	}
	return r
}

// environment is that of all contestants: no variable sets a limit for one of them, and the home is a folder without anybody's
// configuration, so that none matters and no cluster is asked.
func environment(home string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "HOME=" + home, "NO_COLOR=1"}
}

// measure runs the processes of a contestant once, and adds up what they cost.
func measure(ctx context.Context, c contestant, folder string) (sum sample, err error) {
	for range max(1, c.times) {
		s, err := c.run(ctx, folder)
		if err != nil {
			return sample{}, err
		}
		sum = sample{sum.wall + s.wall, sum.cpu + s.cpu, max(sum.memory, s.memory)}
	}
	return sum, nil
}

// run runs a process in a folder. What it prints is thrown away, but for what it says when it fails; exit code 1 says that
// there is something wrong with the manifests.
//
// A child's peak memory is never below what this process has when it starts it: until exec, the two share their pages.
// So this program holds no file in memory.
func (c contestant) run(ctx context.Context, folder string) (sample, error) {
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir = folder
	cmd.Env = append(environment(folder), c.env...)
	if c.stdin != "" {
		from, err := os.Open(filepath.Join(folder, c.stdin))
		if err != nil {
			return sample{}, err
		}
		defer from.Close()
		cmd.Stdin = struct{ io.Reader }{from} // which is no file, so that there is a pipe
	}
	var complaint strings.Builder
	cmd.Stderr = &complaint
	begun := time.Now()
	err := cmd.Run()
	wall := time.Since(begun)
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !(ok && exit.ExitCode() == 1) {
		return sample{}, fmt.Errorf("%s: %w\n%s", strings.Join(c.args, " "), err, &complaint)
	}
	return cost(cmd.ProcessState, wall), nil
}

// cost is what a process that has ended took.
func cost(state *os.ProcessState, wall time.Duration) sample {
	s := sample{wall: wall, cpu: state.UserTime() + state.SystemTime()}
	// A field of syscall.Rusage where there is such a thing: getrusage(2).
	if most := reflect.Indirect(reflect.ValueOf(state.SysUsage())).FieldByName("Maxrss"); most.IsValid() {
		s.memory = most.Int()
		if runtime.GOOS != "darwin" {
			s.memory *= 1024
		}
	}
	return s
}

// race runs contestants several times. They take turns, so that whatever else the machine does meets all of them. If
// kubeconform fails it is left out, for it may be another release than the one whose arguments we know; of ours, none may fail.
func (b *bench) race(rounds int, contestants []contestant, samples map[string][]sample) error {
	failed := map[string]bool{}
	for range rounds {
		for _, c := range contestants {
			if failed[c.name] {
				continue
			}
			s, err := b.measure(b.ctx, c, b.dir)
			switch {
			case err == nil:
				samples[c.name] = append(samples[c.name], s)
			case c.name != kubeconform || b.ctx.Err() != nil:
				return err
			default:
				fmt.Fprintf(os.Stderr, "left out: %v\n", err)
				failed[c.name] = true
			}
		}
	}
	return nil
}
