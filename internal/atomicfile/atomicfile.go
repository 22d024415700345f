// Package atomicfile replaces the content of a file as a whole, so that a reader never finds a part of it.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Write replaces the content of a file so that at every moment, a crash included, either the old or the new
// content is there as a whole: it writes a temporary file next to it and renames that. The new file has the mode of the
// old and, where the process may, its owner; a symbolic link stays and its target is replaced; other hard links keep
// the old content. A file that does not exist is created with the mode 0666 before the umask. A path that is not a
// regular file is rejected. On failure the file is as it was and the temporary one is gone.
func Write(path string, data []byte) error { return WriteFrom(path, bytes.NewReader(data)) }

// WriteFrom is Write for a content that need not be held in memory.
func WriteFrom(path string, from io.Reader) error {
	return write(path, from, func(string) error { return nil })
}

// ErrChanged reports that a file has changed since it was read.
var ErrChanged = errors.New("changed since it was read; left alone")

// Rewrite is Write for a file that was read before. Content that was saved in the meantime is not overwritten: the
// error is ErrChanged, as it is when the file is gone. It is not an error if the file already has the new content, from
// a second run for example.
func Rewrite(path string, was, data []byte) error {
	return write(path, bytes.NewReader(data), func(target string) error {
		is, err := os.ReadFile(target)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(is, was) && !bytes.Equal(is, data) {
			err = ErrChanged
		}
		if err != nil {
			return &fs.PathError{Op: "write", Path: path, Err: err}
		}
		return nil
	})
}

// write replaces a file unless check, which is asked last of all, objects.
func write(path string, from io.Reader, check func(target string) error) error {
	target, old, err := writeTarget(path)
	if err != nil {
		return err
	}
	return writeTo(target, old, path, from, check)
}

// writeTo is that where the target is known, and what it was; nil for nothing.
func writeTo(target string, old fs.FileInfo, path string, from io.Reader, check func(target string) error) error {
	mode := fs.FileMode(0o666)
	if old != nil {
		// The content must not be readable by others before the file has the mode of the one it replaces.
		mode = 0o600
	}
	temp, err := createBeside(target, mode)
	if err != nil {
		return calledAs(path, err)
	}
	return replace(temp, path, target, from, old, check)
}

// calledAs returns an error with the path that the user gave: neither the temporary file nor the link's target is known
// to the user.
func calledAs(path string, err error) error {
	var cause error
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		cause = at.Err
	} else if link := (*os.LinkError)(nil); errors.As(err, &link) {
		cause = link.Err
	} else {
		return err
	}
	return &fs.PathError{Op: "write", Path: path, Err: cause}
}

// replace makes the temporary file the target, which its user calls by a path, or removes it.
func replace(temp *os.File, path, target string, from io.Reader, old fs.FileInfo, check func(target string) error) error {
	err := fill(temp, from, old)
	if err == nil {
		err = check(target)
	}
	if err == nil {
		err = os.Rename(temp.Name(), target)
	}
	if err != nil {
		return errors.Join(calledAs(path, err), os.Remove(temp.Name()))
	}
	syncDir(filepath.Dir(target))
	return nil
}

// writeTarget follows the symbolic links of a path. The information is nil for a file that does not exist yet.
func writeTarget(path string) (target string, old fs.FileInfo, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path, nil, nil
	}
	target, err = filepath.EvalSymlinks(path)
	if err != nil {
		return "", nil, err
	}
	old, err = os.Stat(target)
	if err != nil {
		return "", nil, err
	}
	if !old.Mode().IsRegular() {
		return "", nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("not a regular file")}
	}
	return target, old, nil
}

// maxBase is how much of a file's name, in bytes, its temporary file has in its own: names have up to 255.
const maxBase = 200

// createBeside makes an empty temporary file in the folder of the target, so that renaming it never crosses a file
// system. Unlike os.CreateTemp it lets the umask have its say.
func createBeside(target string, mode fs.FileMode) (*os.File, error) {
	base := filepath.Base(target)
	if len(base) > maxBase {
		base = strings.ToValidUTF8(base[:maxBase], "")
	}
	for range 100 {
		name := fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(target), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, &fs.PathError{Op: "create", Path: target, Err: errors.New("no free name for a temporary file")}
}

// fill writes, syncs and closes the temporary file and makes it look like the old one. It closes it in any case:
// Windows neither renames nor removes an open file.
func fill(temp *os.File, from io.Reader, old fs.FileInfo) error {
	_, err := io.Copy(temp, from)
	if err == nil && old != nil {
		// The owner first: changing it clears the set-user-ID bit.
		keepOwner(temp, old)
		err = temp.Chmod(old.Mode())
	}
	if err == nil {
		err = temp.Sync()
	}
	return errors.Join(err, temp.Close())
}

// syncDir makes the rename itself durable where the system can sync a folder; where it cannot, nothing is lost but
// the guarantee.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
