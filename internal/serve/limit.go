package serve

import (
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// A request carries so many bytes, as on a server: see MaxRequestBodyBytes of k8s.io/apiserver. Its answer has so many of warnings.
const (
	maxBody     = 3 << 20
	maxWarnings = 4 << 10
)

// limits are what clients may have of the server. A test suite is far below all of it; what is above is a mistake, or an attack. Tests have
// smaller ones.
type limits struct {
	stored            int64         // bytes of objects
	requests, streams int64         // at once
	slowReader        time.Duration // a stream ends where its client does not read for so long
}

var usual = limits{stored: 1 << 30, requests: 200, streams: 2000, slowReader: 30 * time.Second}

// begin counts a request until it ends, or rejects it.
func (s *Server) begin(x *exchange) (end func(), err error) {
	count, most, what := &s.requests, s.limits.requests, "requests"
	if x.info.Verb == "watch" {
		count, most, what = &s.streams, s.limits.streams, "watches"
	}
	if count.Add(1) > most {
		count.Add(-1)
		return nil, apierrors.NewTooManyRequests(fmt.Sprintf("crdlift serve handles at most %d %s at a time; try again later", most, what), 1)
	}
	return func() { count.Add(-1) }, nil
}

// A patience is how long an endpoint waits for its clients. A request has so long from its header on; streams have limits.slowReader.
type patience struct{ header, request, answer, idle, end time.Duration }

var patient = patience{header: 10 * time.Second, request: 30 * time.Second, answer: 2 * time.Minute, idle: 2 * time.Minute, end: 5 * time.Second}
