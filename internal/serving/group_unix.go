//go:build unix

package serving

import "syscall"

// ownGroup has a process begin a process group, which those that it starts belong to.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// terminate asks all processes of the group to end.
func (c *command) terminate() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }

// kill ends them.
func (c *command) kill() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// groupRuns reports whether one of them is left when the first has ended.
func (c *command) groupRuns() bool { return syscall.Kill(-c.Process.Pid, 0) == nil }
