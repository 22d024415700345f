package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
			if said := stderr.String(); code != exitTrouble || stdout.Len() > 0 || !strings.Contains(said, "--"+f.Name) {
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

func TestByteSize(t *testing.T) {
	for text, want := range map[string]byteSize{
		"1": 1, "1000": 1000, "12B": 12, "64MiB": 64 << 20, "64mib": 64 << 20, "64M": 64 << 20, "64Mi": 64 << 20,
		"64MB": 64 << 20, "2k": 2048, " 1G ": 1 << 30, "4611686018427387903": 1<<62 - 1,
	} {
		var got byteSize
		if err := got.Set(text); err != nil || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, err, want)
		}
		var again byteSize
		if err := again.Set(got.String()); err != nil || again != got {
			t.Errorf("%d prints as %s, which reads as %d", got, got, again)
		}
	}
	for _, text := range []string{"", "0", "-1", "x", "1T", "1KM", "MiB", "1.5M", "9223372036854775807", "99999999999G"} {
		if err := new(byteSize).Set(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
