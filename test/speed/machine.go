package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine says in a line what the figures were measured on.
func machine() string {
	model := "an unknown processor"
	switch runtime.GOOS {
	case "linux":
		model = field("/proc/cpuinfo", "model name", model)
	case "darwin":
		if out, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
			model = strings.TrimSpace(string(out))
		}
	}
	cores := "1 core"
	if n := runtime.NumCPU(); n > 1 {
		cores = fmt.Sprintf("%d cores", n)
	}
	return fmt.Sprintf("%s/%s, %s, %s, %s", runtime.GOOS, runtime.GOARCH, model, cores, runtime.Version()) + load()
}

// load returns how busy the machine was before the first program ran: figures of a busy one are no good.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), " ")
	return ", load " + first + " before the run"
}

// field finds the first line "name : value" of a file.
func field(path, name, otherwise string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return otherwise
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return otherwise
}
