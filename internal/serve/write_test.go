package serve

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
)

// TestKeepTimes: a write that changes nothing but when it was made is none, and so watches see nothing of it.
func TestKeepTimes(t *testing.T) {
	t.Parallel()
	object := func(size int64, fields, time string) request.Object {
		return request.Object{"spec": map[string]any{"size": size}, "metadata": map[string]any{"name": "a", "managedFields": []any{
			map[string]any{"manager": "m", "fieldsV1": fields, "time": time},
		}}}
	}
	for name, c := range map[string]struct {
		is, was request.Object
		want    string
	}{
		"the same":         {object(1, "f", "later"), object(1, "f", "earlier"), "earlier"},
		"another size":     {object(2, "f", "later"), object(1, "f", "earlier"), "later"},
		"another's fields": {object(1, "g", "later"), object(1, "f", "earlier"), "later"},
		"a new object":     {object(1, "f", "later"), nil, "later"},
	} {
		keepTimes(c.is, c.was)
		got, _ := request.Keys("metadata", "managedFields").To(request.Index(0), request.Key("time")).In(c.is)
		if got != c.want {
			t.Errorf("%s: the time is %v, want %s", name, got, c.want)
		}
	}
}

// TestNoToken: a server without a token lets nobody in.
func TestNoToken(t *testing.T) {
	t.Parallel()
	server, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest(http.MethodGet, "/apis", nil)
	req.Header.Set("Authorization", "Bearer ")
	w := httptest.NewRecorder()
	if server.ServeHTTP(w, req); w.Code != http.StatusUnauthorized {
		t.Errorf("the answer is %d", w.Code)
	}
}
