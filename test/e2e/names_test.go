package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestNames gives CRDs other names, as the fixtures of names-not-accepted do: the server never accepts those that the rule
// reports, and sooner or later all others.
func TestNames(t *testing.T) {
	const folder, name = "../../rules/testdata/lifecycle/names-not-accepted", "brokers.messaging.example.com"
	s := today(t)
	read := func(path string) []byte {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return jsonOf(t, string(src))
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d fixtures, %v", len(paths), err)
	}
	for _, path := range paths {
		base := filepath.Base(path)
		if base == "old.yaml" {
			continue
		}
		t.Run(base, func(t *testing.T) {
			if a, err := s.createCRD("v1", read(filepath.Join(folder, "old.yaml"))); err != nil || !a.ok() {
				t.Fatalf("%s, %v", a.reason(), err)
			}
			defer func() { _ = s.deleteCRD(name) }()
			if reason, err := s.establish(name); err != nil || reason != "" {
				t.Fatalf("%s, %v", reason, err)
			}
			var is v1.CustomResourceDefinition
			if err := json.Unmarshal(read(path), &is); err != nil {
				t.Fatal(err)
			}
			patch, err := json.Marshal(map[string]any{"spec": map[string]any{"names": is.Spec.Names}})
			if err != nil {
				t.Fatal(err)
			}
			if a, err := s.requestOf(http.MethodPatch, crdsOf("v1")+"/"+name, "application/json", "application/merge-patch+json", patch); err != nil || !a.ok() {
				t.Fatalf("%s, %v", a.reason(), err)
			}
			accepted := func() (bool, error) {
				c, err := s.readCRD(name)
				if err != nil {
					return false, err
				}
				got, want := c.Status.AcceptedNames, c.Spec.Names
				return got.Singular == want.Singular && slices.Equal(got.ShortNames, want.ShortNames), nil
			}
			if strings.HasPrefix(base, "ok") {
				if err := wait("accepting the names", accepted); err != nil {
					t.Error(err)
				}
				return
			}
			if err := wait("rejecting a name", func() (bool, error) {
				c, err := s.readCRD(name)
				return err == nil && refusedNames(c) != "", err
			}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second) // for the second attempt, which is accepted where the first one freed a name
			if ok, err := accepted(); ok || err != nil {
				t.Errorf("the names are accepted: %t, %v", ok, err)
			}
		})
	}
}
