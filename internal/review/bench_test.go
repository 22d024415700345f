package review

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkConvert is one request for one object, with what the webhook takes for it.
func BenchmarkConvert(b *testing.B) {
	server := httptest.NewTLSServer(http.HandlerFunc(changeVersion))
	defer server.Close()
	for name, config := range map[string]Config{
		"TLS":        {URL: server.URL, CA: certificate(server)},
		"in process": {Handler: http.HandlerFunc(changeVersion)},
	} {
		b.Run(name, func(b *testing.B) {
			client, object := newClient(b, config), cronTab("v1", "a")
			for b.Loop() {
				if got := client.Convert(b.Context(), "", "v2", object); got.Err != nil {
					b.Fatal(got.Err)
				}
			}
		})
	}
}
