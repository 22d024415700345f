package review

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// pairs are what FuzzAnswer asks, one for each review version.
var pairs = sync.OnceValue(func() (all []*pair) {
	for _, version := range []string{"v1", "v1beta1"} {
		all = append(all, newPair(new(testing.B), version))
	}
	return all
})

// FuzzAnswer has our verdict on any answer, and its text, be those of upstream's converter.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		goodBody, "", "{", "null", "[]", strings.Replace(goodBody, "‹uid›", "x", 1), strings.Replace(goodBody, "‹objects›", "[null]", 1),
		strings.Replace(goodBody, "‹objects›", `[{"apiVersion":"‹to›","kind":"CronTab","metadata":{"name":"a","uid":"1-a","labels":{"a b":"-"},"annotations":{"a":"b"}}}]`, 1),
		strings.Replace(goodBody, "‹objects›", `[{"apiVersion":"‹to›","kind":"CronTab","metadata":{"name":"a","uid":"1-a","labels":{"a":1}}},{"apiVersion":"‹to›","kind":"CronTab","metadata":{}}]`, 1),
		strings.Replace(goodBody, `"Success"`, `"Failure","message":"boom"`, 1),
		`{"apiVersion":"v1","kind":"Status","status":"Failure","message":"boom"}`,
		"apiVersion: apiextensions.k8s.io/‹version›\nkind: ConversionReview\nresponse:\n  uid: ‹uid›\n  result: {status: Success}\n  convertedObjects: ‹objects›\n",
	} {
		for i, contentType := range []string{"application/json", "text/plain", "nonsense"} {
			f.Add([]byte(body), contentType, uint16([]int{200, 500, 429}[i]), []string{"", "Retry-After: 0", "Content-Encoding: gzip"}[i])
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string, status uint16, header string) {
		name, value, _ := strings.Cut(header, ":")
		name, value = http.CanonicalHeaderKey(name), strings.TrimSpace(value)
		if seconds, err := strconv.Atoi(value); name == "Retry-After" && err == nil && seconds > 0 {
			t.Skip("both wait")
		}
		// After 100 to 199 another response is to come. Redirects and their texts have a test of their own.
		if name == "Location" || status >= 100 && status < 200 {
			t.Skip("both wait for another response")
		}
		r := response{status: int(status), header: http.Header{"Content-Type": {contentType}, name: {value}}, body: string(body)}
		for _, p := range pairs() {
			p.compare(t, r, "v2", cronTab("v1", "a"))
			p.compare(t, r, "v2", cronTab("v1", "a"), cronTab("v2", "b"), cronTab("v3", "c"))
		}
	})
}
