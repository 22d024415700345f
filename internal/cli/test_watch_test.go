package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crdlift/crdlift/internal/run"
)

// A shared is a buffer that is read while somebody writes.
type shared struct {
	lock sync.Mutex
	buf  bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.buf.Write(p)
}

// take returns what was written since the last time, once it has some words.
func (s *shared) take(t *testing.T, words string) string {
	t.Helper()
	for range 2000 {
		s.lock.Lock()
		if strings.Contains(s.buf.String(), words) {
			defer s.lock.Unlock()
			defer s.buf.Reset()
			return s.buf.String()
		}
		s.lock.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no %q in %s", words, &s.buf)
	return ""
}

const watchedCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: KINDs.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: KIND, plural: KINDs, singular: KIND, listKind: KINDList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: string, maxLength: 3}}}}}
`

const watchedSuite = `crdtest: v1
crd: ../crds/KIND.yaml
base: {apiVersion: example.com/v1, kind: KIND, spec: abc}
cases:
- name: fits
`

// TestWatch changes one file after the other.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	of := func(text, kind string) string { return strings.ReplaceAll(text, "KIND", kind) }
	for _, kind := range []string{"one", "two"} {
		write("crds/"+kind+".yaml", of(watchedCRD, kind))
		write("tests/"+kind+".crdtest.yaml", of(watchedSuite, kind))
	}
	out := &shared{}
	s := &session{run.NewSession(strings.NewReader(""), out, out)}
	root := s.rootCommand()
	root.SetArgs([]string{"test", "--watch", "--config", "off", "-v", filepath.Join(dir, "tests")})
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- root.ExecuteContext(ctx) }()
	steps := []struct {
		what, file, text string
		want, not        []string
	}{
		{"nothing", "", "", []string{"passed: one/fits", "passed: two/fits", "2 cases passed in 2 suites"}, nil},
		{"a CRD", "crds/one.yaml", strings.Replace(of(watchedCRD, "one"), "maxLength: 3", "maxLength: 2", 1), []string{"fits", "1 of 1 case failed in 1 suite"}, []string{"two"}},
		{"a suite", "tests/two.crdtest.yaml", of(watchedSuite, "two") + "- name: once more\n", []string{"passed: two/once more", "2 cases passed in 1 suite"}, []string{"one"}},
		{"another suite", "tests/three.crdtest.yaml", of(watchedSuite, "three"), []string{"2 of 4 cases failed", "crds/three.yaml", "in 3 suites"}, nil},
		{"its CRD", "crds/three.yaml", of(watchedCRD, "three"), []string{"passed: three/fits", "1 of 4 cases failed in 3 suites"}, nil},
	}
	for _, step := range steps {
		if step.file != "" {
			write(step.file, step.text)
		}
		got := out.take(t, "waiting for changes")
		for _, words := range step.want {
			if !strings.Contains(got, words) {
				t.Errorf("%s changed: no %q in %s", step.what, words, got)
			}
		}
		for _, words := range step.not {
			if strings.Contains(got, words) {
				t.Errorf("%s changed: %q is in %s", step.what, words, got)
			}
		}
		if strings.Contains(got, "\x1b[2J") {
			t.Errorf("cleared what is no terminal: %q", got)
		}
	}
	interrupt()
	if err := <-ended; err != nil || s.Code != run.ExitFindings {
		t.Errorf("ended with %d, %v", s.Code, err)
	}
}
