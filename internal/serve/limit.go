package serve

import (
	"fmt"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// What a client may have of the server. A test suite is far below all of it; what is above is a mistake, or an attack.
const (
	maxBody     = 3 << 20 // bytes, as on a server: MaxRequestBodyBytes of k8s.io/apiserver
	maxStored   = 1 << 30 // bytes of objects
	maxWarnings = 4 << 10 // bytes of an answer's
	maxRequests = 200     // at once, without streams
	maxStreams  = 2000    // at once
)

// limits count what goes on.
type limits struct{ requests, streams *atomic.Int64 }

func newLimits() limits { return limits{&atomic.Int64{}, &atomic.Int64{}} }

// begin counts a request until it ends, or refuses it.
func (l limits) begin(x *exchange) (end func(), err error) {
	count, most, what := l.requests, int64(maxRequests), "requests"
	if x.info.Verb == "watch" {
		count, most, what = l.streams, maxStreams, "watches"
	}
	if count.Add(1) > most {
		count.Add(-1)
		return nil, apierrors.NewTooManyRequests(fmt.Sprintf("crdlift serve answers %d %s at once: try again later", most, what), 1)
	}
	return func() { count.Add(-1) }, nil
}
