package worktree

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// An ignoreRule is one line of a .gitignore file. See gitignore(5) for its meaning.
type ignoreRule struct {
	base     string // absolute path of the folder it counts from
	glob     string // as doublestar reads it
	anchored bool   // matches the path from base on, and not only the last name
	dirOnly  bool
	negated  bool
}

// ignoreRules are the rules that hold in a folder; later ones win.
type ignoreRules []ignoreRule

// rulesFor collects the rules that hold in a folder: those of its git repository from the root down to it, and its own.
func rulesFor(dir string) ignoreRules {
	if IsRepository(dir) || TopOf(dir) == "" { // outside of one only the folder's own file and those below it count
		return ignoreRules(nil).enter(dir)
	}
	return rulesFor(filepath.Dir(dir)).enter(dir)
}

// enter returns the rules that hold in a subfolder. A repository inside a repository starts afresh.
func (r ignoreRules) enter(dir string) ignoreRules {
	if IsRepository(dir) {
		r = readRules(filepath.Join(gitFolder(dir), "info", "exclude"), dir)
	}
	var own ignoreRules
	// Like git, this follows no link that a repository may hold.
	if path := filepath.Join(dir, ".gitignore"); !IsLink(path) {
		own = readRules(path, dir)
	}
	// Siblings share what r holds; appending must not write into it.
	return append(r[:len(r):len(r)], own...)
}

// ignored reports whether git would pass over a file or folder, given that it looks into the folder it is in.
func (r ignoreRules) ignored(path string, isDir bool) bool {
	for i := len(r) - 1; i >= 0; i-- {
		if r[i].match(path, isDir) {
			return !r[i].negated
		}
	}
	return false
}

func (r *ignoreRule) match(path string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	name := filepath.Base(path)
	if r.anchored {
		rel, err := filepath.Rel(r.base, path)
		if err != nil {
			return false
		}
		name = filepath.ToSlash(rel)
	}
	// git ignores a malformed pattern too.
	ok, err := doublestar.Match(r.glob, name)
	return ok && err == nil
}

// readRules reads one file of rules. One that is missing or unreadable has none.
func readRules(path, base string) ignoreRules {
	text, err := readSmall(path)
	if err != nil {
		return nil
	}
	var rules ignoreRules
	for line := range strings.SplitSeq(string(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))), "\n") {
		if rule, ok := parseRule(strings.TrimSuffix(line, "\r"), base); ok {
			rules = append(rules, rule)
		}
	}
	return rules
}

func parseRule(line, base string) (rule ignoreRule, ok bool) {
	rule.base = base
	if strings.HasPrefix(line, "#") {
		return rule, false
	}
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	line, rule.negated = strings.CutPrefix(line, "!")
	line, rule.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return rule, false
	}
	rule.anchored = strings.Contains(line, "/")
	rule.glob = doublestarGlob(strings.TrimPrefix(line, "/"))
	return rule, true
}

// posixClasses are the character classes of git's globs that doublestar does not know.
var posixClasses = strings.NewReplacer("[:alpha:]", "a-zA-Z", "[:digit:]", "0-9", "[:alnum:]", "a-zA-Z0-9",
	"[:lower:]", "a-z", "[:upper:]", "A-Z", "[:space:]", " \t\r\n", "[:xdigit:]", "0-9a-fA-F")

// doublestarGlob writes one of git's globs for doublestar, which knows alternatives in braces besides, and lets a/**
// match a itself.
func doublestarGlob(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			b.WriteByte('\\')
			if i++; i < len(glob) {
				b.WriteByte(glob[i])
			}
		case '{', '}':
			b.WriteByte('\\')
			b.WriteByte(glob[i])
		default:
			b.WriteByte(glob[i])
		}
	}
	glob = posixClasses.Replace(b.String())
	if strings.HasSuffix(glob, "/**") {
		glob += "/*"
	}
	return glob
}

// gitFolder returns the folder with the git data that worktrees share. In worktrees and submodules .git is a file that
// names the folder.
func gitFolder(dir string) string {
	git := filepath.Join(dir, ".git")
	text, err := readSmall(git)
	if err != nil {
		return git
	}
	named, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !ok {
		return git
	}
	git = resolve(dir, named)
	if common, err := readSmall(filepath.Join(git, "commondir")); err == nil {
		git = resolve(git, strings.TrimSpace(string(common)))
	}
	return git
}

// maxRules is how large a file of rules may be, in bytes. Work grows with the rules times the files.
const maxRules = 1 << 20

// readSmall reads what git keeps in small files. Anything else with their name is passed over, pipes above all.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxRules {
		return nil, fs.ErrInvalid
	}
	return os.ReadFile(path)
}

// resolve returns a path that may be relative to a folder.
func resolve(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
