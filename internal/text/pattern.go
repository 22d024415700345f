package text

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when somebody asks for it, and panics then if it is wrong. Most runs, such as those
// of hooks, ask for few, and all pay for what is compiled while a program starts. Inlined, each would add two kilobytes to the program.
//
//go:noinline
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
