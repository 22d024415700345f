package crdtest_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crdlift/crdlift/crdtest"
)

// TestServing runs the tests below as programs of their own: what they log, and what becomes of the server, are seen from outside.
func TestServing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		scenario string
		env      []string
		want     []string // parts of the output
	}{
		"a server for a test": {
			"TestServed", nil,
			[]string{"--- PASS: TestServed ", "serve.go:", "crdlift: serving 1 ", "POST /apis/shop.example.com/v1/namespaces/testserved-", " 201 ", " 422 "},
		},
		"a server for TestMain": {"TestStarted", nil, []string{"--- PASS: TestStarted ", "GET /api/v1/configmaps 200 "}},
		"a CRD that is not there": {
			"TestNotServed", []string{"CRD=no-such.yaml"},
			[]string{"--- FAIL: TestNotServed ", "serve_test.go:", "crdtest: ", "--crds no-such.yaml: exit status 2\n", `--crds: "no-such.yaml" is not a file, a folder or a git revision`},
		},
		"no program":          {"TestNotServed", []string{"BINARY=no-such-program"}, []string{"--- FAIL: TestNotServed ", "the program crdlift, which does the test, is not there"}},
		"no program, skipped": {"TestNotServed", []string{"BINARY=no-such-program", "SKIP=1"}, []string{"--- SKIP: TestNotServed "}},
		"a server that ends before the test": {
			"TestNotServed", []string{"BINARY=" + os.Args[0]},
			[]string{"--- FAIL: TestNotServed ", ": exit status 3\n", "called with serve --kubeconfig ", "kubeconfig --exit-on-eof -v --crds testdata/shelves.yaml --also a\n", "out of order"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := run(t, test.scenario, test.env...)
			wants(t, out, test.want...)
			nothingLeft(t, out)
		})
	}
	t.Run("a test binary that dies", func(t *testing.T) {
		t.Parallel()
		cmd := exec.Command(os.Args[0], "-test.run", "^TestKilled$")
		cmd.Env = append(os.Environ(), "SCENARIO=TestKilled", "CRDLIFT="+program(t))
		out, err := cmd.CombinedOutput()
		if err == nil || strings.Contains(string(out), "FAIL") {
			t.Fatalf("it ends with %v\n%s", err, out)
		}
		if server := address(t, string(out)); !refuses(server) {
			t.Errorf("%s still serves", server)
		}
	})
}

// address is that of the server of a test that is run.
func address(t *testing.T, out string) string {
	t.Helper()
	found := regexp.MustCompile(`at https://(127\.0\.0\.1:\d+)`).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("nothing is served\n%s", out)
	}
	return found[1]
}

// nothingLeft holds that a server has ended, and has taken its files with it.
func nothingLeft(t *testing.T, out string) {
	t.Helper()
	if strings.Contains(out, " at https://") && !refuses(address(t, out)) {
		t.Error("the server still serves")
	}
	for _, file := range regexp.MustCompile(`\S+/kubeconfig\b`).FindAllString(out, -1) {
		if _, err := os.Stat(filepath.Dir(file)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// refuses reports whether an address takes no connections any more, within a few seconds.
func refuses(address string) bool {
	for range 100 {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			return true
		}
		connection.Close()
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// A client of a server, by what its fields say.
type client struct {
	*testing.T
	crdtest.Server
}

// do sends a request, and returns the code and the object of the answer.
func (c *client) do(method, path string, body any) (code int, answer map[string]any) {
	c.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		c.Fatal(err)
	}
	request, err := http.NewRequest(method, c.URL+path, strings.NewReader(string(text)))
	if err != nil {
		c.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	request.Header.Set("Content-Type", "application/json")
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(c.CAData)
	response, err := (&http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}).Do(request)
	if err != nil {
		c.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		c.Fatal(err)
	}
	return response.StatusCode, answer
}

// TestServed is a test with a server of its own: it creates what is taken and what is not, in a namespace of its own, and removes
// all of it.
func TestServed(t *testing.T) {
	if !alone(t) {
		return
	}
	c := &client{t, crdtest.Serve(t, filepath.Join("testdata", "shelves.yaml"))}
	namespace := c.Namespace(t)
	shelves := "/apis/shop.example.com/v1/namespaces/" + namespace + "/shelves"
	shelf := func(name string, least int) map[string]any {
		metadata := map[string]any{"name": name, "finalizers": []string{"shop.example.com/books"}}
		return map[string]any{"apiVersion": "shop.example.com/v1", "kind": "Shelf", "metadata": metadata, "spec": map[string]any{"min": least}}
	}
	code, stored := c.do(http.MethodPost, shelves, shelf("a", 1))
	if spec := fmt.Sprint(stored["spec"]); code != http.StatusCreated || spec != "map[max:10 min:1]" {
		t.Errorf("%d: %v", code, stored)
	}
	if code, status := c.do(http.MethodPost, shelves, shelf("b", 11)); code != http.StatusUnprocessableEntity {
		t.Errorf("%d: %v", code, status)
	}
	kubeconfig, err := os.ReadFile(c.Kubeconfig)
	if err != nil || !strings.Contains(string(kubeconfig), c.URL) || !strings.Contains(string(kubeconfig), c.Token) {
		t.Errorf("%v: %s", err, kubeconfig)
	}
	t.Log(c.Kubeconfig)
	c.Reset(t)
	if _, list := c.do(http.MethodGet, shelves, nil); fmt.Sprint(list["items"]) != "[]" {
		t.Errorf("after a reset there are %v", list["items"])
	}
}

// TestStarted does what a TestMain does.
func TestStarted(t *testing.T) {
	if !alone(t) {
		return
	}
	flag.Parse()
	server, stop, err := crdtest.Options{CRDs: []string{"testdata"}, Args: []string{"--also=v1/ConfigMap"}}.Start()
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t, server}
	if code, list := c.do(http.MethodGet, "/api/v1/configmaps", nil); code != http.StatusOK {
		t.Errorf("%d: %v", code, list)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, _, err := (crdtest.Options{Binary: "no-such-program"}).Start(); err == nil {
		t.Error("a program that is not there serves")
	}
}

// TestNotServed has a server that does not serve, or not for long.
func TestNotServed(t *testing.T) {
	if !alone(t) {
		return
	}
	o := crdtest.Options{CRDs: []string{"testdata/shelves.yaml"}, Binary: os.Getenv("BINARY"), SkipMissing: os.Getenv("SKIP") != ""}
	if crd := os.Getenv("CRD"); crd != "" {
		o.CRDs = []string{crd}
	} else {
		o.Args = []string{"--also", "a"}
	}
	server := o.Serve(t)
	if err := os.Remove(server.Kubeconfig); err != nil { // which fakeServer waits for
		t.Error(err)
	}
	time.Sleep(time.Second)
}

// TestKilled ends without a cleanup.
func TestKilled(t *testing.T) {
	if !alone(t) {
		return
	}
	server := crdtest.Serve(t, filepath.Join("testdata", "shelves.yaml"))
	fmt.Println("at", server.URL)
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(filepath.Dir(server.Kubeconfig))
	_ = self.Kill()
	select {}
}

// fakeServer is a crdlift serve that ends as soon as somebody removes its kubeconfig.
func fakeServer(args []string) int {
	fmt.Fprintf(os.Stderr, "called with %s\nout of order\n", strings.Join(args, " "))
	server := httptest.NewTLSServer(http.NotFoundHandler())
	file := args[slices.Index(args, "--kubeconfig")+1]
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	config, err := json.Marshal(map[string]any{"server": server.URL, "token": "a", "certificate-authority-data": certificate})
	if err == nil {
		err = os.WriteFile(file, config, 0o600)
	}
	for ; err == nil; _, err = os.Stat(file) {
		time.Sleep(10 * time.Millisecond)
	}
	return 3
}

func TestNamespace(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "Ärger mit_Namen/und.mehr", strings.Repeat("long ", 20), strings.Repeat("x", 49-len("testnamespace")) + " y"} {
		t.Run(name, func(t *testing.T) {
			var server crdtest.Server
			namespace := server.Namespace(t)
			if !regexp.MustCompile(`^testnamespace-[-a-z0-9]{1,49}[a-z0-9]$`).MatchString(namespace) || strings.Contains(namespace, "--") {
				t.Errorf("%q", namespace)
			}
			if namespace == server.Namespace(t) {
				t.Errorf("%q comes twice", namespace)
			}
		})
	}
}
