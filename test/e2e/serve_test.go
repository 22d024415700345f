package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// served is `crdlift serve` with the CRDs of testdata/serve, for one test.
func served(t *testing.T) *server {
	t.Helper()
	file := filepath.Join(t.TempDir(), "crds.yaml")
	if err := os.WriteFile(file, bytes.Join(serveManifests(), []byte("\n---\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := serverOf(serving(t, "--crds", file))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// serverOf is the server that a kubeconfig leads to.
func serverOf(kubeconfig []byte) (*server, error) {
	var config struct {
		Clusters []struct {
			Cluster struct {
				Server string `json:"server"`
				CA     []byte `json:"certificate-authority-data"`
			} `json:"cluster"`
		} `json:"clusters"`
		Users []struct {
			User struct {
				Token string `json:"token"`
			} `json:"user"`
		} `json:"users"`
	}
	if err := yaml.Unmarshal(kubeconfig, &config); err != nil {
		return nil, err
	}
	if len(config.Clusters) != 1 || len(config.Users) != 1 {
		return nil, fmt.Errorf("a kubeconfig of another form: %s", kubeconfig)
	}
	return newServer(access{URL: config.Clusters[0].Cluster.Server, Token: config.Users[0].User.Token, CA: config.Clusters[0].Cluster.CA})
}

// serveGroups are API serveGroups, each with the CRDs of testdata/serve, in which sequences go on at a time.
var serveGroups = []string{"one.serve.example", "two.serve.example", "three.serve.example"}

// prepareGroups creates the CRDs that are not there yet, and waits until they are served.
func (s *server) prepareGroups() error {
	for _, manifest := range serveManifests() {
		raw, err := yaml.YAMLToJSON(manifest)
		if err != nil {
			return err
		}
		if a, err := s.createCRD("v1", raw); err != nil {
			return err
		} else if !a.ok() && a.code != http.StatusConflict {
			return errors.New(a.reason())
		}
	}
	failed := make(chan error, len(serveGroups))
	for _, group := range serveGroups {
		go func() { failed <- s.prepareGroup(group) }()
	}
	var err error
	for range serveGroups {
		err = errors.Join(err, <-failed)
	}
	return err
}

// prepareGroup waits until all of a group is served, and creates a first object of each kind, which servers hold back.
func (s *server) prepareGroup(group string) error {
	for _, path := range []string{"v1/widgets", "v1beta1/widgets", "v1/rigs", "v1beta1/rigs"} {
		if err := wait("serving "+path, func() (bool, error) {
			a, err := s.request(http.MethodGet, "/apis/"+group+"/"+path, nil)
			return a.ok(), err
		}); err != nil {
			return err
		}
	}
	for kind, path := range map[string]string{widgets.kind: "namespaces/first/widgets", rigs.kind: "rigs"} {
		path = "/apis/" + group + "/v1/" + path
		first := fmt.Sprintf(`{"apiVersion":"%s/v1","kind":%q,"metadata":{"name":"first"},"spec":{"size":"M"}}`, group, kind)
		if a, err := s.request(http.MethodPost, path, []byte(first)); err != nil || !a.ok() {
			return fmt.Errorf("%s: %s: %w", path, a.reason(), err)
		}
		if a, err := s.request(http.MethodDelete, path+"/first", nil); err != nil || !a.ok() {
			return fmt.Errorf("%s: %s: %w", path, a.reason(), err)
		}
	}
	return nil
}

// serveManifests are the CRDs of all serveGroups.
func serveManifests() (all [][]byte) {
	paths, err := filepath.Glob("testdata/serve/*.yaml")
	if err != nil || len(paths) == 0 {
		panic("no fixtures")
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		for _, group := range serveGroups {
			all = append(all, []byte(strings.ReplaceAll(string(src), "GROUP", group)))
		}
	}
	return all
}
