package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crdlift/crdlift/internal/run"
)

// TestNoFlagIsEmpty gives every flag of every command an empty value: a variable that is not set must not be taken for
// a flag that was not given.
func TestNoFlagIsEmpty(t *testing.T) {
	t.Parallel()
	arguments := map[string][]string{
		"crdlift lint": {"crd.yaml"}, "crdlift breaking": {"crd.yaml"}, "crdlift convert": {"crd.yaml"},
		"crdlift plan": {"old.yaml", "new.yaml"}, "crdlift explain": {"scope-invalid"}, "crdlift where": {"crd.yaml"},
	}
	tried := 0
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal != "" { // true or false
				return
			}
			tried++
			path := strings.Fields(cmd.CommandPath())[1:]
			args := append(append(path, "--"+f.Name, ""), arguments[cmd.CommandPath()]...)
			var stdout, stderr bytes.Buffer
			code := Run(args, strings.NewReader(""), &stdout, &stderr)
			if said := stderr.String(); code != run.ExitTrouble || stdout.Len() > 0 || !strings.Contains(said, "--"+f.Name) {
				t.Errorf("crdlift %q: exit code %d, %s%s", args, code, &stdout, said)
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(Commands())
	if tried < 40 {
		t.Errorf("only %d flags take a value", tried)
	}
}
