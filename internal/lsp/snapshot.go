package lsp

import (
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/worktree"
)

// maxSize is how large a text may be that is judged while it is typed, in bytes. `crdlift lint` takes larger ones.
const maxSize = limit.EditorSize

// A snapshot is a text at one time: that of an open document, or of a file that is not open.
type snapshot struct {
	*mapper // nil where the text is not known
	uri     uri.URI
	path    string // as the linter knows the file: absolute, with slashes
	version int32  // of the open document
	open    bool
}

// readFile reads a file, or nothing of one that is too large.
func readFile(doc uri.URI) ([]byte, error) {
	if !doc.IsFile() {
		return nil, os.ErrNotExist
	}
	path := doc.FsPath()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, worktree.ErrTooLarge
	}
	return os.ReadFile(path)
}

// pathOf is the path of a document as the linter knows it. One that is no file yet has its name.
func pathOf(doc uri.URI) string {
	if doc.IsFile() {
		return filepath.ToSlash(doc.FsPath())
	}
	return strings.TrimPrefix(doc.Path(), "/")
}

// isConfiguration reports whether a document is a configuration file.
func isConfiguration(doc uri.URI) bool {
	return doc.IsFile() && filepath.Base(doc.FsPath()) == config.Name
}
