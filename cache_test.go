package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// cacheOfStory is the variable that has the program run with a cache, in that folder.
const cacheOfStory = "CRDLIFT_TEST_CACHE"

// TestScriptCached runs the user stories again with every command that can have a cache, after the same command has filled
// it: whatever a story expects to be printed and written has to be the same.
func TestScriptCached(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as TestScript")
	}
	if *update {
		t.Skip("TestScript updates the stories")
	}
	params := storyParams(t, "")
	all, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, story := range all {
		text := read(t, story)
		if strings.Contains(text, "crdlift lint") || strings.Contains(text, "crdlift breaking") {
			params.Files = append(params.Files, story)
		}
	}
	if len(params.Files) < 30 {
		t.Fatalf("%d stories run the linter", len(params.Files))
	}
	params.Files = corpus.Turn(t, params.Files)
	plain, caches := params.Setup, t.TempDir()
	params.Setup = func(env *testscript.Env) error {
		env.Setenv(cacheOfStory, filepath.Join(caches, filepath.Base(env.WorkDir)))
		return plain(env)
	}
	testscript.Run(t, params)
}

// runTwice is the program with a cache. A command that writes nothing but its reports has filled it before.
func runTwice(folder string) int {
	args := os.Args[1:]
	if len(args) == 0 || args[0] != "lint" && args[0] != "breaking" || slices.Contains(args, "--cache") {
		return cli.Run(args, os.Stdin, os.Stdout, os.Stderr)
	}
	args = slices.Insert(slices.Clone(args), 1, "--cache="+folder)
	given, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	writes := func(arg string) bool {
		return strings.HasPrefix(arg, "--fix") || strings.HasPrefix(arg, "--write-baseline")
	}
	if !slices.ContainsFunc(args, writes) {
		cli.Run(args, bytes.NewReader(given), io.Discard, io.Discard)
	}
	return cli.Run(args, bytes.NewReader(given), os.Stdout, os.Stderr)
}
