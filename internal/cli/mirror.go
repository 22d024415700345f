package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/crdlift/crdlift/internal/atomicfile"
)

// A mirror is the folder of --output-dir, or a folder of a release below that of --write. Nothing is written outside of it,
// whatever the inputs are called and whichever symbolic links are in it.
type mirror struct {
	dir, below string
	owner      map[string]string // the input that is written to a path there
}

// newMirror makes the folder, which the user named, and settles which input goes where below it.
func newMirror(dir, below string, inputs []input) (*mirror, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	m := &mirror{dir: dir, below: below, owner: map[string]string{}}
	for _, in := range inputs {
		if _, taken := m.owner[in.mirror]; !taken {
			m.owner[in.mirror] = in.path
		}
	}
	return m, nil
}

// write writes an input's new text to its place. Several workers may do so at once.
func (m *mirror) write(in input, data []byte) error {
	target := filepath.Join(m.dir, m.below, in.mirror)
	if first := m.owner[in.mirror]; first != in.path {
		return fmt.Errorf("%s: not written: %s is also written to %s", shown(in.path), shown(first), shown(target))
	}
	if there, err := os.Lstat(target); err == nil {
		if from, err := os.Stat(in.path); err == nil && os.SameFile(from, there) {
			return fmt.Errorf("%s: not written: --output-dir would replace the input; use --write to do that", in.path)
		}
	}
	return unread(atomicfile.WriteBelow(m.dir, filepath.Join(m.below, in.mirror), data))
}
