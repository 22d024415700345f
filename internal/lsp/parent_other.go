//go:build !unix

package lsp

import "os"

// alive reports whether there is a process. On Windows, one that is gone is not found.
func alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = process.Release()
	return true
}
