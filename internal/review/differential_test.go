package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/runtime"
)

// A response is what a webhook answers to any request. In its body, ‹uid›, ‹version›, ‹to› and ‹objects› stand for what
// belongs there: the review version, the version to convert to, and the objects of the request as changeVersion converts
// them.
type response struct {
	status int // 0 for 200
	header http.Header
	body   string
	object string // in place of the first of ‹objects›, in a body that is good otherwise; ‹meta› is its metadata
	write  func(w http.ResponseWriter)
}

const goodBody = `{"apiVersion":"apiextensions.k8s.io/‹version›","kind":"ConversionReview","response":{"uid":"‹uid›","result":{"status":"Success"},"convertedObjects":‹objects›}}`

// A scriptedWebhook answers with its response, and remembers the request.
type scriptedWebhook struct {
	lock sync.Mutex
	response
	uid   string
	calls int
}

func (s *scriptedWebhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	var asked struct {
		APIVersion string
		Request    struct {
			UID, DesiredAPIVersion string
			Objects                []map[string]json.RawMessage
		}
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &asked)
	}
	if err != nil {
		panic(err)
	}
	s.uid = asked.Request.UID
	s.calls++
	if s.write != nil {
		s.write(w)
		return
	}
	objects := []json.RawMessage{}
	for i, o := range asked.Request.Objects {
		o["apiVersion"] = fmt.Appendf(nil, "%q", asked.Request.DesiredAPIVersion)
		text, err := json.Marshal(o)
		if s.object != "" && i == 0 {
			text = []byte(strings.NewReplacer("‹meta›", string(o["metadata"]), "‹to›", asked.Request.DesiredAPIVersion).Replace(s.object))
		} else if err != nil {
			panic(err)
		}
		objects = append(objects, text)
	}
	for name, values := range s.header {
		w.Header()[name] = values
	}
	if s.status != 0 {
		w.WriteHeader(s.status)
	}
	answer := s.body
	if s.object != "" {
		answer = goodBody
	}
	_, version, _ := strings.Cut(asked.APIVersion, "/")
	strings.NewReplacer("‹uid›", s.uid, "‹version›", version, "‹objects›", list(objects),
		"‹to›", asked.Request.DesiredAPIVersion).WriteString(w, answer) //nolint:errcheck
}

// list is a JSON array of texts that need not be JSON.
func list(objects []json.RawMessage) string {
	var texts []string
	for _, o := range objects {
		texts = append(texts, string(o))
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// A pair is our client and upstream's converter, which ask one webhook.
type pair struct {
	webhook  *scriptedWebhook
	ours     *Client
	upstream upstream
}

func newPair(t testing.TB, reviewVersions ...string) *pair {
	p := &pair{webhook: &scriptedWebhook{}}
	config := Config{CRD: reviewing(reviewVersions...), Handler: p.webhook}
	p.ours, p.upstream = newClient(t, config), newUpstream(t, config)
	return p
}

// compare asks both, and reports what differs. Where upstream has several errors, of labels, it tells them in any order:
// it is asked again until it says the same, but not for ever.
func (p *pair) compare(t *testing.T, r response, to string, objects ...Object) *Answer {
	t.Helper()
	p.webhook.response = r
	before := runtime.DeepCopyJSON(map[string]any{"all": asAny(objects)})
	p.webhook.calls, p.webhook.uid = 0, ""
	got := p.ours.Convert(t.Context(), "", to, objects...)
	text, calls, uid := textOf(got.Err), p.webhook.calls, p.webhook.uid
	var want []Object
	var wantText string
	var wantCalls int
	for range 20 {
		p.webhook.calls, p.webhook.uid = 0, ""
		var err error
		want, err = p.upstream.convert(to, objects...)
		if wantText, wantCalls = textOf(err), p.webhook.calls; wantText == text {
			break
		}
	}
	if text != wantText {
		t.Errorf("the error is\n%s\nwant\n%s", text, wantText)
	}
	if !reflect.DeepEqual(got.Objects, want) {
		t.Errorf("the objects are\n%v\nwant\n%v", got.Objects, want)
	}
	if calls != wantCalls {
		t.Errorf("the webhook is asked %d times, not %d", calls, wantCalls)
	}
	if got.UID != uid {
		t.Errorf("the request is said to be %q, not %q", got.UID, uid)
	}
	if (got.Err == nil) != (got.Kind == Accepted) {
		t.Errorf("the kind of %v is %d", got.Err, got.Kind)
	}
	if !reflect.DeepEqual(before["all"], asAny(objects)) {
		t.Errorf("the objects are changed to %v", objects)
	}
	return got
}

func asAny(objects []Object) []any {
	all := []any{}
	for _, o := range objects {
		all = append(all, o)
	}
	return all
}

// compareAll compares for both review versions, an object, and a list of which an item is at the version already.
func compareAll(t *testing.T, responses map[string]response, check func(t *testing.T, name string, got *Answer)) {
	for name, r := range responses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, version := range []string{"v1", "v1beta1"} {
				p := newPair(t, "v9", version)
				for _, objects := range [][]Object{
					{cronTab("v1", "a")},
					{cronTab("v1", "a"), cronTab("v2", "b"), cronTab("v3", "c")},
				} {
					t.Run(fmt.Sprintf("%s/%d", version, len(objects)), func(t *testing.T) {
						got := p.compare(t, r, "v2", objects...)
						if check != nil {
							check(t, version, got)
						}
					})
				}
			}
		})
	}
}

// ofKind is the check that all answers have one of some kinds.
func ofKind(kinds ...Kind) func(t *testing.T, version string, got *Answer) {
	return func(t *testing.T, version string, got *Answer) {
		for _, kind := range kinds {
			if got.Kind == kind {
				return
			}
		}
		t.Errorf("%s: the kind is %d of %v", version, got.Kind, got.Err)
	}
}

func TestDifferentialTransport(t *testing.T) {
	t.Parallel()
	hijack := func(text string) func(w http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			io.WriteString(conn, text) //nolint:errcheck
			conn.Close()
		}
	}
	compareAll(t, map[string]response{
		"panic":             {write: func(http.ResponseWriter) { panic("a bug of the webhook") }},
		"abort":             {write: func(http.ResponseWriter) { panic(http.ErrAbortHandler) }},
		"closed":            {write: hijack("")},
		"no HTTP":           {write: hijack("hello\n")},
		"broken header":     {write: hijack("HTTP/1.1 200 OK\r\nbroken\r\n\r\n")},
		"shorter than said": {write: hijack("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}")},
		"chunk cut":         {write: hijack("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100\r\n{}")},
		"chunk broken":      {write: hijack("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n{}")},
		"no gzip":           {header: http.Header{"Content-Encoding": {"gzip"}}, body: goodBody},
		"endless header":    {header: http.Header{"X": {strings.Repeat("x", 11<<20)}}, body: goodBody},
	}, ofKind(Transport))
}

func TestDifferentialStatus(t *testing.T) {
	t.Parallel()
	types := map[string]http.Header{
		"unset": nil, "none": {"Content-Type": nil}, "text": {"Content-Type": {"text/plain; charset=utf-8"}}, "json": {"Content-Type": {"application/json"}},
	}
	bodies := map[string]string{
		"none": "", "text": "  boom\n", "review": goodBody, "long": strings.Repeat("x", 3000),
		"failure":       `{"apiVersion":"v1","kind":"Status","status":"Failure","message":"the message","code":418,"reason":"NotFound"}`,
		"bare failure":  `{"status":"Failure","message":"the message"}`,
		"empty failure": `{"apiVersion":"v1","kind":"Status","status":"Failure"}`,
		"success":       `{"apiVersion":"v1","kind":"Status","status":"Success","message":"the message"}`,
		"YAML failure":  "kind: Status\napiVersion: v1\nstatus: Failure\nmessage: the message\n",
	}
	codes := []int{207, 226, 300, 304, 400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 418, 422, 429, 500, 502, 503, 504, 599, 600, 999}
	responses := map[string]response{}
	for _, code := range codes {
		for typeName, header := range types {
			for bodyName, body := range bodies {
				responses[fmt.Sprintf("%d %s %s", code, typeName, bodyName)] = response{status: code, header: header, body: body}
			}
		}
	}
	compareAll(t, responses, ofKind(HTTP))
}

func TestDifferentialGoodStatus(t *testing.T) {
	t.Parallel()
	responses := map[string]response{}
	for code := 200; code <= 206; code++ {
		for name, body := range map[string]string{"none": "", "good": goodBody} {
			responses[fmt.Sprint(code, name)] = response{status: code, body: body}
		}
	}
	compareAll(t, responses, ofKind(Accepted, Contract, Transport)) // Go's server lets no body through with 204
}

func TestDifferentialRetries(t *testing.T) {
	t.Parallel()
	responses := map[string]response{}
	for _, code := range []int{400, 429, 500, 503} {
		for _, after := range []string{"0", "", "soon", "-1", "1.5", "Mon, 23 Nov 2026 08:00:00 GMT"} {
			responses[fmt.Sprint(code, after)] = response{status: code, header: http.Header{"Retry-After": {after}}, body: "busy"}
		}
	}
	compareAll(t, responses, ofKind(HTTP))
}

func TestDifferentialContentType(t *testing.T) {
	t.Parallel()
	responses := map[string]response{}
	for _, contentType := range []string{"nonsense", ";", "a/b/c", "application/json; x", "application/json; charset=\"", "text/html",
		"application/yaml", "application/vnd.kubernetes.protobuf", "application/cbor", "APPLICATION/JSON", "/", "*/*"} {
		for _, code := range []int{200, 404, 500} {
			responses[fmt.Sprint(contentType, code)] = response{status: code, header: http.Header{"Content-Type": {contentType}}, body: goodBody}
		}
	}
	compareAll(t, responses, ofKind(Accepted, Contract, HTTP))
}

func TestDifferentialBody(t *testing.T) {
	t.Parallel()
	good := func(old, with string) response { return response{body: strings.Replace(goodBody, old, with, 1)} }
	compareAll(t, map[string]response{
		"good": {body: goodBody}, "space": {body: " \n" + goodBody + "\n "}, "byte order mark": {body: "\ufeff" + goodBody}, "empty": {},
		"brace": {body: "{"}, "object": {body: "{}"}, "null": {body: "null"}, "array": {body: "[]"}, "text": {body: `"x"`}, "number": {body: "1"},
		"words": {body: "not JSON"}, "html": {body: "<html>"}, "trailing": {body: goodBody + "x"}, "twice": {body: goodBody + goodBody},
		"comma": {body: strings.TrimSuffix(goodBody, "}") + ",}"}, "zero": {body: "\x00"}, "no UTF-8": good("Success\"", "Success\",\"reason\":\"\xff\""),
		"protobuf": {body: "k8s\x00\x0a\x00"}, "cbor": {body: "\xd9\xd9\xf7\xa0"}, "deep": {body: strings.Repeat(`{"a":`, 20000)},
		"YAML":       {body: "apiVersion: apiextensions.k8s.io/‹version›\nkind: ConversionReview\nresponse:\n  uid: ‹uid›\n  result: {status: Success}\n  convertedObjects: ‹objects›\n"},
		"YAML alias": {body: "a: &a [x, x]\nb: [*a, *a]\n"}, "YAML tab": {body: "a:\n\t- b"}, "YAML twice": {body: "---\na: 1\n---\nb: 2\n"},
		"YAML uid":         {body: "apiVersion: apiextensions.k8s.io/‹version›\nkind: ConversionReview\nresponse: {uid: 1, result: {status: yes}}\n"},
		"no kind":          good(`"kind":"ConversionReview",`, ""),
		"no version":       good(`"apiVersion":"apiextensions.k8s.io/‹version›",`, ""),
		"neither":          good(`"apiVersion":"apiextensions.k8s.io/‹version›","kind":"ConversionReview",`, ""),
		"another kind":     good(`"kind":"ConversionReview"`, `"kind":"AdmissionReview"`),
		"another group":    good("apiextensions.k8s.io", "admission.k8s.io"),
		"a version to be":  good("‹version›", "v2"),
		"the one version":  good("‹version›", "v1"),
		"the other":        good("‹version›", "v1beta1"),
		"slashes":          good("/‹version›", "/‹version›/x"),
		"a CRD":            good("ConversionReview", "CustomResourceDefinition"),
		"a list":           good("ConversionReview", "List"),
		"a status":         {body: `{"apiVersion":"v1","kind":"Status","status":"Failure","message":"the message"}`},
		"a good status":    {body: `{"apiVersion":"v1","kind":"Status","status":"Success"}`},
		"kind is a number": good(`"ConversionReview"`, "1"),
		"kind is null":     good(`"ConversionReview"`, "null"),
		"no response":      {body: `{"apiVersion":"apiextensions.k8s.io/‹version›","kind":"ConversionReview"}`},
		"null response":    {body: `{"apiVersion":"apiextensions.k8s.io/‹version›","kind":"ConversionReview","response":null}`},
		"no uid or result": {body: `{"apiVersion":"apiextensions.k8s.io/‹version›","kind":"ConversionReview","response":{}}`},
		"array response":   {body: `{"apiVersion":"apiextensions.k8s.io/‹version›","kind":"ConversionReview","response":[]}`},
		"Response":         good(`"response"`, `"Response"`),
		"response twice":   good(`"response"`, `"response":{"uid":"x"},"response"`),
		"unknown":          good(`"response"`, `"unknown":[{"a":null}],"response"`),
		"request":          good(`"response"`, `"request":{"uid":"x","objects":[{}],"desiredAPIVersion":""},"response"`),
		"broken request":   good(`"response"`, `"request":[],"response"`),
		"metadata":         good(`"response"`, `"metadata":{"name":"x"},"response"`),
		"another uid":      good("‹uid›", "x"),
		"no uid":           good(`"uid":"‹uid›",`, ""),
		"empty uid":        good("‹uid›", ""),
		"UID":              good(`"uid"`, `"UID"`),
		"number uid":       good(`"‹uid›"`, "1"),
		"quoted uid":       good("‹uid›", `\"\u2028<`),
	}, ofKind(Accepted, Contract, Failure))
}

func TestDifferentialResult(t *testing.T) {
	t.Parallel()
	responses := map[string]response{}
	for _, result := range []string{`{}`, `null`, `{"status":"success"}`, `{"status":"Failed"}`, `{"status":"Failure"}`, `{"status":""}`,
		`{"status":"Failure","message":"boom"}`, `{"message":"boom"}`, `{"status":"Failed","message":" \u0007<&>\u2028%s\n","code":422,"reason":"Invalid"}`,
		`{"status":"Failure","message":"","reason":"Invalid","details":{"name":"x"}}`} {
		responses[result] = response{body: strings.Replace(goodBody, `{"status":"Success"}`, result, 1)}
	}
	responses["no result"] = response{body: strings.Replace(goodBody, `"result":{"status":"Success"},`, "", 1)}
	compareAll(t, responses, ofKind(Failure))
	responses = map[string]response{}
	for _, result := range []string{`[]`, `"Success"`, `{"status":1}`, `{"status":"Success","code":"x"}`, `{"status":"Success","message":1}`} {
		responses[result] = response{body: strings.Replace(goodBody, `{"status":"Success"}`, result, 1)}
	}
	compareAll(t, responses, ofKind(Contract))
	compareAll(t, map[string]response{"with a message": {body: strings.Replace(goodBody, `"Success"`, `"Success","message":"boom","code":500`, 1)}}, ofKind(Accepted))
}

func TestDifferentialCount(t *testing.T) {
	t.Parallel()
	responses := map[string]response{}
	for _, objects := range []string{`[]`, `null`, `[null,null,null]`, `[{},{},{},{}]`, `[[],1,"x"]`} {
		responses[objects] = response{body: strings.Replace(goodBody, "‹objects›", objects, 1)}
	}
	responses["none"] = response{body: strings.Replace(goodBody, `,"convertedObjects":‹objects›`, "", 1)}
	responses["no list"] = response{body: strings.Replace(goodBody, "‹objects›", "{}", 1)}
	compareAll(t, responses, ofKind(Contract))
}

func TestDifferentialObject(t *testing.T) {
	t.Parallel()
	responses := map[string]response{}
	for _, object := range []string{
		`null`, `{}`, `[]`, `"x"`, `1`, `true`, `{"apiVersion":"‹to›"}`, `{"kind":"CronTab"}`, `{"apiVersion":"‹to›","kind":""}`,
		`{"apiVersion":"‹to›","kind":1,"metadata":‹meta›}`, `{"apiVersion":1,"kind":"CronTab","metadata":‹meta›}`,
		`{"apiVersion":"a/b/c","kind":"CronTab","metadata":‹meta›}`, `{"apiVersion":"example.com/v1","kind":"CronTab","metadata":‹meta›}`,
		`{"apiVersion":"example.com/v3","kind":"CronTab","metadata":‹meta›}`, `{"apiVersion":"v2","kind":"CronTab","metadata":‹meta›}`,
		`{"apiVersion":"","kind":"CronTab","metadata":‹meta›}`, `{"kind":"CronTab","metadata":‹meta›}`,
		`{"apiVersion":"‹to›","kind":"crontab","metadata":‹meta›}`, `{"apiVersion":"‹to›","kind":"CronTabList","items":[],"metadata":‹meta›}`,
		`{"apiVersion":"‹to›","kind":"CronTab","items":[{}],"metadata":‹meta›}`, `{"apiVersion":"‹to›","kind":"List","items":[]}`,
		`{"apiVersion":"‹to›","kind":"CronTab","kind":"Other","metadata":‹meta›}`, `{"apiVersion":"‹to›","Kind":"Other","kind":"CronTab","metadata":‹meta›}`,
	} {
		responses[object] = response{object: object}
	}
	compareAll(t, responses, ofKind(Contract, Accepted))
}

func TestDifferentialMetadata(t *testing.T) {
	t.Parallel()
	responses := map[string]response{"no metadata": {object: `{"apiVersion":"‹to›","kind":"CronTab"}`}}
	long := strings.Repeat("x", 262144)
	for _, metadata := range []string{
		`null`, `[]`, `"x"`, `{}`, `{"name":null}`, `{"name":1}`, `{"name":"b"}`, `{"name":"a"}`, `{"name":"a","uid":1}`, `{"name":"a","uid":"x"}`,
		`{"name":"a","uid":"1-a","namespace":"x"}`, `{"name":"a","uid":"1-a"}`, `{"name":"a","uid":"1-a","labels":null}`,
		`{"name":"a","uid":"1-a","labels":[]}`, `{"name":"a","uid":"1-a","labels":"x"}`, `{"name":"a","uid":"1-a","labels":{}}`,
		`{"name":"a","uid":"1-a","labels":{"of":"a"},"finalizers":["x"],"unknown":1}`, `{"name":"a","uid":"1-a","labels":{"of":1}}`,
		`{"name":"a","uid":"1-a","labels":{"of":null}}`, `{"name":"a","uid":"1-a","labels":{"of":1.5}}`, `{"name":"a","uid":"1-a","labels":{"a b":"a"}}`,
		`{"name":"a","uid":"1-a","labels":{"of":"a b"}}`, `{"name":"a","uid":"1-a","labels":{"/":"-"}}`, `{"name":"a","uid":"1-a","labels":{"of":"` + strings.Repeat("x", 64) + `"}}`,
		`{"name":"a","uid":"1-a","annotations":{"Of":"a b"}}`, `{"name":"a","uid":"1-a","annotations":{"a b":"a"}}`, `{"name":"a","uid":"1-a","annotations":{"a":true}}`,
		`{"name":"a","uid":"1-a","annotations":1}`, `{"name":"a","uid":"1-a","annotations":{}}`, `{"name":"a","uid":"1-a","annotations":{"":""}}`,
		`{"name":"a","uid":"1-a","annotations":{"a":"` + long + `"}}`, `{"name":"a","uid":"1-a","annotations":{"a b":"` + long + `"}}`,
		`{"name":"a","uid":"1-a","annotations":{"a":"` + long[1:] + `"}}`, `{"name":"a","uid":"1-a","labels":{"a":"b"},"annotations":{"a b":"a"}}`,
	} {
		responses[metadata[:min(len(metadata), 90)]] = response{object: `{"apiVersion":"‹to›","kind":"CronTab","metadata":` + metadata + `}`}
	}
	compareAll(t, responses, ofKind(Contract, Accepted))
}

// TestDifferentialInput has objects that are not what an API server has. The webhook answers well.
func TestDifferentialInput(t *testing.T) {
	t.Parallel()
	with := func(change func(o Object)) Object {
		o := cronTab("v1", "a")
		change(o)
		return o
	}
	metadata := func(value any) Object { return with(func(o Object) { o["metadata"] = value }) }
	inputs := map[string][]Object{
		"none":               {},
		"at the version":     {cronTab("v2", "a")},
		"all at the version": {cronTab("v2", "a"), cronTab("v2", "b")},
		"without members":    {{"apiVersion": "example.com/v1", "kind": "CronTab"}},
		"items without":      {{"apiVersion": "example.com/v1", "kind": "CronTab"}, cronTab("v1", "a")},
		"no such version":    {cronTab("v4", "a")},
		"an item of no such": {cronTab("v1", "a"), cronTab("v4", "b")},
		"another group":      {with(func(o Object) { o["apiVersion"] = "example.org/v1" })},
		"items of another":   {cronTab("v1", "a"), with(func(o Object) { o["apiVersion"] = "example.org/v1" })},
		"no version":         {with(func(o Object) { delete(o, "apiVersion") })},
		"slashes":            {with(func(o Object) { o["apiVersion"] = "a/b/c" })},
		"no kind":            {with(func(o Object) { delete(o, "kind") })},
		"another kind":       {with(func(o Object) { o["kind"] = "Other" })},
		"no metadata":        {with(func(o Object) { delete(o, "metadata") })},
		"items no metadata":  {with(func(o Object) { delete(o, "metadata") }), cronTab("v1", "b")},
		"null metadata":      {metadata(nil)},
		"array metadata":     {metadata([]any{})},
		"empty metadata":     {metadata(map[string]any{})},
		"array labels":       {metadata(map[string]any{"name": "a", "labels": []any{}})},
		"null labels":        {metadata(map[string]any{"name": "a", "labels": nil})},
		"numbers as labels":  {metadata(map[string]any{"name": "a", "labels": map[string]any{"a": int64(1)}})},
		"invalid labels":     {metadata(map[string]any{"name": "a", "labels": map[string]any{"a b": "!"}})},
		"text as labels":     {metadata(map[string]any{"name": "a", "annotations": "x"})},
		"managed fields":     {metadata(map[string]any{"name": "a", "managedFields": []any{map[string]any{"manager": "x"}}})},
		"large numbers":      {with(func(o Object) { o["spec"] = map[string]any{"a": int64(1)<<62 + 1, "b": 1e300, "c": -0.5} })},
		"texts":              {with(func(o Object) { o["spec"] = map[string]any{"<&>": "\u2028yes\x00", "": nil} })},
	}
	for name, objects := range inputs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t, "v1")
			for _, body := range []string{
				goodBody,
				strings.Replace(goodBody, "‹objects›", `[{"apiVersion":"‹to›","kind":"CronTab","metadata":{"name":"a","labels":{"a":"b"},"annotations":{"a":"b"}}}]`, 1),
			} {
				for _, to := range []string{"v2", "v4", ""} {
					p.compare(t, response{body: body}, to, objects...)
				}
			}
		})
	}
}

func TestDifferentialReviewVersions(t *testing.T) {
	t.Parallel()
	for _, versions := range [][]string{nil, {"v9"}, {"v1"}, {"v1beta1"}, {"v9", "v1beta1", "v1"}, {"V1"}} {
		p := newPair(t, versions...)
		for _, objects := range [][]Object{{cronTab("v1", "a")}, {cronTab("v2", "a")}, {}} {
			p.compare(t, response{body: goodBody}, "v2", objects...)
		}
	}
}

// TestDifferentialConnections has connections that are not made, or not trusted.
func TestDifferentialConnections(t *testing.T) {
	t.Parallel()
	panicking := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a bug of the webhook") })
	secure := httptest.NewUnstartedServer(panicking)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	t.Cleanup(secure.Close)
	plain := httptest.NewServer(panicking)
	t.Cleanup(plain.Close)
	closed := httptest.NewServer(panicking)
	closed.Close()
	for name, test := range map[string]struct {
		url string
		ca  []byte
	}{
		"refused":             {closed.URL, nil},
		"unknown host":        {"https://webhook.invalid", nil},
		"port":                {"https://127.0.0.1:99999", nil},
		"plain HTTP":          {strings.Replace(plain.URL, "http:", "https:", 1), nil},
		"TLS for plain HTTP":  {strings.Replace(secure.URL, "https:", "http:", 1), nil},
		"unknown authority":   {secure.URL, nil},
		"another name":        {strings.Replace(secure.URL, "127.0.0.1", "localhost", 1), certificate(secure)},
		"HTTP/2":              {secure.URL, certificate(secure)},
		"HTTP/1.1":            {plain.URL, nil},
		"white space as CA":   {secure.URL, []byte(" \n")},
		"a path to be joined": {plain.URL + "//a/../b/", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := Config{CRD: cronTabs(func(c *apiextensions.CustomResourceConversion) {
				c.WebhookClientConfig = &apiextensions.WebhookClientConfig{URL: &test.url, CABundle: test.ca}
			})}
			_, want := newUpstream(t, config).convert("v2", cronTab("v1", "a"))
			got := newClient(t, config).Convert(t.Context(), "", "v2", cronTab("v1", "a"))
			if withoutPorts(got.Err) != withoutPorts(want) || got.Kind != Transport {
				t.Errorf("the error is\n%v\nof kind %d, want\n%v", got.Err, got.Kind, want)
			}
		})
	}
}

// withoutPorts is the text of an error without the ports of this end.
func withoutPorts(err error) string {
	return regexp.MustCompile(`127\.0\.0\.1:\d+->`).ReplaceAllString(textOf(err), "")
}

// TestRaw has what the webhook made of the objects, also where the server does not take it.
func TestRaw(t *testing.T) {
	t.Parallel()
	p := newPair(t, "v1")
	p.webhook.response = response{body: strings.Replace(goodBody, "‹objects›", `[{"apiVersion":"‹to›","kind":"CronTab","metadata":{"name":"a","uid":"1-a","finalizers":["x"]}},null]`, 1)}
	got := p.ours.Convert(t.Context(), "", "v2", cronTab("v1", "a"), cronTab("v1", "b"))
	want := []Object{{"apiVersion": "example.com/v2", "kind": "CronTab", "metadata": map[string]any{"name": "a", "uid": "1-a", "finalizers": []any{"x"}}}, nil}
	if got.Objects != nil || got.Err == nil || !reflect.DeepEqual(got.Raw, want) {
		t.Errorf("the objects are %v, %v; the error is %v", got.Objects, got.Raw, got.Err)
	}
	p.webhook.response = response{object: `{"apiVersion":"‹to›","kind":"CronTab","metadata":{"name":"a","uid":"1-a","finalizers":["x"]}}`}
	got = p.ours.Convert(t.Context(), "", "v2", cronTab("v1", "a"))
	if !reflect.DeepEqual(got.Raw, want[:1]) || reflect.DeepEqual(got.Raw, got.Objects) {
		t.Errorf("the objects are %v, %v", got.Objects, got.Raw)
	}
}

// TestSeveralAtOnce is for the race detector.
func TestSeveralAtOnce(t *testing.T) {
	t.Parallel()
	client := newClient(t, Config{Handler: http.HandlerFunc(changeVersion)})
	var group sync.WaitGroup
	for i := range 10 {
		group.Go(func() {
			name := string(bytes.Repeat([]byte("x"), i+1))
			if got := client.Convert(t.Context(), "", "v2", cronTab("v1", name)); !reflect.DeepEqual(got.Objects, []Object{cronTab("v2", name)}) {
				t.Errorf("the object becomes %v, %v", got.Objects, got.Err)
			}
		})
	}
	group.Wait()
}
