package lsp

import (
	"slices"
	"sync"

	"go.lsp.dev/uri"
)

// A queue has the files that wait to be judged, each once: what is judged is the text that there is when its turn comes, so
// that a newer one takes the place of one that waits. A file is judged by one worker at a time.
type queue struct {
	mu     sync.Mutex
	more   *sync.Cond
	lists  [3][]uri.URI    // open documents and what they need, then the others, then those of them that were put off
	waits  map[uri.URI]int // in which list, of those that wait
	busy   map[uri.URI]bool
	closed bool
}

func (q *queue) init() {
	q.more, q.waits, q.busy = sync.NewCond(&q.mu), map[uri.URI]int{}, map[uri.URI]bool{}
}

// add adds a file, unless it waits already.
func (q *queue) add(doc uri.URI, urgent bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := 1
	if urgent {
		list = 0
	}
	q.put(doc, list)
}

// putOff adds a file for when no others wait.
func (q *queue) putOff(doc uri.URI) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.put(doc, 2)
}

func (q *queue) put(doc uri.URI, list int) {
	if in, waits := q.waits[doc]; waits && in <= list {
		return
	}
	q.waits[doc] = list
	q.lists[list] = append(q.lists[list], doc)
	q.more.Broadcast() // who waits may be waiting for another file
}

// take waits for a file, and takes it from its list; ok is false when the queue is closed. The file has to be given back to done.
func (q *queue) take() (doc uri.URI, list int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed {
		for list := range q.lists {
			if doc, ok = q.next(list); ok {
				return doc, list, true
			}
		}
		q.more.Wait()
	}
	return "", 0, false
}

// claim waits until nobody judges a file, for somebody who cannot wait for its turn. It has to be given back to done.
func (q *queue) claim(doc uri.URI) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.busy[doc] {
		q.more.Wait()
	}
	q.busy[doc] = true
}

// skip takes a file out of those that wait: it is judged now.
func (q *queue) skip(doc uri.URI) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waits, doc)
}

// next takes the first file of a list that nobody judges. One that was moved to the other list since is dropped.
func (q *queue) next(list int) (doc uri.URI, ok bool) {
	all := &q.lists[list]
	for i := 0; i < len(*all); {
		doc := (*all)[i]
		in, waits := q.waits[doc]
		here := waits && in == list
		if here && q.busy[doc] {
			i++
			continue
		}
		*all = slices.Delete(*all, i, i+1)
		if here {
			delete(q.waits, doc)
			q.busy[doc] = true
			return doc, true
		}
	}
	return "", false
}

// done says that a file is judged.
func (q *queue) done(doc uri.URI) {
	q.mu.Lock()
	delete(q.busy, doc)
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
