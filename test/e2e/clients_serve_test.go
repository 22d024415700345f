package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// onBoth runs a test of a client on today's server, so that what the test expects is right, and on `crdlift serve`. Both have the
// CRD of a file.
func onBoth(t *testing.T, file string, test func(t *testing.T, kubeconfig []byte)) {
	t.Run("kubernetes", func(t *testing.T) { test(t, proxied(t, today(t), file)) })
	t.Run("crdlift", func(t *testing.T) { test(t, serving(t, "--crds", file)) })
}

var buildCrdlift = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "crdlift-e2e")
	if err != nil {
		return "", err
	}
	atEnd(func() { os.RemoveAll(dir) })
	program := filepath.Join(dir, "crdlift")
	out, err := exec.Command("go", "build", "-C", "../..", "-o", program, ".").CombinedOutput()
	return program + string(out), err
})

// serving starts `crdlift serve`, which ends with the test.
func serving(t *testing.T, flags ...string) (kubeconfig []byte) {
	t.Helper()
	program, err := buildCrdlift()
	if err != nil {
		t.Fatal(err, program)
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	cmd := exec.Command(program, append([]string{"serve", "--exit-on-eof", "--kubeconfig", file}, flags...)...)
	var notes strings.Builder
	cmd.Stderr = &notes
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	var exit error
	go func() {
		exit = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		in.Close()
		if <-ended; exit != nil || t.Failed() {
			t.Errorf("crdlift serve: %v\n%s", exit, notes.String())
		}
	})
	if failed := wait("starting crdlift serve", func() (bool, error) {
		select {
		case <-ended:
			return false, io.ErrUnexpectedEOF
		default:
		}
		_, err := os.Stat(file)
		return err == nil, nil
	}); failed != nil {
		t.Fatal(failed)
	}
	if kubeconfig, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

// proxied creates the CRD of a file on a server, and starts a proxy that answers what another server of a cluster would: which
// groups there are, and that a namespace exists.
func proxied(t *testing.T, s *server, file string) (configuration []byte) {
	t.Helper()
	var c v1.CustomResourceDefinition
	manifest, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(manifest, &c)
	}
	if err == nil {
		manifest, err = json.Marshal(&c)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.deleteCRD(c.Name); err != nil {
			t.Error(err)
		}
	})
	if created, err := s.createCRD("v1", manifest); err != nil || !created.ok() {
		t.Fatal(created.reason(), err)
	}
	if r, reason, err := s.serve(&c); err != nil || r == nil {
		t.Fatal(reason, err)
	}
	groups := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
	for _, group := range []string{"apiextensions.k8s.io", c.Spec.Group} {
		version := metav1.GroupVersionForDiscovery{GroupVersion: group + "/v1", Version: "v1"}
		groups.Groups = append(groups.Groups, metav1.APIGroup{Name: group, PreferredVersion: version,
			Versions: []metav1.GroupVersionForDiscovery{version}})
	}
	backend, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	answer := func(path string, body any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(body)
		})
	}
	answer("/api", &metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}})
	answer("/apis", &groups)
	answer("/api/v1/namespaces/", &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{Kind: "Namespace", APIVersion: "v1"}})
	mux.Handle("/", &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(backend)
			r.Out.Header.Set("Authorization", "Bearer "+s.Token)
		},
		Transport:     s.client.Transport,
		FlushInterval: -1, // watches
	})
	proxy := httptest.NewServer(mux)
	t.Cleanup(proxy.Close)
	return kubeconfig(proxy.URL)
}
