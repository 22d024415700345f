package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
)

// A Source is where settings are read: a revision of a git repository, or the files of this machine, which the nil Source is. Paths
// are those of this machine in both cases.
type Source struct {
	revision   string // as messages name it
	commit     string
	repository *gitrev.Repository
}

// At is a revision, such as main or git:main, of the repository that a folder is in.
func At(ctx context.Context, dir, revision string) (*Source, error) {
	repository, err := gitrev.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	revision = strings.TrimPrefix(revision, "git:")
	commit, err := repository.Resolve(ctx, revision)
	if err != nil {
		return nil, err
	}
	return &Source{text.Revision(revision), commit, repository}, nil
}

// Label is a file in messages: REVISION:PATH, with the path from the top of the repository, or the path.
func (s *Source) Label(path string) string {
	if s == nil {
		return worktree.Shown(path)
	}
	at, _ := s.repository.Path(path)
	return s.revision + ":" + at
}

// Read returns the text of a file. The error is fs.ErrNotExist for one that is not there. A file of this machine has to be a regular
// one, and no link out of its repository.
func (s *Source) Read(path string) ([]byte, error) {
	if s == nil {
		return worktree.ReadFound(path, limit.EditorSize)
	}
	at, inside := s.repository.Path(path)
	if !inside {
		return nil, fmt.Errorf("%s is outside of the repository; name a path in it", worktree.Shown(path))
	}
	return s.repository.File(context.Background(), s.commit, at, limit.EditorSize)
}

// Find is the function Find for the files of the source.
func (s *Source) Find(dir string) (path string, err error) {
	if s == nil {
		return Find(dir)
	}
	for {
		path = filepath.Join(dir, Name)
		if _, inside := s.repository.Path(path); !inside {
			return "", nil
		}
		if _, err := s.Read(path); !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
		dir = filepath.Dir(dir)
	}
}

// readEither reads a file, or the configuration in a folder, and returns the path of what it read.
func (s *Source) readEither(path string) (at string, src []byte, err error) {
	if info, failed := os.Stat(path); s == nil && failed == nil && info.IsDir() {
		path = filepath.Join(path, Name)
	}
	src, err = s.Read(path)
	if s != nil && errors.Is(err, fs.ErrNotExist) { // it may be a folder there
		if below, failed := s.Read(filepath.Join(path, Name)); failed == nil {
			return filepath.Join(path, Name), below, nil
		}
	}
	return path, src, err
}
