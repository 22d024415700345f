package serving

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// running are the process groups of commands, by the number of their first process, and the children that this process had
// before: those of a shell whose place it has taken by exec.
var running struct {
	sync.Mutex
	groups, before map[int]bool
}

// setChildSubreaper is PR_SET_CHILD_SUBREAPER of prctl(2): a process whose parent has ended becomes a child of this one, so that
// none can leave unseen.
const setChildSubreaper = 36

// startGroup starts the first process of a group.
func startGroup(cmd *exec.Cmd) error {
	running.Lock()
	defer running.Unlock()
	if running.groups == nil {
		before := map[int]bool{}
		for _, pid := range findStrays() {
			before[pid] = true
		}
		running.groups, running.before = map[int]bool{}, before
		_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0) // known since Linux 3.4
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	running.groups[cmd.Process.Pid] = true
	return nil
}

// forgetGroup makes strays of what is left of a group.
func forgetGroup(number int) {
	running.Lock()
	defer running.Unlock()
	delete(running.groups, number)
}

// strays are the children of this process that it has not started itself: they are neither in a group of a command nor in its
// own group, as what it runs otherwise is. Those that have ended are let go of, also where they are in the group of a command.
func strays() []int {
	running.Lock()
	defer running.Unlock()
	return findStrays()
}

func findStrays() (pids []int) {
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range all {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		stat, errRead := os.ReadFile(name)
		// The name of the program is in parentheses and may have some itself. Then there are state, parent and group.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if err != nil || errRead != nil || len(fields) < 3 || string(fields[1]) != strconv.Itoa(os.Getpid()) || running.groups[pid] {
			continue
		}
		group, _ := strconv.Atoi(string(fields[2]))
		switch {
		case group == syscall.Getpgrp() || running.before[pid]:
		case string(fields[0]) == "Z":
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		case !running.groups[group]:
			pids = append(pids, pid)
		}
	}
	return pids
}

// endStrays ends the strays, and what these leave: it asks them, and does not wait for longer than for the group.
func (c *command) endStrays() {
	asked := map[int]bool{}
	begun := time.Now()
	for left := strays(); len(left) > 0; left = strays() {
		late := time.Since(begun) > c.grace
		if time.Since(begun) > 2*c.grace {
			c.left.Store(true) // it belongs to another user, say
			return
		}
		for _, pid := range left {
			if late {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			} else if !asked[pid] {
				_ = syscall.Kill(pid, syscall.SIGTERM)
				asked[pid] = true
			}
		}
		time.Sleep(c.interval)
	}
}
