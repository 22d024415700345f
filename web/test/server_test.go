package test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// built is the folder that `make site` writes to.
const built = "../../build/site"

// folder is where the host has the site: not at its root.
const folder = "/crdlift/"

// files serves the site as a static host does: with its own page for an address that is none.
func files(t *testing.T) http.Handler {
	t.Helper()
	for _, made := range []string{"playground/main.js", "index.html"} {
		if _, err := os.Stat(filepath.Join(built, filepath.FromSlash(made))); err != nil {
			t.Skipf("%v: 'make site' makes it", err)
		}
	}
	site := os.DirFS(built)
	server := http.FileServerFS(site)
	return http.StripPrefix(folder, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := filepath.Join(built, filepath.FromSlash(r.URL.Path))
		if _, err := os.Stat(path); err != nil {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusNotFound)
			page, _ := os.ReadFile(filepath.Join(built, "404.html")) // a page without it is empty, which tests notice
			_, _ = w.Write(page)
			return
		}
		r.URL.Path = "/" + r.URL.Path
		server.ServeHTTP(w, r)
	}))
}

// serve serves something at an address of this machine, and has browsers keep nothing of it.
func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
