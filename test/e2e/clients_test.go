package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/applying"
)

// clients are the programs that apply, each a module of its own in test/clients.
var clients = []string{"kubectl028", "kubectl032", "kubectl037", "helm3", "helm4", "flux"}

// eachClient runs a test for those that CRDLIFT_CLIENTS names, or for all.
func eachClient(t *testing.T, test func(*testing.T, *client)) {
	s := today(t)
	for _, name := range clients {
		if wanted(name) {
			t.Run(name, func(t *testing.T) { test(t, newClient(t, s, name)) })
		}
	}
}

func wanted(client string) bool {
	named := strings.Fields(os.Getenv("CRDLIFT_CLIENTS"))
	return len(named) == 0 || slices.Contains(named, client)
}

// A client is a program, and a proxy through which it reaches a server.
type client struct {
	name, program, dir string
	server             *server
	resources          *resources // of which it applies objects; nil for CRDs

	mu   sync.Mutex
	sent []sentRequest
}

// A sentRequest is a request that writes, and what became of it.
type sentRequest struct {
	method, contentType string
	url                 *url.URL
	body                []byte
	before, after       map[string]any // in etcd
	answer              answer
}

func newClient(t *testing.T, s *server, name string) *client {
	c := &client{name: name, server: s, dir: t.TempDir(), program: buildClient(t, name)}
	proxy := httptest.NewServer(c)
	t.Cleanup(proxy.Close)
	if err := os.WriteFile(c.file("config"), kubeconfig(proxy.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// buildClient builds a module of test/clients.
func buildClient(t *testing.T, name string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), name)
	build := exec.Command("go", "build", "-trimpath", "-o", program, ".")
	build.Dir = filepath.Join("..", "clients", name)
	build.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOFLAGS=-mod=readonly")
	if out, err := build.CombinedOutput(); strings.Contains(string(out), "GOPROXY=off") {
		t.Skipf("the dependencies of test/clients/%s are not downloaded; `make e2e` downloads them", name)
	} else if err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, out)
	}
	return program
}

// kubeconfig is for clients of a server that wants no token, such as a proxy that has one.
func kubeconfig(url string) []byte {
	return []byte(`{"apiVersion":"v1","kind":"Config","current-context":"a","clusters":[{"name":"a","cluster":{"server":"` + url +
		`"}}],"contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}],"users":[{"name":"a","user":{}}]}`)
}

func (c *client) file(name string) string { return filepath.Join(c.dir, name) }

// write makes a file of a manifest; its path is empty where there is none.
func (c *client) write(t *testing.T, name string, manifest map[string]any) string {
	t.Helper()
	if manifest == nil {
		return ""
	}
	raw, err := json.Marshal(manifest)
	if err == nil {
		err = os.WriteFile(c.file(name), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c.file(name)
}

// run has the client do something, and returns what it has sent. It may fail.
func (c *client) run(t *testing.T, arguments ...string) []sentRequest {
	t.Helper()
	c.sent = nil
	cmd := exec.CommandContext(t.Context(), c.program, arguments...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.file("config"), "HOME="+c.dir, "HELM_NAMESPACE=default")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil && !slices.ContainsFunc(c.sent, func(x sentRequest) bool { return !x.answer.ok() }) {
		t.Fatalf("%s %q: %v\n%s", c.name, arguments, err, out)
	}
	return c.sent
}

// groups answers what the server, which is one of several in a cluster, leaves to another: which groups there are.
var groups = map[string]string{
	"/api": `{"kind":"APIVersions","versions":[]}`,
	"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"clients.example.org","versions":[
		{"groupVersion":"clients.example.org/v1","version":"v1"},{"groupVersion":"clients.example.org/v2","version":"v2"}],
		"preferredVersion":{"groupVersion":"clients.example.org/v1","version":"v1"}}]}`,
}

// ServeHTTP passes a request on.
func (c *client) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if found, ok := groups[r.URL.Path]; ok {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, found)
		return
	}
	x := sentRequest{method: r.Method, contentType: r.Header.Get("Content-Type"), url: r.URL}
	x.contentType, _, _ = strings.Cut(x.contentType, ";")
	var err error
	if x.body, err = io.ReadAll(r.Body); err == nil {
		if writes := r.Method != http.MethodGet; writes && c.resources != nil {
			x.before, err = c.resources.inEtcd(x.name())
		}
	}
	if err == nil {
		err = c.pass(w, r, &x)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

func (c *client) pass(w http.ResponseWriter, r *http.Request, x *sentRequest) error {
	forward, err := http.NewRequestWithContext(r.Context(), r.Method, c.server.URL+r.URL.RequestURI(), bytes.NewReader(x.body))
	if err != nil {
		return err
	}
	forward.Header = r.Header.Clone()
	forward.Header.Del("Accept-Encoding")
	forward.Header.Set("Authorization", "Bearer "+c.server.Token)
	response, err := c.server.client.Do(forward)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if x.method != http.MethodGet {
		x.answer = answer{code: response.StatusCode, body: read}
		if c.resources != nil {
			if x.after, err = c.resources.inEtcd(x.name()); err != nil {
				return err
			}
		}
		c.mu.Lock()
		c.sent = append(c.sent, *x)
		c.mu.Unlock()
	}
	for key, values := range response.Header {
		w.Header()[key] = values
	}
	w.WriteHeader(response.StatusCode)
	_, err = w.Write(read)
	return err
}

// name is that of the object which a request is about.
func (x sentRequest) name() string {
	if x.method == http.MethodPost {
		return fmt.Sprint(metadataOf(x.object())["name"])
	}
	return x.url.Path[strings.LastIndex(x.url.Path, "/")+1:]
}

// object is what the request has in it.
func (x sentRequest) object() map[string]any {
	o, _ := decodedJSON(x.body)
	return o
}

// version is that which the request is sent to.
func (x sentRequest) version() string { return strings.Split(x.url.Path, "/")[3] }

// request is what tests of internal/request know.
func (x sentRequest) request() applying.Request {
	query := x.url.Query()
	r := applying.Request{
		Version: x.version(), Manager: query.Get("fieldManager"), Force: query.Get("force") == "true",
		FieldValidation: query.Get("fieldValidation"), DryRun: query.Get("dryRun") != "", Body: x.body,
	}
	switch {
	case x.method == http.MethodPost:
		r.Op = applying.Post
	case x.method == http.MethodPut:
		r.Op = applying.Put
	case x.contentType == "application/apply-patch+yaml":
		r.Op = applying.Apply
	case x.contentType == "application/merge-patch+json":
		r.Op = applying.Merge
	default:
		r.Op = applying.JSON
	}
	return r
}
