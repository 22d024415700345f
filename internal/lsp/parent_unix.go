//go:build unix

package lsp

import (
	"errors"
	"syscall"
)

// alive reports whether there is a process.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
