package atomicfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errLink is the error about a link where the program would have a file or folder of its own.
var errLink = errors.New("is a symbolic link, and crdlift writes through no link below this folder; remove the link")

// WriteBelow is Write for a file whose name the program chose, by its path below a folder that the user named. Folders in
// between are made. What is there may come with a repository, so that its author would choose the file that is replaced: below
// the folder, no symbolic link is followed, and what is no regular file is rejected.
func WriteBelow(folder, name string, data []byte) error {
	old, err := below("write", folder, name)
	if err != nil {
		return err
	}
	target := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	return writeTo(target, old, target, bytes.NewReader(data), func(string) error { return nil })
}

// OpenBelow opens such a file for reading.
func OpenBelow(folder, name string) (*os.File, error) {
	old, err := below("open", folder, name)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, name)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !os.SameFile(info, old) { // it was put there since
		return nil, errors.Join(&fs.PathError{Op: "open", Path: path, Err: ErrChanged}, f.Close())
	}
	return f, nil
}

// below looks, for an operation, at each step of a path below a folder. The information is nil for a file that does not exist yet.
func below(op, folder, name string) (old fs.FileInfo, err error) {
	refuse := func(at string, why error) error { return &fs.PathError{Op: op, Path: at, Err: why} }
	if !filepath.IsLocal(name) {
		return nil, refuse(filepath.Join(folder, name), errors.New("leads out of its folder"))
	}
	at, steps := folder, strings.Split(filepath.Clean(name), string(filepath.Separator))
	for i, step := range steps {
		at = filepath.Join(at, step)
		old, err = os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case old.Mode()&fs.ModeSymlink != 0:
			return nil, refuse(at, errLink)
		case i < len(steps)-1 && !old.IsDir():
			return nil, refuse(at, errors.New("not a folder"))
		case i == len(steps)-1 && !old.Mode().IsRegular():
			return nil, refuse(at, errors.New("not a regular file"))
		}
	}
	return old, nil
}
