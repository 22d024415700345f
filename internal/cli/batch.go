package cli

import (
	"context"
	"fmt"
	"runtime"

	"github.com/crdlift/crdlift/internal/collector"
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/text"
)

// runFlags are the flags that commands have in common which work on many files.
type runFlags struct {
	outputNames []string
	outputs     outputs // what those say; none without the flag
	diff, quiet bool
	allowEmpty  bool
	maxFileSize byteSize
	templates   string // templatesOff to pass Helm templates over
}

// A batch is a run of a command over its inputs: it works on several at a time, and reports on them in their order.
type batch struct {
	*session
	found    *finder
	diffRoot string
	progress *progress
	alone    bool  // one input at a time
	order    []int // in which the inputs are worked on, by their indexes; nil for their own order
}

func (s *session) newBatch(found *finder) batch {
	collector.Expect(len(found.inputs))
	b := batch{session: s, found: found, diffRoot: diffRoot(found.inputs), progress: newProgress(s.stderr, len(found.inputs))}
	if found.streamed {
		total := int64(0)
		for _, in := range found.inputs {
			total += in.weight()
		}
		b.progress = newByteProgress(s.stderr, total)
	}
	return b
}

// step shows that an input is done.
func (b *batch) step(in input) {
	if b.found.streamed {
		b.progress.step(in.weight())
		return
	}
	b.progress.step(1)
}

// forEach has the work done on every input, and hands on the results. It reports whether the run was not interrupted.
func forEach[R any](ctx context.Context, b *batch, work func(input) R, handOn func(R)) (complete bool) {
	total := len(b.found.inputs)
	workers, done := runtime.GOMAXPROCS(0), 0
	if b.alone {
		workers = 1
	}
	if b.order != nil {
		done = inOtherOrder(ctx, workers, b.order, func(i int) R { return work(b.found.inputs[i]) }, func() { b.progress.step(1) }, handOn)
	} else {
		next := 0
		done = inOrder(ctx, workers, b.found.inputs, work, func(out R) {
			handOn(out)
			b.step(b.found.inputs[next])
			next++
		})
	}
	b.progress.clear()
	if done < total {
		what := "files"
		if b.found.streamed {
			what = "files and pieces of lists"
		}
		b.fail(fmt.Errorf("interrupted after %d of %d %s", done, total, what))
	}
	return done == total
}

// diffOf is what changed in an input, as standard output takes it.
func (b *batch) diffOf(in input, before, after []byte) []byte {
	name := diffName(b.diffRoot, in)
	changes := diff.Unified("a/"+name, "b/"+name, before, after)
	if wantsColor(b.stdout) {
		return colorDiff(changes)
	}
	return changes
}

// print writes an input's part of standard output. It is out before the next input is looked at, so that the two streams
// stay in step on a terminal.
func (b *batch) print(part []byte) {
	b.progress.clear()
	if _, err := b.stdout.Write(part); err != nil {
		b.fail(err)
	}
}

// say prints a line on standard error.
func (b *batch) say(format string, args ...any) {
	b.progress.clear()
	fmt.Fprintln(b.stderr, text.Harmless(fmt.Sprintf(format, args...)))
}

// fail is that of the session, in a line of its own.
func (b *batch) fail(err error) {
	b.progress.clear()
	b.session.fail(err)
}
