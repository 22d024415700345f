package repository

import (
	"io"
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

// OnDisk is the tree of a folder, without what git ignores and what is skipped in it otherwise.
func OnDisk(top string) Tree { return Of(top, filesIn(top)) }

func filesIn(top string) (files []string) {
	walk := worktree.Walk{
		Wants: func(string) bool { return true },
		Found: func(below, real string) {
			if real != "" { // else a link to another file, which counts under its own name
				files = append(files, below)
			}
		},
		Failed: func(error) {}, // who lints the folder is told
	}
	walk.Folder(top)
	return files
}

// Of is the tree of files that were found in a folder, given by their paths below it.
func Of(top string, files []string) Tree {
	d := &disk{top: top}
	for _, file := range files {
		d.files = append(d.files, filepath.ToSlash(file))
	}
	slices.Sort(d.files)
	return d
}

func (d *disk) Files() []string { return d.files }

func (d *disk) Read(path string) []byte {
	f, err := os.Open(filepath.Join(d.top, filepath.FromSlash(path)))
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRead {
		return nil
	}
	text := make([]byte, info.Size())
	n, _ := io.ReadFull(f, text) // less, where somebody writes it
	return text[:n]
}
