package serve

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// benched is a server with so many kites of about 2 kB, and what asks it without a network.
func benched(b *testing.B, n int) (s *Server, ask func(method, path, body string)) {
	b.Helper()
	s, err := New(Config{Token: secret})
	if err != nil {
		b.Fatal(err)
	}
	define(b, s, kites)
	ask = func(method, path, body string) {
		req := httptest.NewRequest(method, path, strings.NewReader(body))
		req.Header.Set("Authorization", "Bearer "+secret)
		req.Header.Set("Content-Type", "application/json")
		if method == http.MethodPatch {
			req.Header.Set("Content-Type", "application/merge-patch+json")
		}
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, req); w.Code/100 != 2 {
			b.Fatalf("%s %s is answered %d %s", method, path, w.Code, w.Body)
		}
	}
	for i := range n {
		ask("POST", kitesPath, large(fmt.Sprint("kite-", i), i))
	}
	return s, ask
}

// large is a kite of 2 kB.
func large(name string, size int) string {
	list := strings.Repeat(`"some text here", `, 60)
	return strings.Replace(kite(name, size, strings.Repeat("x", 800)), `"size"`, `"list": [`+list+`"end"], "size"`, 1)
}

func BenchmarkCreate(b *testing.B) {
	_, ask := benched(b, 0)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		ask("POST", kitesPath, large(fmt.Sprint("kite-", i), i))
	}
}

func BenchmarkPatch(b *testing.B) {
	_, ask := benched(b, 1)
	b.ReportAllocs()
	for i := 1; b.Loop(); i++ {
		ask("PATCH", kitesPath+"/kite-0", fmt.Sprintf(`{"spec": {"size": %d}}`, i))
	}
}

func BenchmarkGet(b *testing.B) {
	_, ask := benched(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		ask("GET", kitesPath+"/kite-0", "")
	}
}

// BenchmarkList is a list of 1,000 objects.
func BenchmarkList(b *testing.B) {
	_, ask := benched(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		ask("GET", kitesPath, "")
	}
}

// BenchmarkWatch is one change that 100 clients watch.
func BenchmarkWatch(b *testing.B) {
	s, ask := benched(b, 1)
	events := make(chan struct{}, 1000)
	for range 100 {
		req := httptest.NewRequest("GET", kitesPath+"?watch=true&resourceVersion="+fmt.Sprint(s.store.now()), nil).WithContext(b.Context())
		req.Header.Set("Authorization", "Bearer "+secret)
		go s.ServeHTTP(&lines{httptest.NewRecorder(), events}, req)
	}
	for s.streams.Load() < 100 {
		time.Sleep(time.Millisecond)
	}
	b.ReportAllocs()
	for i := 1; b.Loop(); i++ {
		ask("PATCH", kitesPath+"/kite-0", fmt.Sprintf(`{"spec": {"size": %d}}`, i))
		for range 100 {
			<-events
		}
	}
}

// lines tells of each write to it.
type lines struct {
	*httptest.ResponseRecorder
	written chan<- struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.written <- struct{}{}
	return io.Discard.Write(p)
}
