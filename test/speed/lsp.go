package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

const (
	// edits is how often the file is changed in a session.
	edits = 10
	// workspace is how many CRDs of 20 KB the folder has that an editor opens.
	workspace = 1000
	// sessionTime ends a session with a server that does not answer.
	sessionTime = 2 * time.Minute
)

// lsp has an editor open files and a folder, and change files. What it waits for is measured, and what the sessions cost.
func (b *bench) lsp() (string, error) {
	t := table{{"what the editor does", "time to diagnostics", "times", "CPU time of the session", "peak memory"}}
	for _, size := range []struct {
		size  int64
		limit time.Duration
	}{{20_000, 50 * time.Millisecond}, {megabyte, 500 * time.Millisecond}} {
		what := "a CRD of " + megabytes(size.size)
		var opened, changed, sessions []sample
		for range b.rounds {
			begin, changes, session, err := b.typing(int(size.size))
			if err != nil {
				return "", err
			}
			opened, changed, sessions = append(opened, begin), append(changed, changes...), append(sessions, session)
		}
		session := result{samples: sessions}
		cost := []string{session.cpu().show(short), megabytes(session.memory().most)}
		edited := result{contestant{name: "`crdlift lsp`"}, changed}
		t = append(t, append([]string{"opens " + what, result{samples: opened}.wall().show(short), thousands(len(opened))}, cost...),
			append([]string{"changes a word in its middle", edited.wall().show(short), thousands(len(changed))}, cost...))
		b.targets = append(b.targets, below("time from an edit of "+what+" to the diagnostics of `crdlift lsp`", edited.wall().median, size.limit, short))
	}
	var sessions []sample
	folder := filepath.Join(b.dir, "workspace")
	size, err := writeFiles(folder, workspace, specimen.Sized("v1", 0, 20_000))
	if err != nil {
		return "", err
	}
	var settled []sample
	for range b.rounds {
		at, session, err := b.opening(folder)
		if err != nil {
			return "", err
		}
		settled, sessions = append(settled, at), append(sessions, session)
	}
	session := result{samples: sessions}
	t = append(t, []string{fmt.Sprintf("opens a folder of %s CRDs, %s", thousands(workspace), megabytes(size)),
		result{samples: settled}.wall().show(short), thousands(len(settled)), session.cpu().show(short), megabytes(session.memory().most)})
	return fmt.Sprintf("%s, each with a server of its own; medians (least – most).\n\n", strings.ToUpper(times(b.rounds)[:1])+times(b.rounds)[1:]) + t.String(), nil
}

// typing is a session with one CRD of a size.
func (b *bench) typing(size int) (opened sample, changed []sample, session sample, err error) {
	dir := filepath.Join(b.dir, "typing")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return sample{}, nil, sample{}, err
	}
	text := specimen.Sized("v1", 0, size).YAML()
	// A word, and what somebody writes who is in a hurry, which is refused.
	words := []string{"integer", "intager"}
	at := len(text)/2 + strings.Index(text[len(text)/2:], words[0])
	line, character := strings.Count(text[:at], "\n"), at-strings.LastIndex(text[:at], "\n")-1
	path := filepath.Join(dir, "crd.yaml")
	session, err = b.session(dir, func(e *editor) error {
		opened.wall, err = e.open(path, text)
		for i := range edits {
			if err != nil {
				break
			}
			var s sample
			s.wall, err = e.write(path, 2+i, line, character, words[(i+1)%2])
			changed = append(changed, s)
		}
		return err
	})
	return opened, changed, session, err
}

// opening is a session with a folder, from the start of the server to the end of its progress.
func (b *bench) opening(folder string) (settled, session sample, err error) {
	session, err = b.session(folder, func(e *editor) error {
		err := e.settled()
		settled.wall = time.Since(e.begun)
		return err
	})
	return settled, session, err
}

// session has a server of its own.
func (b *bench) session(folder string, do func(*editor) error) (sample, error) {
	ctx, cancel := context.WithTimeout(b.ctx, sessionTime)
	defer cancel()
	e, err := edit(ctx, b.home(), folder, b.crdlift, "lsp", "--stdio")
	if err != nil {
		return sample{}, err
	}
	if err := do(e); err != nil {
		return sample{}, errors.Join(err, e.kill())
	}
	return e.quit()
}
