package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/cli"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

func TestMain(m *testing.M) {
	crdlift := func() {
		if folder := os.Getenv(cacheOfStory); folder != "" {
			os.Exit(runTwice(folder))
		}
		os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"crdlift":            crdlift,
		"kubectl-crdlift":    crdlift,
		"conversion-webhook": serveWebhook,
		"api":                askServer,
	})
}

// TestScript runs the user stories in testdata/script.
func TestScript(t *testing.T) {
	testscript.Run(t, storyParams(t, filepath.Join("testdata", "script")))
}

// storyParams is how the stories of a folder are run.
func storyParams(t *testing.T, dir string) testscript.Params {
	examples, err := filepath.Abs("examples")
	if err != nil {
		t.Fatal(err)
	}
	return testscript.Params{
		Dir:                 dir,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "webhook": webhook, "freeport": freePort},
		Setup: func(env *testscript.Env) error {
			// The user's git settings and colours must not matter.
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			env.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(env.WorkDir))
			env.Setenv("EXAMPLES", examples)
			return nil
		},
	}
}

// exits is the script command `exits CODE PROGRAM ARG...`: exec, but for one exit code only.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// TestShown checks that the pages show the program's actual output, which is in stories, and README the manifest that it is about.
func TestShown(t *testing.T) {
	t.Parallel()
	for page, story := range map[string]string{"README.md": "readme.txtar", "docs/reference/outputs.md": "outputs.txtar", "docs/guides/validate.md": "validate-page.txtar", "docs/reference/roles.md": "roles.txtar", "docs/guides/compare.md": "compare-page.txtar", "docs/guides/audit.md": "audit-page.txtar", "docs/guides/convert.md": "convert-page.txtar", "docs/guides/migrate.md": "migrate-page.txtar", "docs/guides/testing.md": "testing-page.txtar"} {
		script, err := txtar.ParseFile(filepath.Join("testdata", "script", story))
		if err != nil {
			t.Fatal(err)
		}
		text := read(t, filepath.FromSlash(page))
		for _, file := range script.Files {
			kind := strings.TrimPrefix(filepath.Ext(file.Name), ".")
			if !slices.Contains([]string{"diff", "text", "json"}, kind) {
				continue // what goes in
			}
			if !strings.Contains(text, "```"+kind+"\n"+string(file.Data)+"```\n") {
				t.Errorf("%s does not show %s of testdata/script/%s", page, file.Name, story)
			}
		}
	}
	crd := read(t, filepath.Join("examples", "lint", "backups.yaml"))
	if _, after, _ := strings.Cut(read(t, "README.md"), "```yaml\n"); !strings.Contains(crd, after[:strings.Index(after, "```")]) {
		t.Error("README.md shows another manifest than examples/lint/backups.yaml")
	}
}
