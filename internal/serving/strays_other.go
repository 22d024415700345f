//go:build !linux

package serving

import "os/exec"

// startGroup starts the first process of a group.
func startGroup(cmd *exec.Cmd) error { return cmd.Start() }

func forgetGroup(int) {}

// strays are not found here. Where one has the output of the command, that is seen, and said.
func strays() []int { return nil }

func (c *command) endStrays() {}
