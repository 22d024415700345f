package config

import (
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/lint"
)

// firstOf returns the first of the configuration's globs that a file matches; "" for none.
func firstOf(c *lint.Config, globs []string, path string) string {
	if len(globs) == 0 {
		return ""
	}
	path = Relative(c.Path, path)
	for _, glob := range globs {
		if MatchFile(glob, path) {
			return glob
		}
	}
	return ""
}

// Relative returns a path relative to the folder of a file, as globs and baselines have it, with slashes. It returns
// the path itself where there is no relative path.
func Relative(file, path string) string {
	if folder := filepath.Dir(file); filepath.IsLocal(folder) && filepath.IsLocal(path) { // wherever the working directory is
		if relative, err := filepath.Rel(folder, path); err == nil {
			return filepath.ToSlash(relative)
		}
	}
	absolute, err := filepath.Abs(path)
	if err == nil {
		if dir, err := filepath.Abs(filepath.Dir(file)); err == nil {
			if relative, err := filepath.Rel(dir, absolute); err == nil {
				path = relative
			}
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}

// MatchFile matches a path with slashes: `*` stays within a folder, `**` does not. A glob whose last part has no
// wildcard may also name a folder: it matches all files below it.
func MatchFile(glob, path string) bool {
	glob = strings.TrimPrefix(glob, "./")
	folder := strings.TrimSuffix(glob, "/")
	if folder == glob && doublestar.MatchUnvalidated(glob, path) {
		return true
	}
	last := folder[strings.LastIndexByte(folder, '/')+1:]
	return (folder != glob || !Wild(last)) && doublestar.MatchUnvalidated(folder+"/**", path)
}

// Wild reports whether a glob can match more than one name.
func Wild(glob string) bool { return strings.ContainsAny(glob, `*?[{\`) }

// Literal is the glob that matches a path alone.
func Literal(path string) string { return meta.Replace(path) }

var meta = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`, `\`, `\\`)

// maxAlternatives bounds the globs that one with braces expands to: matching tries them one after the other.
const maxAlternatives = 1000

// alternatives counts the globs that one with balanced braces expands to, up to one more than allowed.
func alternatives(glob string) int {
	type group struct{ done, current int } // of its alternatives, and of the one that is being read
	open := []group{{current: 1}}
	for i := 0; i < len(glob); i++ {
		at := &open[len(open)-1]
		switch glob[i] {
		case '\\':
			i++
		case '{':
			open = append(open, group{current: 1})
		case ',':
			if len(open) > 1 {
				at.done, at.current = min(at.done+at.current, maxAlternatives+1), 1
			}
		case '}':
			if len(open) > 1 {
				open = open[:len(open)-1]
				open[len(open)-1].current = min(open[len(open)-1].current*(at.done+at.current), maxAlternatives+1)
			}
		}
	}
	return open[0].current
}

// MatchName matches a name that has no folders: a rule id or the name of a CRD.
func MatchName(glob, name string) bool { return doublestar.MatchUnvalidated(glob, name) }

// MatchPath matches the path of a finding, step by step: `*` and `?` match within dots or brackets, `**` matches any
// number of steps. `a[b].c` and `a.b.c` mean the same.
func MatchPath(glob, path string) bool {
	return doublestar.MatchUnvalidated(stepwise(glob, true), stepwise(path, false))
}

// PathKey is the same for paths that mean the same.
func PathKey(path string) string { return stepwise(path, false) }

// WildPath reports whether a glob of MatchPath matches more than the one path that it is.
func WildPath(glob string) bool { return strings.ContainsAny(glob, "*?") }

// written are paths as stepwise writes them: every finding has its path compared with every ignore's.
var written = memory.Memory[writtenPath, string]{Limit: 1 << 14}

type writtenPath struct {
	path string
	glob bool
}

// stepwise writes a path with slashes between its steps. In a glob, only asterisks and question marks keep a meaning.
func stepwise(path string, glob bool) string {
	return written.Of(writtenPath{path, glob}, func() string { return writeStepwise(path, glob) })
}

func writeStepwise(path string, glob bool) string {
	steps := crd.Steps(path)
	for i, step := range steps {
		step = strings.ReplaceAll(step, "/", "\x00")
		if glob {
			step = literal.Replace(step)
		}
		steps[i] = step
	}
	return strings.Join(steps, "/")
}

var literal = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`)
