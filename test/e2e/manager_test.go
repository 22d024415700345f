package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestManager has a manager of controller-runtime reconcile a thousand objects, without leader election, which needs leases.
func TestManager(t *testing.T) {
	if !wanted("manager") {
		t.Skip("not among $CRDLIFT_CLIENTS")
	}
	program := buildClient(t, "manager")
	onBoth(t, filepath.Join("testdata", "kubectl", "shelves.yaml"), func(t *testing.T, kubeconfig []byte) {
		config := filepath.Join(t.TempDir(), "kubeconfig")
		if err := os.WriteFile(config, kubeconfig, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), program, "1000")
		cmd.Env = append(os.Environ(), "KUBECONFIG="+config)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
	})
}
