// Command picture draws the terminals in README.md: what crdlift prints for the manifests in examples. `make picture`
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

// A picture shows a command that is run at the top of the repository.
type picture struct {
	name string // docs/NAME.svg
	args []string
}

// pictures are those of README.md. Every command has something to report, and exits with 1.
var pictures = []picture{
	{"breaking", []string{"breaking", "--against", "examples/breaking/old", "examples/breaking/new"}},
	{"convert", []string{"convert", "--diff", "examples/convert"}},
}

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
	for _, p := range pictures {
		svg, err := p.draw(".")
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(p.path(), svg, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// path is where the picture is in the repository.
func (p picture) path() string { return filepath.Join("docs", p.name+".svg") }

// draw runs the command in colour and draws what is printed. The repository is at root. It changes the working directory
// and the environment of the process, and puts both back.
func (p picture) draw(root string) ([]byte, error) {
	was, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(root); err != nil {
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
	if code := cli.Run(p.args, os.Stdin, &screen, &screen); code != 1 {
		return nil, fmt.Errorf("exit code %d, want 1:\n%s", code, screen.Bytes())
	}
	command := "$ crdlift " + strings.Join(p.args, " ")
	return draw("A terminal: "+command, "\x1b[1m"+command+"\x1b[0m\n\n"+screen.String()), nil
}
