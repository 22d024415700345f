package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"sigs.k8s.io/kustomize/api/konfig"
)

// A Walk looks through folders for manifests.
type Walk struct {
	Skip       string          // absolute path of a folder to pass over; "" for none
	Tracked    map[string]bool // files and folders that are looked at whatever git ignores, by their real paths
	Everywhere bool            // look into the folders that are passed over otherwise, too: see leftOut
	// Wants reports whether a file is looked for, by its name; nil for manifests. Of links, only those named like one are.
	Wants func(name string) bool
	// Found takes the path of a manifest below the folder, and its real path: see RealPath; "" for a link.
	Found  func(below, real string)
	Failed func(error) // takes what cannot be looked at; the walk goes on
	// Nowhere takes the path of a symbolic link, named like a manifest, that leads to no file; nil to pass it over.
	Nowhere func(path string)
}

// Folder looks through a folder. Symbolic links to folders are not followed, so that no loop can be met; links to files are.
func (w *Walk) Folder(dir string) {
	real, err := RealPath(dir)
	if err != nil {
		w.Failed(err)
		return
	}
	if w.Wants == nil {
		w.Wants = IsManifest
	}
	w.walk(dir, "", real, rulesFor(real), false)
}

// walk looks through a folder at a path below the first one, given its rules. One that is ignored is looked through for what is tracked.
func (w *Walk) walk(top, below, real string, rules ignoreRules, ignored bool) {
	dir := filepath.Join(top, below)
	entries, err := os.ReadDir(dir)
	if err != nil {
		w.Failed(err)
	}
	for _, e := range entries {
		path, at := filepath.Join(below, e.Name()), filepath.Join(real, e.Name())
		ignored := ignored || rules.ignored(at, e.IsDir())
		switch {
		case e.Name() == ".git" || at == w.Skip || ignored && !w.Tracked[at]:
		case e.IsDir() && leftOut(e.Name()) && !w.Everywhere:
		case e.IsDir():
			w.walk(top, path, at, rules.enter(at), ignored)
		case w.Wants(e.Name()) && (e.Type().IsRegular() || IsManifest(e.Name())) && w.isFile(filepath.Join(dir, e.Name()), e):
			if e.Type()&fs.ModeSymlink != 0 {
				at = ""
			}
			w.Found(path, at)
		}
	}
}

// isFile reports whether an entry of a folder is a regular file or a link to one.
func (w *Walk) isFile(path string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ELOOP):
		if w.Nowhere != nil {
			w.Nowhere(path)
		}
		return false
	case err != nil:
		w.Failed(err)
		return false
	}
	return info.Mode().IsRegular()
}

// leftOut reports whether a folder is read only if it is named: it holds third-party or generated files, or a tool's
// own data.
func leftOut(name string) bool {
	return name == "vendor" || name == "node_modules" || strings.HasPrefix(name, ".")
}

// IsWalked reports whether a walk looks at a file, by its path below the folder, with slashes; unless git ignores it.
func IsWalked(below string) bool { return IsManifest(below) && IsEntered(below) }

// IsEntered reports whether a walk enters the folders that a file is in, likewise.
func IsEntered(below string) bool {
	steps := strings.Split(below, "/")
	return !slices.ContainsFunc(steps[:len(steps)-1], leftOut)
}

// IsKustomization reports whether a file is called as kustomizations are.
func IsKustomization(path string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path))
}

// IsManifest reports whether a file in a folder is read, by its name or path.
func IsManifest(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}
