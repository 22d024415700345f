package lsp

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"go.lsp.dev/uri"
)

// A queue has the files that wait to be judged, each once: what is judged is the text that there is when its turn comes, so
// that a newer one takes the place of one that waits. A file is judged by one worker at a time.
type queue struct {
	mu     sync.Mutex
	more   *sync.Cond
	first  []uri.URI // open documents, and what they need
	later  []uri.URI
	waits  map[uri.URI]bool // whether among the first, of those that wait
	busy   map[uri.URI]bool
	closed bool
}

func (q *queue) init() {
	q.more, q.waits, q.busy = sync.NewCond(&q.mu), map[uri.URI]bool{}, map[uri.URI]bool{}
}

// add adds a file, unless it waits already.
func (q *queue) add(at uri.URI, urgent bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if first, waits := q.waits[at]; waits && (first || !urgent) {
		return
	}
	q.waits[at] = urgent
	if urgent {
		q.first = append(q.first, at)
	} else {
		q.later = append(q.later, at)
	}
	q.more.Broadcast() // who waits may be waiting for another file
}

// take waits for a file, and takes it; ok is false when the queue is closed. The file has to be given back to done.
func (q *queue) take() (at uri.URI, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed {
		if at, ok = q.next(&q.first, true); !ok {
			at, ok = q.next(&q.later, false)
		}
		if ok {
			return at, true
		}
		q.more.Wait()
	}
	return "", false
}

// claim waits until nobody judges a file, for somebody who cannot wait for its turn. It has to be given back to done.
func (q *queue) claim(at uri.URI) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.busy[at] {
		q.more.Wait()
	}
	q.busy[at] = true
}

// skip takes a file out of those that wait: it is judged now.
func (q *queue) skip(at uri.URI) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waits, at)
}

// next takes the first file of a list that nobody judges. One that was moved to the other list since is dropped.
func (q *queue) next(list *[]uri.URI, urgent bool) (at uri.URI, ok bool) {
	for i := 0; i < len(*list); {
		at := (*list)[i]
		first, waits := q.waits[at]
		if waits && first == urgent && q.busy[at] {
			i++
			continue
		}
		*list = slices.Delete(*list, i, i+1)
		if waits && first == urgent {
			delete(q.waits, at)
			q.busy[at] = true
			return at, true
		}
	}
	return "", false
}

// done says that a file is judged.
func (q *queue) done(at uri.URI) {
	q.mu.Lock()
	delete(q.busy, at)
	q.mu.Unlock()
	q.more.Broadcast()
}

// length is how many files wait, or are being judged.
func (q *queue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waits) + len(q.busy)
}

// close ends the queue.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.more.Broadcast()
}

// work starts the workers.
func (s *server) work() {
	context.AfterFunc(s.background, s.queue.close)
	for range max(2, runtime.GOMAXPROCS(0)) {
		s.spawn(func(context.Context) {
			for {
				at, ok := s.queue.take()
				if !ok {
					return
				}
				s.judgeNext(at)
			}
		})
	}
}

// judgeNext judges a file, and survives that.
func (s *server) judgeNext(at uri.URI) {
	defer s.queue.done(at)
	defer s.survive(at.FsPath())
	s.judge(at)
}
