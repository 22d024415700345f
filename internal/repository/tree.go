package repository

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/crdlift/crdlift/internal/worktree"
)

// A disk is a working tree.
type disk struct {
	top   string
	files []string
}

// maxRead is how large a file is at most that is looked at, in bytes. Bundles of CRDs have some millions.
const maxRead = 16 << 20

// OnDisk is the tree of a folder, without what git ignores and what is passed over in it otherwise.
func OnDisk(top string) Tree {
	d := &disk{top: top}
	walk := worktree.Walk{
		Wants: func(string) bool { return true },
		Found: func(below, real string) {
			if real != "" { // else a link to another file, which counts under its own name
				d.files = append(d.files, filepath.ToSlash(below))
			}
		},
		Failed: func(error) {}, // who lints the folder is told
	}
	walk.Folder(top)
	slices.Sort(d.files)
	return d
}

func (d *disk) Files() []string { return d.files }

func (d *disk) Read(path string) []byte {
	path = filepath.Join(d.top, filepath.FromSlash(path))
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxRead {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return text
}
