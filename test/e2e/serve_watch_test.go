package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A watching is a watch that is open.
type watching struct {
	step     step
	response *http.Response

	mu     sync.Mutex
	events []event
	ended  bool
}

// An event is one of a watch, as it was sent.
type event struct {
	kind, revision, uid string
	object              map[string]any
}

// initialEnd is on the bookmark behind the events of what there was.
const initialEnd = "k8s.io/initial-events-end"

func follow(response *http.Response, s step) *watching {
	w := &watching{step: s, response: response}
	go func() {
		decoder := json.NewDecoder(response.Body)
		for {
			var raw struct {
				Type   string
				Object json.RawMessage
			}
			err := decoder.Decode(&raw)
			w.mu.Lock()
			if err != nil {
				w.ended = true
				w.mu.Unlock()
				return
			}
			e := event{kind: raw.Type}
			if err := utiljson.Unmarshal(raw.Object, &e.object); err != nil {
				e.kind += " that cannot be decoded: " + err.Error()
			}
			about := e.object
			if rows, is := about["rows"].([]any); is && len(rows) == 1 {
				row, _ := rows[0].(map[string]any)
				about, _ = row["object"].(map[string]any)
			}
			metadata, _ := about["metadata"].(map[string]any)
			e.revision, _ = metadata["resourceVersion"].(string)
			e.uid, _ = metadata["uid"].(string)
			annotations, _ := metadata["annotations"].(map[string]any)
			// Others come when they come.
			if e.kind != "BOOKMARK" || annotations[initialEnd] != nil {
				w.events = append(w.events, e)
			}
			w.mu.Unlock()
		}
	}()
	return w
}

// wait waits until an event was seen. It reports whether it was.
func (w *watching) wait(atMost time.Duration, is func(event) bool) bool {
	looked := 0
	for end := time.Now().Add(atMost); ; time.Sleep(time.Millisecond) {
		all, ended := w.seen()
		for ; looked < len(all); looked++ {
			if is(all[looked]) {
				return true
			}
		}
		if ended || time.Now().After(end) {
			return false
		}
	}
}

func (w *watching) seen() ([]event, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.events, w.ended
}

func (w *watching) close() { w.response.Body.Close() }

// history is what a watch saw, in a form that two servers can be compared by.
func (q *asker) history(w *watching) (all []any) {
	events, ended := w.seen()
	for _, e := range events {
		normal := q.normal(map[string]any{"type": e.kind, "object": e.object})
		if e.kind == "BOOKMARK" && isCached(w.step) {
			object := normal.(map[string]any)["object"].(map[string]any)
			object["metadata"].(map[string]any)["resourceVersion"] = "as new as was asked for"
			delete(object, "rows") // which have it again
		}
		all = append(all, normal)
	}
	if ended {
		all = append(all, "end")
	}
	return all
}

// disorder is where the resourceVersions of a watch do not grow: those behind the initial events have to.
func (q *asker) disorder(w *watching) string {
	events, _ := w.seen()
	var last uint64
	initial := !strings.Contains(w.step.path, "resourceVersion={") || strings.Contains(w.step.path,
		"sendInitialEvents=true") // the events of what there was are in the order of names
	for i, e := range events {
		number, err := strconv.ParseUint(e.revision, 10, 64)
		if initial = initial && e.kind == "ADDED"; err != nil || initial {
			last = max(last, number)
			continue
		}
		if number < last || number == last && e.kind != "ADDED" && e.kind != "BOOKMARK" {
			return fmt.Sprintf("%s: %s after %d, in event %d", q.resolve(w.step.path, true), e.revision, last, i)
		}
		last = number
	}
	return ""
}
