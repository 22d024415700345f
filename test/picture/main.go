// Command picture draws docs/lint.svg: a terminal in which crdlift lints the manifest of testdata/script/readme.txtar.
// `make picture` runs it; a test compares the two.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/cli"
)

func main() {
	svg, err := picture(".")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("docs", "lint.svg"), svg, 0o644); err != nil {
		log.Fatal(err)
	}
}

// picture lints in colour, in a folder of its own, and draws what is printed. The repository is at root. It changes the
// working directory and the environment of the process, and puts both back.
func picture(root string) ([]byte, error) {
	story, err := txtar.ParseFile(filepath.Join(root, "testdata", "script", "readme.txtar"))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "picture")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	const name = "crd.yaml"
	for _, file := range story.Files {
		if file.Name == name {
			if err := os.WriteFile(filepath.Join(dir, name), file.Data, 0o644); err != nil {
				return nil, err
			}
		}
	}
	was, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(dir); err != nil {
		return nil, err
	}
	defer os.Chdir(was)
	for name, value := range map[string]string{"FORCE_COLOR": "1", "NO_COLOR": ""} {
		old, had := os.LookupEnv(name)
		os.Setenv(name, value)
		defer func() {
			if os.Unsetenv(name); had {
				os.Setenv(name, old)
			}
		}()
	}
	// On a terminal, standard output and standard error are one stream.
	var screen bytes.Buffer
	if code := cli.Run([]string{"lint", "--no-config", name}, os.Stdin, &screen, &screen); code != 1 {
		return nil, fmt.Errorf("exit code %d, want 1:\n%s", code, screen.Bytes())
	}
	return draw("$ crdlift lint "+name, screen.String()), nil
}
