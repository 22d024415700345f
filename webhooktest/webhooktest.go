// Package webhooktest tests the conversion webhook of CustomResourceDefinitions from a Go test.
//
// [Run] serves the webhook's handler on a loopback address, has the program crdlift send it custom resources of all
// versions, and makes a subtest of each finding: an answer that the API server rejects, a field that is lost on the way
// there and back, and so on. The handler runs in the test's process, so that its coverage is measured, the race detector
// watches it, and breakpoints stop in it.
//
// The package has no dependencies. The program is installed apart from the module under test, whose versions of Kubernetes'
// modules stay what they are:
//
//	go install github.com/crdlift/crdlift@latest
package webhooktest

import (
	"cmp"
	"encoding/pem"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// module is the name of this module in messages.
const module = "webhooktest"

// Options say what is tested, and how. CRD and Handler are needed.
type Options struct {
	// CRD is a manifest with CustomResourceDefinitions, or a folder of manifests. Those whose conversion strategy is not
	// Webhook are passed over. Where their webhook is does not matter.
	CRD string
	// Handler is the conversion webhook, such as conversion.NewWebhookHandler of controller-runtime makes. It is
	// asked for Path, and has to be safe for several goroutines, as in production.
	Handler http.Handler
	// Path is where the Handler expects requests; "/convert" when it is empty.
	Path string
	// Samples are files and folders with custom resources to begin with. Objects are made from the schemas as well.
	Samples []string
	// Count is how many objects are made for each version; 0 for the program's own number.
	Count int
	// Seed makes other objects; 0 for the program's own. The same seed makes the same objects.
	Seed uint64
	// FailOn is the lowest severity that fails a subtest: "error", "warning" or "info", or "never"; "warning" when it is
	// empty. Other findings are logged.
	FailOn string
	// Args are further arguments of crdlift webhook test, such as "--skip=garbage" or "--rule=webhook-order=off".
	Args []string
	// Binary is the program; when it is empty, that in the environment variable CRDLIFT, or else crdlift in PATH, or else the
	// one of a tool line in go.mod.
	Binary string
}

// severities are those that fail a subtest, for each FailOn.
var severities = map[string][]string{
	"":        {"error", "warning"},
	"never":   {},
	"error":   {"error"},
	"warning": {"error", "warning"},
	"info":    {"error", "warning", "info"},
}

// Run tests a conversion webhook. Each finding is a subtest that has the name of its rule and of the field; it fails by the
// severity that FailOn says, with the smallest object that shows the finding. Findings that are ignored in the manifest or
// the configuration of crdlift never fail. The test itself fails at once when the program is not there or cannot test.
func Run(t *testing.T, o Options) {
	t.Helper()
	fails, known := severities[o.FailOn]
	switch {
	case !known:
		t.Fatalf("webhooktest: FailOn is %q, not error, warning, info or never", o.FailOn)
	case o.CRD == "":
		t.Fatal("webhooktest: Options.CRD is empty: name a manifest, or a folder of manifests")
	case o.Handler == nil:
		t.Fatal("webhooktest: Options.Handler is nil: there is no webhook to test")
	}
	binary, err := find(o.Binary)
	if err != nil {
		t.Fatal(err)
	}
	watch(o.CRD)
	watch(o.Samples...)
	server := serve(t, o.Handler)
	var found struct {
		Findings []finding `json:"findings"`
	}
	said, err := run(t, binary, nil, o.args(t, server), &found)
	if err != nil {
		t.Fatal(err)
	}
	if said != "" {
		t.Log(said)
	}
	for _, f := range found.Findings {
		t.Run(f.name(), func(t *testing.T) {
			t.Helper()
			f.report(t, fails)
		})
	}
}

// serve serves the webhook by TLS until the test ends.
func serve(t *testing.T, handler http.Handler) *httptest.Server {
	logged := &serverLog{seen: map[string]bool{}}
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = logged.logger()
	server.StartTLS()
	t.Cleanup(func() {
		closed := make(chan struct{})
		go func() {
			server.Close()
			close(closed)
		}()
		select {
		case <-closed:
		case <-time.After(3 * time.Second):
			t.Log("webhooktest: the handler does not come back from a request whose client is gone")
		}
		logged.tell(t)
	})
	return server
}

// args are those of the program. What follows "--" there is a command, so that manifests come first.
func (o *Options) args(t *testing.T, server *httptest.Server) []string {
	t.Helper()
	ca := filepath.Join(t.TempDir(), "ca.crt")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(ca, certificate, 0o600); err != nil {
		t.Fatalf("webhooktest: %v", err)
	}
	path := cmp.Or(o.Path, "/convert")
	manifest := o.CRD
	if strings.HasPrefix(manifest, "-") {
		manifest = "./" + manifest
	}
	args := []string{
		"webhook", "test", manifest, "--url", server.URL + "/" + strings.TrimPrefix(path, "/"), "--ca-file", ca,
		"--output", "json", "--fail-on", "never",
	}
	for _, sample := range o.Samples {
		args = append(args, "--samples", sample)
	}
	if o.Count != 0 {
		args = append(args, "--count", strconv.Itoa(o.Count))
	}
	if o.Seed != 0 {
		args = append(args, "--seed", strconv.FormatUint(o.Seed, 10))
	}
	return append(args, o.Args...)
}

// A serverLog keeps what Go's HTTP server says about a handler, each panic once: the same one may come with many objects.
type serverLog struct {
	lock sync.Mutex
	seen map[string]bool
	told []string
}

func (l *serverLog) logger() *log.Logger { return log.New(l, "", 0) }

var panicking = regexp.MustCompile(`^http: panic serving [^ ]*: (.*)\n`)

// Write keeps one message.
func (l *serverLog) Write(message []byte) (int, error) {
	text := strings.TrimSpace(string(message))
	key := text
	if m := panicking.FindStringSubmatch(text); m != nil {
		key = m[1]
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	if !l.seen[key] && !strings.HasPrefix(text, "http: TLS handshake error") { // whoever only looks whether it is there
		l.seen[key] = true
		l.told = append(l.told, text)
	}
	return len(message), nil
}

// tell logs it.
func (l *serverLog) tell(t *testing.T) {
	t.Helper()
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, text := range l.told {
		t.Log(text)
	}
}
