package serve

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
)

// kites are objects of which little is asked.
const kites = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: kites.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: kites, singular: kite, kind: Kite, listKind: KiteList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {size: {type: integer}, text: {type: string}, list: {type: array, items: {type: string}}}}
`

const kitesPath = "/apis/example.org/v1/namespaces/default/kites"

func kite(name string, size int, text string) string {
	raw, _ := json.Marshal(map[string]any{ // which cannot fail
		"apiVersion": "example.org/v1", "kind": "Kite", "metadata": map[string]any{"name": name}, "spec": map[string]any{"size": size, "text": text},
	})
	return string(raw)
}

// define has a server serve CRDs.
func define(t testing.TB, s *Server, src string) {
	t.Helper()
	for _, c := range crd.Parse([]byte(src)) {
		decoded, err := c.Decode()
		if err == nil {
			err = s.Define(decoded.Hub)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A site is a server of kites where clients of the network find it.
type site struct {
	testing.TB
	*Server
	at *Endpoint
}

const secret = "secret"

// open serves kites, with limits that a test has changed.
func open(t testing.TB, change func(*limits, *patience)) *site {
	t.Helper()
	server, err := New(Config{Token: secret})
	if err != nil {
		t.Fatal(err)
	}
	define(t, server, kites)
	at, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	change(&server.limits, &at.patience)
	server.store.most = server.limits.stored
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- at.Serve(ctx, server) }()
	t.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &site{t, server, at}
}

func asUsual(*limits, *patience) {}

func (s *site) tls() *tls.Config {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.at.CA)
	return &tls.Config{RootCAs: roots, ServerName: "localhost"}
}

// client is an HTTP client of its own, for one version of HTTP.
func (s *site) client(version int) *http.Client {
	protocols := &http.Protocols{}
	protocols.SetHTTP1(version == 1)
	protocols.SetHTTP2(version == 2)
	transport := &http.Transport{TLSClientConfig: s.tls(), Protocols: protocols}
	s.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// send makes a request, and leaves the body of the answer to the test.
func (s *site) send(c *http.Client, method, path string, body io.Reader, headers ...string) (*http.Response, error) {
	req, err := http.NewRequest(method, s.at.URL+path, body)
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	return c.Do(req)
}

// ask makes a request, and returns what is answered.
func (s *site) ask(c *http.Client, method, path, body string, headers ...string) (int, string) {
	s.Helper()
	res, err := s.send(c, method, path, strings.NewReader(body), headers...)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return res.StatusCode, err.Error()
	}
	return res.StatusCode, string(raw)
}

// expect fails the test unless a request has this code and these words in its answer.
func (s *site) expect(c *http.Client, code int, words, method, path, body string, headers ...string) {
	s.Helper()
	if is, said := s.ask(c, method, path, body, headers...); is != code || !strings.Contains(said, words) {
		s.Errorf("%s %.200s is answered %d %.500s, not %d %s", method, path, is, said, code, words)
	}
}

// raw opens a connection of which the test writes each byte.
func (s *site) raw(sent string) net.Conn {
	s.Helper()
	conn, err := tls.Dial("tcp", strings.TrimPrefix(s.at.URL, "https://"), s.tls())
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, sent); err != nil {
		s.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		s.Fatal(err)
	}
	return conn
}

// both runs a test with each version of HTTP.
func both(t *testing.T, change func(*limits, *patience), test func(t *testing.T, s *site, c *http.Client)) {
	for version := 1; version <= 2; version++ {
		t.Run(fmt.Sprintf("HTTP%d", version), func(t *testing.T) {
			t.Parallel()
			s := open(t, change)
			test(t, s, s.client(version))
		})
	}
}

// zeros are so many bytes of a body.
func zeros(n int64) io.Reader { return io.LimitReader(zero{}, n) }

type zero struct{}

func (zero) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func TestLargeBody(t *testing.T) {
	t.Parallel()
	both(t, asUsual, func(t *testing.T, s *site, c *http.Client) {
		res, err := s.send(c, "POST", kitesPath, zeros(100<<20))
		if err == nil {
			defer res.Body.Close()
			raw, _ := io.ReadAll(res.Body)
			if res.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(raw), "limit is 3145728") {
				t.Errorf("100 MB are answered %d %s", res.StatusCode, raw)
			}
		} else if strings.Contains(err.Error(), "Timeout") { // a client of HTTP/1.1 may see nothing but that the connection is closed
			t.Error(err)
		}
		s.expect(c, 201, "", "POST", kitesPath, kite("after", 1, ""))
	})
}

// A request whose body does not come ends, also where nobody waits for the body.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	both(t, func(_ *limits, p *patience) { p.request = 300 * time.Millisecond }, func(t *testing.T, s *site, c *http.Client) {
		for _, method := range []string{"POST", "DELETE", "GET"} {
			body, never := io.Pipe()
			begun := time.Now()
			res, err := s.send(c, method, kitesPath, body)
			if err == nil {
				raw, _ := io.ReadAll(res.Body)
				res.Body.Close()
				if res.StatusCode >= 300 && !strings.Contains(string(raw), "the body cannot be read") {
					t.Errorf("%s is answered %d %s", method, res.StatusCode, raw)
				}
			}
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("%s has taken %s", method, took)
			}
			never.Close()
		}
		if n := s.requests.Load(); n != 0 {
			t.Errorf("%d requests go on", n)
		}
	})
}

func TestSlowHeader(t *testing.T) {
	t.Parallel()
	s := open(t, func(_ *limits, p *patience) { p.header, p.request = 200*time.Millisecond, time.Hour })
	begun := time.Now()
	if _, err := io.Copy(io.Discard, s.raw("GET / HTTP/1.1\r\nHost: x\r\n")); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("the connection is closed after %s", took)
	}
}

func TestHeaderBomb(t *testing.T) {
	t.Parallel()
	s := open(t, asUsual)
	conn := s.raw("GET / HTTP/1.1\r\nHost: x\r\n")
	go func() {
		for i := range 10_000 {
			if _, err := fmt.Fprintf(conn, "X-%d: %s\r\n", i, strings.Repeat("x", 1000)); err != nil {
				return
			}
		}
	}()
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, "431") {
		t.Errorf("it is answered %q, %v", line, err)
	}
}

// 10,000 watches at once are answered: 2,000 with events, and the others with the reason.
func TestManyWatches(t *testing.T) {
	if testing.Short() {
		t.Skip("opens 10,000 streams")
	}
	s := open(t, asUsual)
	const most = 10_000
	ctx, end := context.WithCancel(t.Context())
	codes := map[int]int{}
	var lock sync.Mutex
	var all sync.WaitGroup
	var c *http.Client
	for i := range most {
		if i%200 == 0 { // streams that a connection has
			c = s.client(2)
			c.Timeout = 0
		}
		all.Add(1)
		req, err := http.NewRequestWithContext(ctx, "GET", s.at.URL+kitesPath+"?watch=true", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+secret)
		if i%200 == 0 { // which dials before the others use the connection
			s.watched(c, req, &all, &lock, codes)
			continue
		}
		go s.watched(c, req, &all, &lock, codes)
	}
	all.Wait()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%v; %d MB of heap and %d MB of stacks, with the clients' in it", codes, m.HeapInuse>>20, m.StackInuse>>20)
	if codes[200] != int(usual.streams) || codes[429] != most-codes[200] {
		t.Errorf("they are answered with %v", codes)
	}
	s.expect(s.client(2), 429, "crdlift serve handles at most 2000 watches at a time; try again later", "GET", kitesPath+"?watch=true", "")
	s.expect(s.client(2), 201, "", "POST", kitesPath, kite("meanwhile", 1, ""))
	end()
	for range 1000 {
		if s.streams.Load() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d watches go on without their clients", s.streams.Load())
}

func (s *site) watched(c *http.Client, req *http.Request, done *sync.WaitGroup, lock *sync.Mutex, codes map[int]int) {
	defer done.Done()
	res, err := c.Do(req)
	code := 0
	if err == nil {
		code = res.StatusCode
		if code != 200 {
			res.Body.Close()
		}
	}
	lock.Lock()
	codes[code]++
	lock.Unlock()
}

// A client that does not read what it watches is left, and keeps nobody from writing.
func TestWatchThatIsNotRead(t *testing.T) {
	t.Parallel()
	both(t, func(l *limits, _ *patience) { l.slowReader = 300 * time.Millisecond }, func(t *testing.T, s *site, c *http.Client) {
		c.Timeout = 0
		res, err := s.send(c, "GET", kitesPath+"?watch=true", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text := strings.Repeat("x", 1<<20)
		writer := s.client(2)
		for i := range 40 { // more than the buffers of both ends have
			s.expect(writer, 201, "", "POST", kitesPath, kite(fmt.Sprint("kite-", i), i, text))
		}
		for range 1000 {
			if s.streams.Load() == 0 {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Error("the watch goes on")
	})
}

// A watch on which nothing happens stays, longer than any client that does not read.
func TestQuietWatch(t *testing.T) {
	t.Parallel()
	both(t, func(l *limits, p *patience) {
		l.slowReader, p.request, p.answer = 200*time.Millisecond, 200*time.Millisecond, 200*time.Millisecond
	}, func(t *testing.T, s *site, c *http.Client) {
		c.Timeout = 0
		res, err := s.send(c, "GET", kitesPath+"?watch=true", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		lines := bufio.NewReader(res.Body)
		for i := range 3 {
			s.expect(c, 201, "", "POST", kitesPath, kite(fmt.Sprint("kite-", i), i, ""))
			if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, fmt.Sprint("kite-", i)) {
				t.Fatalf("event %d is %q, %v", i, line, err)
			}
			time.Sleep(500 * time.Millisecond)
		}
	})
}

// Clients that do not read their answers do not keep the server from answering others for long.
func TestAnswersThatAreNotRead(t *testing.T) {
	if testing.Short() {
		t.Skip("waits until an answer has to be read, which a machine that is busy takes long to write")
	}
	t.Parallel()
	both(t, func(l *limits, p *patience) { l.requests, p.answer = 2, 10*time.Second }, func(t *testing.T, s *site, c *http.Client) {
		for i := range 12 {
			s.expect(c, 201, "", "POST", kitesPath, kite(fmt.Sprint("kite-", i), i, strings.Repeat("x", 1<<20)))
		}
		var unread []*http.Response
		for range 2 {
			res, err := s.send(c, "GET", kitesPath, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			unread = append(unread, res)
		}
		other := s.client(2)
		res, err := s.send(other, "GET", "/version", nil)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if unread[0].StatusCode != 200 || res.StatusCode != 429 || res.Header.Get("Retry-After") != "1" {
			t.Errorf("the third request at once is answered %s, Retry-After %q", res.Status, res.Header.Get("Retry-After"))
		}
		for range 3000 {
			if s.requests.Load() == 0 {
				s.expect(other, 200, "", "GET", "/version", "")
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Error("the requests go on")
	})
}

// A full store says so, and takes what makes it smaller.
func TestFullStore(t *testing.T) {
	t.Parallel()
	s := open(t, func(l *limits, _ *patience) { l.stored = 100_000 })
	c := s.client(2)
	large := strings.Repeat("x", 60_000)
	s.expect(c, 201, "", "POST", kitesPath, kite("one", 1, large))
	s.expect(c, 500, "crdlift serve keeps at most 100000 bytes of objects; delete some, or start it again", "POST", kitesPath, kite("two", 1, large))
	s.expect(c, 200, "", "DELETE", kitesPath+"/one", "")
	s.expect(c, 201, "", "POST", kitesPath, kite("two", 1, large))
}

// Files of objects stay in their folder, whatever the objects are called, and all of them are read again.
func TestNamesAsFiles(t *testing.T) {
	t.Parallel()
	s := open(t, asUsual)
	c := s.client(2)
	long := strings.Repeat("a", 253)
	for _, name := range []string{"..", ".", "../../up", "a/b", `..\..\up`, "a\x00b", "%2e%2e", long + "/.."} {
		for _, in := range []string{`"name": %q`, `"name": "x", "namespace": %q`} {
			raw := fmt.Sprintf(`{"apiVersion": "example.org/v1", "kind": "Kite", "metadata": {`+in+`}}`, name)
			raw = strings.ReplaceAll(raw, `\x00`, `\u0000`)
			if code, said := s.ask(c, "POST", kitesPath, raw); code/100 != 4 {
				t.Errorf("%s is answered %d %s", raw, code, said)
			}
			if code, said := s.ask(c, "PUT", "/crdlift/objects", raw); code/100 == 2 && strings.Contains(name, "/") || code/100 == 5 {
				t.Errorf("%s is answered %d %s", raw, code, said)
			}
		}
	}
	s.expect(c, 201, "", "POST", kitesPath, kite(long, 1, "one"))
	s.expect(c, 201, "", "POST", kitesPath, kite(long[1:]+"b", 1, "two"))
	for _, namespace := range []string{"..", "%2e%2e", "..%2f..", "%00", long + long, "A_"} {
		path := "/apis/example.org/v1/namespaces/" + namespace + "/kites"
		if code, said := s.ask(c, "POST", path, kite("x", 1, "")); code/100 == 2 || code/100 == 5 {
			t.Errorf("POST %s is answered %d %s", path, code, said)
		}
	}
	before, _, _ := s.store.list(kitesOf, "", 0)
	parent := t.TempDir()
	target, link := filepath.Join(parent, "target"), filepath.Join(parent, "link")
	if err := os.Mkdir(target, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := s.Save(link, nil); err != nil {
		t.Fatal(err)
	}
	if found, err := os.ReadDir(parent); err != nil || len(found) != 2 {
		t.Errorf("beside the folder there are %v, %v", found, err)
	}
	other := open(t, asUsual)
	loaded, err := other.Load(link)
	after, _, _ := other.store.list(kitesOf, "", 0)
	if err != nil || len(loaded) < len(before) || len(after) != len(before) {
		t.Fatalf("%d objects, of which %d are loaded from %d files: %v", len(before), len(after), len(loaded), err)
	}

	// Two servers with one folder do not keep each other from ending: what the last one has is there.
	if _, err := s.Load(link); err != nil {
		t.Fatal(err)
	}
	other.expect(other.client(2), 200, "", "DELETE", kitesPath+"/"+long, "")
	s.expect(c, 200, "", "DELETE", kitesPath+"/"+long, "")
	if err := errors.Join(s.Save(link, loaded), other.Save(link, loaded)); err != nil {
		t.Error(err)
	}
}

var kitesOf = schema.GroupResource{Group: "example.org", Resource: "kites"}

// Bodies that are small, and of which much would become: each is answered soon, and with little memory.
func TestBombs(t *testing.T) {
	t.Parallel()
	s := open(t, asUsual)
	c := s.client(2)
	s.expect(c, 201, "", "POST", kitesPath, kite("one", 1, strings.Repeat("x", 1<<20)))
	const head = `{"apiVersion": "example.org/v1", "kind": "Kite", "metadata": {"name": "bomb"}, "spec": `
	deep := func(n int, open, middle, end string) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	aliases := "apiVersion: example.org/v1\nkind: Kite\nmetadata: {name: bomb}\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		aliases += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	copies := `[{"op": "add", "path": "/spec/list", "value": []}` + strings.Repeat(`, {"op": "copy", "from": "/spec/text", "path": "/spec/list/-"}`, 5000) + "]"
	doubled := `[{"op": "add", "path": "/spec/x", "value": {"y": "` + strings.Repeat("x", 100_000) + `"}}` + strings.Repeat(`, {"op": "copy", "from": "/spec", "path": "/spec/x/z"}`, 30) + "]"
	inserts := `[{"op": "add", "path": "/spec/list", "value": []}` + strings.Repeat(`, {"op": "add", "path": "/spec/list/0", "value": ""}`, 9000) + "]"
	unknown := map[string]string{}
	for i := range 50_000 {
		unknown[fmt.Sprintf("unknown-%d", i)] = ""
	}
	fields, _ := json.Marshal(unknown)
	for _, bomb := range []struct {
		name, method, path, contentType, body string
		code                                  int
		words                                 string
	}{
		{"deep JSON", "POST", kitesPath, "application/json", head + deep(1_400_000, "[", "", "]") + "}", 400, "exceeded max depth"},
		{"JSON as deep as it may be", "POST", kitesPath, "application/json", head + deep(4000, `{"a":`, "1", "}") + "}", 201, ""},
		{"deep YAML", "POST", kitesPath, "application/yaml", head + deep(1_400_000, "[", "", "]") + "}", 400, "exceeded max depth"},
		{"deep blocks of YAML", "POST", kitesPath, "application/yaml", "spec:\n" + strings.Repeat("- ", 1_000_000), 400, "exceeded max depth"},
		{"deep YAML, applied", "PATCH", kitesPath + "/bomb?fieldManager=m", "application/apply-patch+yaml", head + deep(1_400_000, "[", "", "]") + "}", 400, "exceeded max depth"},
		{"aliases", "POST", kitesPath, "application/yaml", aliases, 400, "excessive aliasing"},
		{"aliases, applied", "PATCH", kitesPath + "/bomb?fieldManager=m", "application/apply-patch+yaml", aliases, 400, "excessive aliasing"},
		{"copies", "PATCH", kitesPath + "/one", "application/json-patch+json", copies, 422, "rejected our request"},
		{"copies of copies", "PATCH", kitesPath + "/one", "application/json-patch+json", doubled, 422, "rejected our request"},
		{"many inserts", "PATCH", kitesPath + "/one", "application/json-patch+json", inserts, 200, ""},
		{"deep patch", "PATCH", kitesPath + "/one", "application/json-patch+json", `[{"op": "add", "path": "/spec/x", "value": ` + deep(1_000_000, "[", "", "]") + "}]", 400, "invalid JSON patch"},
		{"deep merge", "PATCH", kitesPath + "/one", "application/merge-patch+json", deep(500_000, `{"a":`, "1", "}"), 400, "invalid JSON patch"},
		{"unknown fields", "POST", kitesPath, "application/json", head + "{}, " + string(fields[1:]), 201, ""},
		{"unknown fields, strict", "POST", kitesPath + "?fieldValidation=Strict", "application/json", head + "{}, " + string(fields[1:]), 400, "unknown field"},
		{"a large selector", "GET", kitesPath + "?labelSelector=" + strings.Repeat("a,", 20_000) + "a", "", "", 200, ""},
		{"a large set", "GET", kitesPath + "?labelSelector=a+in+(" + strings.Repeat("a,", 20_000) + "a)", "", "", 200, ""},
		{"a field selector", "GET", kitesPath + "?fieldSelector=" + strings.Repeat("metadata.name=a,", 2000), "", "", 200, ""},
		{"a broken selector", "GET", kitesPath + "?labelSelector=" + strings.Repeat("(", 30_000), "", "", 400, ""},
		{"no limit", "GET", kitesPath + "?limit=-1", "", "", 200, ""},
		{"a limit that is none", "GET", kitesPath + "?limit=99999999999999999999", "", "", 400, ""},
		{"a token that is none", "GET", kitesPath + "?continue=x", "", "", 400, "continue key is not valid"},
		{"a token of the future", "GET", kitesPath + "?continue=" + token{tokenVersion, 1 << 62, "a/b"}.String(), "", "", 200, ""},
		{"a watch of the future", "GET", kitesPath + "?watch=1&resourceVersion=9223372036854775807", "", "", 504, "Too large resource version"},
		{"a watch that is none", "GET", kitesPath + "?watch=1&timeoutSeconds=x", "", "", 400, ""},
		{"a long name to generate", "POST", kitesPath, "application/json", `{"apiVersion": "example.org/v1", "kind": "Kite", "metadata": {"generateName": "` + strings.Repeat("a", 1<<20) + `"}}`, 422, "metadata.generateName: Invalid value"},
		{"a verb that is none", "BREW", kitesPath, "", "", 405, ""},
	} {
		t.Run(bomb.name, func(t *testing.T) {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			before, begun := m.TotalAlloc, time.Now()
			part := *s
			part.TB = t
			part.expect(c, bomb.code, bomb.words, bomb.method, bomb.path, bomb.body, "Content-Type: "+bomb.contentType)
			runtime.ReadMemStats(&m)
			took, made := time.Since(begun), (m.TotalAlloc-before)>>20
			t.Logf("%s, %d MB", took, made)
			if took > 20*time.Second || made > 2000 {
				t.Errorf("it takes %s, and makes %d MB", took, made)
			}
			s.ask(c, "DELETE", kitesPath+"/bomb", "")
		})
	}
}
