package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"

	"github.com/crdlift/crdlift/internal/request"
)

// A stream has a bookmark each bookmarkEvery, and lasts twice leastWatch at most where the client does not say how long. See watch_cache
// and ListResource of k8s.io/apiserver.
const (
	bookmarkEvery = time.Minute
	leastWatch    = 30 * time.Minute
)

// A stream is a watch on its way.
type stream struct {
	*exchange
	*selection
	out *json.Encoder
	end *http.ResponseController
}

func (x *exchange) watch() error {
	s, err := x.selection()
	if err != nil {
		return err
	}
	if _, err := negotiation.NegotiateOutputMediaTypeStream(x.req, codecs, restrictions{negotiation.DefaultEndpointRestrictions}); err != nil {
		return err
	}
	initial := s.revision == 0
	if s.SendInitialEvents != nil {
		initial = *s.SendInitialEvents
	}
	x.w.Header().Set("Content-Type", runtime.ContentTypeJSON)
	w := &stream{x, s, json.NewEncoder(x.w), http.NewResponseController(x.w)}
	lasts := leastWatch + rand.N(leastWatch)
	if s.TimeoutSeconds != nil && *s.TimeoutSeconds > 0 {
		lasts = time.Duration(*s.TimeoutSeconds) * time.Second
	}
	x.w.WriteHeader(http.StatusOK)
	if err := w.run(initial, s.revision, time.After(lasts)); err != nil {
		x.req.Body.Close()
	}
	return nil
}

// run sends what is there, if the watch begins so, and then events until the time is over or the client leaves.
func (w *stream) run(initial bool, from int64, over <-chan time.Time) error {
	if initial {
		all, now, err := w.store.list(w.exchange.kind.GroupResource, w.info.Namespace, 0)
		if err != nil {
			return err
		}
		for _, k := range all {
			if err := w.change(item{}, k.item, now); err != nil {
				return err
			}
		}
		if from = now; w.AllowWatchBookmarks && w.SendInitialEvents != nil {
			if err := w.bookmark(now, map[string]any{metav1.InitialEventsAnnotationKey: "true"}); err != nil {
				return err
			}
		}
	} else if from == 0 {
		from = w.store.now()
	}
	if err := w.flush(); err != nil {
		return err
	}
	bookmarks := time.NewTicker(bookmarkEvery)
	defer bookmarks.Stop()
	for {
		events, now, next, err := w.store.since(w.exchange.kind.GroupResource, from)
		if err != nil {
			return w.send(watch.Error, apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", from, now)).Status())
		}
		served := w.kindOf(w.exchange.kind.GroupResource)
		if served != nil && served != w.exchange.kind {
			return nil // the CRD is another one now; clients go on from the last event that they have
		}
		for _, e := range events {
			if w.info.Namespace == "" || w.info.Namespace == e.namespace {
				if err := w.change(e.was, e.is, e.is.revision); err != nil {
					return err
				}
			}
		}
		if from = now; len(events) > 0 {
			if err := w.flush(); err != nil {
				return err
			}
		}
		if served == nil {
			return nil // the CRD is gone: see crdHandler.updateCustomResourceDefinition
		}
		select {
		case <-next:
		case <-bookmarks.C:
			if w.AllowWatchBookmarks {
				if err := w.bookmark(from, nil); err != nil {
					return err
				}
			}
		case <-over:
			return nil
		case <-w.req.Context().Done():
			return w.req.Context().Err()
		}
	}
}

// change sends what a write means to those who see only what is selected. See watchChan.transform of k8s.io/apiserver.
func (w *stream) change(was, is item, revision int64) error {
	after, err := w.item(is)
	if err != nil {
		return w.fail(err)
	}
	if after != nil && was.is() && w.LabelSelector.Empty() && w.FieldSelector.Empty() {
		return w.sendObject(watch.Modified, after) // the other was selected, too, and need not be read
	}
	before, err := w.item(was)
	if err != nil {
		return w.fail(err)
	}
	switch {
	case after == nil && before == nil:
		return nil
	case after == nil:
		setRevision(before.Object, revision)
		return w.sendObject(watch.Deleted, before)
	case before == nil:
		return w.sendObject(watch.Added, after)
	}
	return w.sendObject(watch.Modified, after)
}

func (w *stream) sendObject(of watch.EventType, o *unstructured.Unstructured) error {
	shown, err := w.shown(o)
	if err != nil {
		return err // the stream ends, and says nothing
	}
	return w.send(of, shown)
}

// fail ends a stream with an error.
func (w *stream) fail(err error) error {
	return errors.Join(w.send(watch.Error, request.Broken(err.Error()).Status()), err)
}

func (w *stream) bookmark(revision int64, annotations map[string]any) error {
	metadata := map[string]any{"resourceVersion": strconv.FormatInt(revision, 10)}
	if annotations != nil {
		metadata["annotations"] = annotations
	}
	kind := w.selection.version.GroupVersionKind()
	if err := w.sendObject(watch.Bookmark, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": kind.GroupVersion().String(), "kind": kind.Kind, "metadata": metadata,
	}}); err != nil {
		return err
	}
	return w.flush()
}

func (w *stream) send(of watch.EventType, o any) error {
	if err := w.until(time.Now().Add(w.limits.slowReader)); err != nil {
		return err
	}
	return w.out.Encode(map[string]any{"type": of, "object": o})
}

// flush sends what was written. After that, a stream may rest: net/http resets it at the deadline, even if nothing is to be written then.
func (w *stream) flush() error {
	if err := w.end.Flush(); err != nil {
		return err
	}
	return w.until(time.Time{})
}

// until sets when writing fails.
func (w *stream) until(deadline time.Time) error {
	if err := w.end.SetWriteDeadline(deadline); !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}
