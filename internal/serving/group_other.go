//go:build !unix

package serving

import (
	"os/exec"
	"strconv"
	"syscall"
)

// ownGroup does nothing: processes are found by their parents here.
func ownGroup() *syscall.SysProcAttr { return nil }

// terminate ends the process and those that it started: on Windows there is no way to ask them.
func (c *command) terminate() { c.kill() }

func (c *command) kill() {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(c.Process.Pid)).Run() != nil {
		_ = c.Process.Kill()
	}
}

// groupRuns is false: those that it started were ended before it.
func (c *command) groupRuns() bool { return false }
