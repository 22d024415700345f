package serve_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/serve"
)

// TestRestingWatch: a watch in which nothing happens for longer than a client may take to read goes on, over HTTP/2 too.
func TestRestingWatch(t *testing.T) {
	const slow = 200 * time.Millisecond
	server, err := serve.New(serve.Config{Token: token, Also: []schema.GroupVersionKind{{Version: "v1", Kind: "ConfigMap"}}})
	if err != nil {
		t.Fatal(err)
	}
	server.SetSlowReader(slow)
	endpoint, err := serve.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- endpoint.Serve(ctx, server) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(endpoint.CA)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	ask := func(method, query, body string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, method, endpoint.URL+"/api/v1/namespaces/default/configmaps"+query, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		if answer.ProtoMajor != 2 || answer.StatusCode/100 != 2 {
			t.Fatalf("%s: %s %s", method, answer.Proto, answer.Status)
		}
		return answer
	}
	events := bufio.NewScanner(ask(http.MethodGet, "?watch=1", "").Body)
	for _, name := range []string{"a", "b"} {
		ask(http.MethodPost, "", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"`+name+`"}}`)
		if !events.Scan() || !strings.Contains(events.Text(), `"name":"`+name+`"`) {
			t.Fatalf("%q, %v", events.Text(), events.Err())
		}
		time.Sleep(2 * slow)
	}
}
