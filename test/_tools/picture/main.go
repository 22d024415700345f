// Command picture draws the terminal in README.md: what crdlift prints for the manifests in examples. `make picture`
// runs it; a test compares the two. With an argument, it draws a screen that it reads, under that title.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdlift/crdlift/internal/cli"
)

// The picture of README.md, and the command that it shows, which finds something and exits with 1.
var (
	path    = filepath.Join("docs", "breaking.svg")
	folder  = filepath.Join("examples", "breaking")
	command = []string{"breaking", "--against", "old", "new"}
)

func main() {
	log.SetFlags(0)
	if len(os.Args) > 1 {
		screen, err := io.ReadAll(os.Stdin)
		if err != nil {
			log.Fatal(err)
		}
		os.Stdout.Write(draw(os.Args[1], string(screen)))
		return
	}
	screen, err := run(".")
	if err == nil {
		err = os.WriteFile(path, draw(title, screen), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

var title = "A terminal: crdlift " + strings.Join(command, " ")

// run runs the command in colour, and returns what the terminal shows. The repository is at root. It changes the working directory
// and the environment of the process, and puts both back.
func run(root string) (string, error) {
	was, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if err := os.Chdir(filepath.Join(root, folder)); err != nil {
		return "", err
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
	if code := cli.Run(command, os.Stdin, &screen, &screen); code != 1 {
		return "", fmt.Errorf("exit code %d, want 1:\n%s", code, screen.Bytes())
	}
	return "\x1b[1m$ crdlift " + strings.Join(command, " ") + "\x1b[0m\n\n" + screen.String(), nil
}
