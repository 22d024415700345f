package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestKubectl runs the stories in testdata/kubectl, each in a namespace of its name.
func TestKubectl(t *testing.T) {
	for _, name := range clients {
		if !strings.HasPrefix(name, "kubectl") || !wanted(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			kubectl := filepath.Join(folder, "kubectl")
			if err := os.Rename(buildClient(t, name), kubectl); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join("testdata", "kubectl")
			onBoth(t, filepath.Join(dir, "shelves.yaml"), func(t *testing.T, kubeconfig []byte) {
				testscript.Run(t, testscript.Params{
					Dir:                 dir,
					RequireExplicitExec: true,
					RequireUniqueNames:  true,
					Cmds:                map[string]func(*testscript.TestScript, bool, []string){"until": until},
					Setup: func(env *testscript.Env) error {
						config := filepath.Join(env.WorkDir, ".kubeconfig")
						env.Setenv("KUBECONFIG", config)
						env.Setenv("HOME", env.WorkDir)
						env.Setenv("PATH", folder+string(os.PathListSeparator)+env.Getenv("PATH"))
						if err := os.WriteFile(config, kubeconfig, 0o600); err != nil {
							return err
						}
						_, namespace, _ := strings.Cut(filepath.Base(env.WorkDir), "script-")
						return exec.Command(kubectl, "--kubeconfig", config, "config", "set-context", "--current", "--namespace", namespace).Run()
					},
				})
			})
		})
	}
}

// until is the script command `until PROGRAM ARG...`: exec, again and again until it succeeds, for what servers do in the background.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: until PROGRAM ARG...")
	}
	ts.Check(wait(strings.Join(args, " "), func() (bool, error) { return ts.Exec(args[0], args[1:]...) == nil, nil }))
}
