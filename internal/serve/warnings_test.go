package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestManyWarnings: clients give up on an answer with too many headers.
func TestManyWarnings(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/writes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	fields := []string{`"size":1`}
	for i := range 1000 {
		fields = append(fields, fmt.Sprintf(`"field%d":1`, i))
	}
	body := `{"apiVersion":"example.org/v1","kind":"Widget","metadata":{"name":"one"},"spec":{` + strings.Join(fields, ",") + `}}`
	req := httptest.NewRequest(http.MethodPost, "/apis/example.org/v1/namespaces/a/widgets", strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	newServer(t, archive).ServeHTTP(w, req)
	told := w.Header().Values("Warning")
	if size := len(strings.Join(told, "")); w.Code != http.StatusCreated || len(told) < 100 || size > 8<<10 {
		t.Errorf("%d: %d warnings of %d bytes", w.Code, len(told), size)
	}
}
