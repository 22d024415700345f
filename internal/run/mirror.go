package run

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/crdlift/crdlift/internal/atomicfile"
)

// A Mirror is the folder of --output-dir, or a folder of a release below that of --write. Nothing is written outside of it,
// whatever the inputs are called and whichever symbolic links are in it.
type Mirror struct {
	dir, below string
	owner      map[string]string // the input that is written to a path there
}

// NewMirror makes the folder, which the user named, and settles which input goes where below it.
func NewMirror(dir, below string, inputs []Input) (*Mirror, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, UsageError(Shown(dir)+" is not a folder", "name a folder, or one that does not exist yet")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	m := &Mirror{dir: dir, below: below, owner: map[string]string{}}
	for _, in := range inputs {
		if _, taken := m.owner[in.Mirror]; !taken {
			m.owner[in.Mirror] = in.Path
		}
	}
	return m, nil
}

// Write writes an input's new text to its place. Several workers may do so at once.
func (m *Mirror) Write(in Input, data []byte) error {
	target := filepath.Join(m.dir, m.below, in.Mirror)
	if first := m.owner[in.Mirror]; first != in.Path {
		return fmt.Errorf("%s is not written, because the output of %s is %s, too; rename one of them, or use two output folders", Shown(in.Path), Shown(first), Shown(target))
	}
	if there, err := os.Lstat(target); err == nil {
		if from, err := os.Stat(in.Path); err == nil && os.SameFile(from, there) {
			return fmt.Errorf("%s is not written, because --output-dir would replace the input; use --write to do that", in.Path)
		}
	}
	return Unread(atomicfile.WriteBelow(m.dir, filepath.Join(m.below, in.Mirror), data))
}
