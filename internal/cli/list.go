package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// maxListed is how much of a list is held in memory, in bytes; what is before that is in a temporary file.
const maxListed = 1 << 20

// A verdictList is one line for each object, in the order of the files. Its methods do nothing on a nil list.
type verdictList struct {
	session *session
	linter  *rules.Linter
	held    bytes.Buffer
	spool   *os.File // nil while nothing is in it
	spooled int64
	err     error
}

// add adds the objects of a file, or of a piece of one.
func (l *verdictList) add(f *rules.FileReport) {
	if l == nil || f == nil || f.Objects == nil {
		return
	}
	l.linter.Mark(f)
	said := map[*lint.Object][]string{}
	for _, f := range f.Findings {
		if f.Object != nil && f.Ignored == "" {
			said[f.Object] = append(said[f.Object], f.Rule.ID)
		}
	}
	for _, one := range f.Objects.Listed {
		o, ids := one.Object, said[one.Object]
		slices.Sort(ids)
		fields := []string{one.Verdict, o.APIVersion, o.Kind, o.Label(), fmt.Sprintf("%s:%d", one.File, one.Line), strings.Join(slices.Compact(ids), ",")}
		for i := range fields {
			fields[i] = text.OneLine(text.Harmless(fields[i]))
		}
		l.held.WriteString(strings.Join(fields, "\t") + "\n")
	}
	f.Objects.Listed = nil
	if l.held.Len() > maxListed {
		l.spill()
	}
}

// spill moves what is held into the temporary file.
func (l *verdictList) spill() {
	if l.spool == nil && l.err == nil {
		l.spool, l.err = l.session.Spool()
	}
	if l.err == nil {
		n, err := l.held.WriteTo(l.spool)
		l.spooled += n
		l.err = err
	}
	l.held.Reset()
}

// len is the length of the list.
func (l *verdictList) len() int64 {
	if l == nil {
		return 0
	}
	return l.spooled + int64(l.held.Len())
}

// rewind drops what is behind a length that the list had.
func (l *verdictList) rewind(to int64) {
	switch {
	case l == nil || l.err != nil:
	case to >= l.spooled:
		l.held.Truncate(int(to - l.spooled))
	default:
		l.held.Reset()
		l.spooled = to
		_, err := l.spool.Seek(to, io.SeekStart)
		l.err = errors.Join(l.spool.Truncate(to), err)
	}
}

// write writes the list to a file, or to standard output.
func (l *verdictList) write(to string) error {
	if l == nil {
		return nil
	}
	var all io.Reader = &l.held
	if l.spool != nil {
		all = io.MultiReader(io.NewSectionReader(l.spool, 0, l.spooled), all)
	}
	if l.err != nil {
		return fmt.Errorf("--list: %w", l.err)
	}
	if to == run.Stdin {
		_, err := io.Copy(l.session.Stdout, all)
		return err
	}
	if err := atomicfile.WriteFrom(to, all); err != nil {
		return fmt.Errorf("--list %s cannot be written (%w); name another file", run.Shown(to), run.Cause(err))
	}
	return nil
}
