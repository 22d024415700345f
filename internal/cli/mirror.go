package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/crdlift/crdlift/internal/atomicfile"
)

// A mirror is the folder of --output-dir. Nothing is written outside of it, whatever the inputs are called and
// whichever symbolic links are in it.
type mirror struct {
	dir   string
	root  *os.Root
	owner map[string]string // the input that is written to a path below dir
}

// newMirror makes the folder and settles which input goes where.
func newMirror(dir string, inputs []input) (*mirror, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	m := &mirror{dir: dir, root: root, owner: map[string]string{}}
	for _, in := range inputs {
		if _, taken := m.owner[in.mirror]; !taken {
			m.owner[in.mirror] = in.path
		}
	}
	return m, nil
}

func (m *mirror) close() { _ = m.root.Close() }

// write writes an input's new text to its place. Several workers may do so at once.
func (m *mirror) write(in input, data []byte) error {
	if first := m.owner[in.mirror]; first != in.path {
		return fmt.Errorf("%s: not written: %s is also written to %s", shown(in.path), shown(first), shown(filepath.Join(m.dir, in.mirror)))
	}
	if err := m.root.MkdirAll(filepath.Dir(in.mirror), 0o777); err != nil {
		return err
	}
	target := filepath.Join(m.dir, in.mirror)
	// The root refuses links that lead out of it, here and in MkdirAll.
	there, err := m.root.Stat(in.mirror)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		if from, err := os.Stat(in.path); err == nil && os.SameFile(from, there) {
			return fmt.Errorf("%s: not written: --output-dir would replace the input; use --write to do that", in.path)
		}
	}
	return atomicfile.Write(target, data)
}
