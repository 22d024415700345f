package run

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/terminal"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
)

// An Input is one file to work on.
type Input struct {
	Path   string   // as messages name it: relative to the working directory where the user named it so
	Mirror string   // where it goes below an output folder; stays inside of it
	Text   []byte   // the content of an input that was built and is not a file; else nil
	named  bool     // on the command line, by itself
	From   []int    // the paths of the command line that it was found for
	links  []string // its other paths
	kind   string   // of the first object in it, where that is known
	Piece  *Piece   // of it, where that is all the input is; else nil
	doubt  error    // why a large one is not read in pieces
	Unread error    // why its CRDs are not known
}

// A Inputs collects the inputs at the paths of the command line, each file once.
type Inputs struct {
	Built      *build          // the source of the inputs; nil where they are files
	tracked    map[string]bool // see Session
	skip       string          // absolute path of a folder to pass over: the one that is written to
	own        []reserved      // the configuration and the baseline, or the sources of a kustomization, which are not inputs
	outputs    []string        // files that are written: no inputs of a walk; to name one is a mistake
	everywhere bool            // look into the folders that are passed over otherwise, too
	unasked    bool            // a program names the files, rather than who wants to know of them: they are as if a walk had found them
	wants      string          // what has to be in each path; "" for CRDs

	paths    []string           // those of the command line that could be looked at
	filled   map[int]bool       // those of them that have something to work on; known once all inputs are done
	out      map[int]*exclusion // the parts that the configuration excludes
	All      []Input
	Streamed bool           // some of these are pieces
	files    []string       // all that the folders hold, whatever they are called, by their paths below
	walked   bool           // whether one of the paths was a folder, or is as if it were found in one
	Errs     []error        // what could not be looked at
	nowhere  []string       // links in folders that lead to no file
	seen     map[string]int // indexes of inputs by their real paths; negative for other files
}

// Find looks at one path of the command line. A file is taken whatever its name is and whatever .gitignore says.
func (f *Inputs) Find(path string) {
	if path == Stdin {
		f.paths = append(f.paths, StdinName)
		f.All = append(f.All, Input{Path: StdinName, From: []int{len(f.paths) - 1}})
		return
	}
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	if err != nil {
		f.Errs = append(f.Errs, Absent(err))
		return
	}
	mirror := mirrorOf(path)
	f.paths = append(f.paths, path)
	f.walked = f.walked || f.unasked || info.IsDir()
	if !info.IsDir() {
		mirror = cmp.Or(mirror, filepath.Base(path))
		if f.unasked {
			f.Settle([]int{len(f.paths) - 1})
		}
		if !f.unasked || worktree.IsWalked(filepath.ToSlash(mirror)) {
			f.add(Input{Path: path, Mirror: mirror, named: !f.unasked}, "")
		}
		return
	}
	walk := worktree.Walk{
		Skip: f.skip, Everywhere: f.everywhere, Tracked: f.tracked,
		Wants: func(string) bool { return true },
		Found: func(below, real string) {
			if real != "" {
				f.files = append(f.files, below)
			}
			if !worktree.IsManifest(below) {
				return
			}
			f.add(Input{Path: filepath.Join(path, below), Mirror: filepath.Join(mirror, below)}, real)
		},
		Failed:  func(err error) { f.Errs = append(f.Errs, Unread(err)) },
		Nowhere: func(path string) { f.nowhere = append(f.nowhere, Shown(path)) },
	}
	walk.Folder(path)
}

// NoteLinks says which links lead to no file. Nobody named them: repositories have such links on purpose, as test data.
func (f *Inputs) NoteLinks(note func(format string, args ...any)) {
	switch more := len(f.nowhere) - 1; {
	case more == 0:
		note("%s is a symbolic link that leads to no file, so crdlift skips it; correct or remove the link", f.nowhere[0])
	case more > 0:
		note("%s and %s are symbolic links that lead to no file, so crdlift skips them; correct or remove the links", f.nowhere[0], text.Count(more, "more file"))
	}
}

// add takes a file unless it was taken under another name before: two workers must not write the same file. Of a link and
// its target, the target's name is used, since a change request shows that file. The real path is "" where it is not known.
func (f *Inputs) add(in Input, real string) {
	in.From = []int{len(f.paths) - 1}
	if real == "" {
		var err error
		if real, err = worktree.RealPath(in.Path); err != nil {
			f.All = append(f.All, in)
			return
		}
	}
	if f.seen == nil {
		f.seen = map[string]int{}
		for _, own := range f.own {
			f.leave(own.path, isOwn)
		}
		for _, path := range f.outputs {
			f.leave(path, isOutput)
		}
	}
	i, again := f.seen[real]
	switch {
	case again && i == isOwn || filepath.Base(in.Path) == config.Name:
		if in.named {
			f.Settle(in.From)
		}
	case again && i == isOutput && !in.named:
	case again && i >= 0:
		before := &f.All[i]
		if worktree.IsLink(before.Path) && !worktree.IsLink(in.Path) {
			before.Path, before.Mirror, in.Path = in.Path, in.Mirror, before.Path
		}
		if in.Path != before.Path {
			before.links = append(before.links, in.Path)
		}
		before.named = before.named || in.named
		before.From = append(before.From, in.From...)
	default:
		f.seen[real] = len(f.All)
		f.All = append(f.All, in)
	}
}

// The reasons why a file is not an input.
const (
	isOwn    = -1
	isOutput = -2
)

// leave keeps a file from being taken.
func (f *Inputs) leave(path string, why int) {
	if real, err := worktree.RealPath(path); err == nil && path != "" {
		f.seen[real] = why
	}
}

// mirrorOf is a path relative to the working directory; empty for the directory itself and for what lies outside of
// it, of which only the part below the named folder is mirrored.
func mirrorOf(path string) string {
	if at, below := worktree.RelativeTo(".", path); below && at != "." {
		return at
	}
	return ""
}

// Read reads an input.
func (s *Session) Read(in Input) ([]byte, error) {
	src, err := in.Read(s.Stdin, int64(s.MaxFileSize))
	if in.Path == StdinName && in.Text == nil && len(src) <= maxKept {
		s.input = src
	}
	return src, err
}

// Reread reads an input a second time, to say what is wrong with it; nothing where that is much. It is an error of a pipe, which
// would wait for somebody to write again.
func (s *Session) Reread(in Input) ([]byte, error) {
	if in.Path == StdinName && in.Text == nil {
		return s.input, nil
	}
	if info, err := os.Stat(in.Path); in.Text == nil && err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: cannot be read twice", in.Path)
	}
	return in.Read(nil, maxKept)
}

// maxKept is how large inputs are that are looked at again. Standard input, which can be read only once, is kept up to it.
const maxKept = 1 << 20

// Read reads an input up to a size.
func (in Input) Read(stdin io.Reader, most int64) ([]byte, error) {
	if in.Text != nil {
		return in.Text, nil
	}
	from := stdin
	data := bytes.NewBuffer([]byte{})
	if in.Path != StdinName {
		f, err := os.Open(in.Path)
		if err != nil {
			return nil, Unread(err)
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil { // a hint: the file may change, or be none
			data.Grow(int(min(max(info.Size(), 0), most)) + bytes.MinRead)
		}
		from = f
	}
	if _, err := data.ReadFrom(io.LimitReader(from, most+1)); err != nil {
		// A folder in a file's place, a broken disk: the path is in the message for some of the causes only.
		var at *fs.PathError
		if !errors.As(err, &at) {
			err = fmt.Errorf("%s: %w", in.Path, err)
		}
		return nil, Unread(err)
	}
	if int64(data.Len()) > most {
		return nil, in.tooLarge(most)
	}
	return data.Bytes(), nil
}

// tooLarge is the error for an input that is too large to be read as a whole.
func (in Input) tooLarge(most int64) error {
	if in.doubt != nil {
		return fmt.Errorf("%s: larger than --max-file-size=%s, and cannot be read in pieces: %w", in.Path, limit.Size(most), in.doubt)
	}
	return fmt.Errorf("%s: larger than --max-file-size=%s; raise the limit", in.Path, limit.Size(most))
}

// weight is how much there is to do for an input: its bytes where some are pieces, and else one file.
func (f *Inputs) weight(in Input) int64 {
	switch {
	case !f.Streamed:
		return 1
	case in.Piece != nil:
		s := in.Piece.List.Sections[in.Piece.Index]
		return s.End - s.Start
	case in.Text != nil:
		return int64(len(in.Text))
	}
	if info, err := os.Stat(in.Path); err == nil {
		return info.Size()
	}
	return 0
}

// progress is that of a run over the inputs.
func (f *Inputs) progress(out io.Writer) *terminal.Progress {
	unit, total := terminal.Files, int64(0)
	if f.Streamed {
		unit = ""
	}
	for _, in := range f.All {
		total += f.weight(in)
	}
	if total < 2 {
		return nil
	}
	return terminal.NewProgress(out, unit, total)
}

// ByKind are the indexes of the inputs, those with objects of a kind together: what objects of a kind are checked with takes
// memory, and need not be kept when there are no more of them.
func (f *Inputs) ByKind() (order []int) {
	for i := range f.All {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(f.All[a].kind, f.All[b].kind) })
	return order
}

// Settle notes that there is something to work on, or to complain about, below paths of the command line.
func (f *Inputs) Settle(paths []int) {
	if f.filled == nil {
		f.filled = map[int]bool{}
	}
	for _, i := range paths {
		f.filled[i] = true
	}
}

// An exclusion is the part of a path that the configuration excludes.
type exclusion struct {
	files int
	globs []string
	from  string // the configuration
}

// String names the globs: `"vendor" of .crdlift.yaml`.
func (e *exclusion) String() string {
	var quoted []string
	for _, glob := range e.globs {
		quoted = append(quoted, text.Quoted(glob).Brief())
	}
	return text.And(quoted) + " of " + Shown(e.from)
}

// FindAll finds the files at paths that are not those of a run.
func (s *Session) FindAll(paths ...string) *Inputs {
	found := &Inputs{tracked: s.tracked}
	for _, path := range paths {
		found.Find(path)
	}
	return found
}
