package main

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// What a language server may take to look through a workspace of so many CRDs of a usual size.
const (
	editorCRDs   = 1400
	editorSize   = 26_000 // of each, in bytes
	editorCPU    = 1.5    // times that of a lint of the same files
	editorMemory = 250 * megabyte
)

// editor compares a session of an editor over a workspace with a lint of it. What is too much is measured again, more often each time.
func (b *bench) editor(session func(folder string) (sample, error), out io.Writer) error {
	folder := filepath.Join(b.dir, "workspace")
	for i := range editorCRDs {
		if err := put(filepath.Join(folder, fmt.Sprintf("%d.yaml", i)), specimen.Sized("v1", i, editorSize).YAML()); err != nil {
			return err
		}
	}
	lint := contestant{args: []string{b.crdlift, "lint", "--config", "off", "."}, env: editorCores}
	var lints, sessions []sample
	var ratio float64
	var most int64
	for try := range tries {
		for range 1 << try {
			one, err := b.measure(b.ctx, lint, folder)
			if err != nil {
				return err
			}
			other, err := session(folder)
			if err != nil {
				return err
			}
			lints, sessions = append(lints, one), append(sessions, other)
		}
		took := result(sessions)
		ratio, most = float64(took.cpu)/float64(result(lints).cpu), took.memory
		if ratio <= editorCPU && most <= editorMemory {
			break
		}
	}
	fmt.Fprintf(out, "\n`crdlift lsp` looks through %d CRDs in %.2f times the CPU time of `crdlift lint`, and %d MB\n",
		editorCRDs, ratio, most/megabyte)
	if ratio > editorCPU || most > editorMemory {
		return fmt.Errorf("the language server takes more than %.1f times the CPU time of a lint, or than %d MB", editorCPU, editorMemory/megabyte)
	}
	return nil
}

// editorCores are those that the smallest runners have.
var editorCores = []string{"GOMAXPROCS=2"}

// looked has an editor open a folder, and wait until all of its files are judged.
func looked(b *bench, folder string) (sample, error) {
	return b.session("lsp", folder, editorCores, `{"window": {"workDoneProgress": true}}`, func(say func(message, answer string) string) {
		id := requestID.FindString(say("", "workDoneProgress/create"))
		if id == "" { // it is behind the parameters
			id = requestID.FindString(say("", `"id":`))
		}
		say(`{"jsonrpc": "2.0", `+id+`, "result": null}`, `"kind":"end"`)
	})
}

var requestID = regexp.MustCompile(`"id":("[^"]*"|[0-9]*)`)
