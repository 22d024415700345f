package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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
