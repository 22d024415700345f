package older

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"path"
	"path/filepath"
	"reflect"
	"sync"
	"unicode"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/internal/xrd"
)

// lookedBack is how many commits that changed the source of a copy are looked at.
const lookedBack = 25

// Outdated returns what says, once of each, as of when a copy has a CRD that is not what its source has: "4f2c1d7 (2026-05-02), 3 commits
// behind crd.yaml". That is "" for a copy that was changed on purpose, since no commit had that CRD in the source, and where git has no
// history of it. Files above the limit, in bytes, are not read.
func Outdated(ctx context.Context, limit int64) func(copied, source, name string) string {
	var known sync.Map
	return func(copied, source, name string) string {
		says, _ := known.LoadOrStore([2]string{copied, name}, sync.OnceValue(func() string { return outdated(ctx, copied, source, name, limit) }))
		return says.(func() string)()
	}
}

func outdated(ctx context.Context, copied, source, name string, limit int64) string {
	there, _ := worktree.ReadFound(copied, limit) // nothing of what cannot be read, in which there is no CRD
	here, _ := worktree.ReadFound(source, limit)
	has, now := stateIn(copied, there, name), stateIn(source, here, name)
	if has == nil || now == nil || has.says(now) {
		return ""
	}
	r, err := gitrev.Open(ctx, filepath.Dir(filepath.FromSlash(source)))
	if err != nil {
		return ""
	}
	behind, later := -1, []byte(nil) // HEAD is none behind
	for was := range r.History(ctx, path.Base(source), lookedBack, limit) {
		s := stateIn(source, was.Text, name)
		if s == nil {
			break
		}
		if !bytes.Equal(s.Text(), later) {
			behind, later = behind+1, s.Text()
		}
		switch {
		case !has.says(s):
		case behind == 0:
			return fmt.Sprintf("%s (%s), without the changes of %s that are not committed", was.Commit, was.Date, source)
		default:
			return fmt.Sprintf("%s (%s), %s behind %s", was.Commit, was.Date, text.Count(behind, "commit"), source)
		}
	}
	return ""
}

// A state is the document of a CRD at some time.
type state struct {
	*manifest.Document
	name  string
	words uint64
}

// stateIn is that of the CRD of a name in a file; nil where no document, or more than one, has the name as it is usually written.
func stateIn(file string, src []byte, name string) (found *state) {
	for _, d := range manifest.Open(file, file, src).Documents() {
		_, after, _ := bytes.Cut(d.Text(), []byte(" name: "+name))
		if !xrd.MayHold(d.Text()) || !bytes.HasPrefix(bytes.TrimLeft(after, "\r"), []byte("\n")) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &state{d, name, wordsOf(src[d.Start:d.End])} // with the actions of a template, which are in no other file
	}
	return found
}

// says reports whether two states have the same spec, but for the conversion: a kustomization or a chart adds that.
func (s *state) says(what *state) bool {
	one, other := s.spec, what.spec
	return s.words == what.words && one() != nil && reflect.DeepEqual(one(), other())
}

func (s *state) spec() map[string]any {
	d := s.Tree()
	if d.Root == nil {
		return nil
	}
	found, _ := xrd.Find(d.Root.YNode())
	if len(found) == 0 || found[0].Name() != s.name || found[len(found)-1].Root() != found[0].Root() {
		return nil
	}
	value, _ := layout.Value(crd.Get(found[0].Node, "spec"))
	spec, _ := value.(map[string]any)
	delete(spec, "conversion")
	return spec
}

// wordsOf stands for the versions of a CRD, however they are laid out, quoted and ordered. A CRD is parsed where that is the same.
func wordsOf(doc []byte) (sum uint64) {
	_, versions, _ := bytes.Cut(doc, []byte(" versions:"))
	for line := range bytes.Lines(versions) {
		if !bytes.ContainsAny(line[:1], " \r\n") {
			break // the status, or the end of what a template has
		}
		line = bytes.ReplaceAll(bytes.ReplaceAll(line, []byte(`\n`), []byte(" ")), []byte(`\t`), []byte(" "))
		for word := range bytes.FieldsFuncSeq(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			sum += maphash.Bytes(seed, word)
		}
	}
	return sum
}
