package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/krm"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
)

func fnCommand(s *session) *cobra.Command {
	var printConfig bool
	cmd := &cobra.Command{
		Use:   "fn [flags]",
		Short: "Run as a KRM function, for kustomize and kpt",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			if printConfig {
				_, err := io.WriteString(s.Stdout, krm.Declaration)
				return err
			}
			return s.function(s.Stdin)
		},
	}
	cmd.Flags().BoolVar(&printConfig, "print-config", false, "print a functionConfig with all keys, for the transformers or validators of a kustomization")
	return cmd
}

// function answers one call.
func (s *session) function(stdin io.Reader) error {
	in, err := called(stdin)
	if err != nil {
		return err
	}
	list, err := run.Input{Path: run.StdinName}.Read(in, int64(s.MaxFileSize))
	if err != nil {
		return err
	}
	say := func(line string) { fmt.Fprintln(s.Stderr, text.Harmless(line)) }
	err = krm.Run(bytes.NewReader(list), s.Stdout, say)
	if errors.Is(err, krm.ErrFindings) {
		s.Worsen(run.ExitFindings)
		return nil
	}
	return err
}

// called checks that there is input. Without any, a user who types the command by itself gets an explanation of it.
func called(stdin io.Reader) (io.Reader, error) {
	nothing := run.UsageError("there is no ResourceList on standard input",
		"kustomize and kpt run this command; 'crdlift fn --print-config' prints a functionConfig for them")
	if onTerminal(stdin) {
		return nil, nothing
	}
	buffered := bufio.NewReader(stdin)
	if _, err := buffered.Peek(1); errors.Is(err, io.EOF) {
		return nil, nothing
	}
	return buffered, nil
}

// onTerminal reports whether nothing comes from standard input unless somebody types it.
func onTerminal(stdin io.Reader) bool {
	f, ok := stdin.(*os.File)
	return stdin == nil || ok && isatty.IsTerminal(f.Fd())
}

// sniffed is how much of standard input is looked at for a ResourceList.
const sniffed = 4 << 10

// resourceList reports whether standard input begins like a ResourceList, which is how kyaml calls a function that it
// has no arguments for. The reader returns the whole input in any case.
func resourceList(stdin io.Reader) (in io.Reader, is bool) {
	if onTerminal(stdin) {
		return stdin, false
	}
	buffered := bufio.NewReaderSize(stdin, sniffed)
	begin, err := buffered.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return buffered, false
	}
	for line := range bytes.Lines(begin) {
		field, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(":"))
		if string(bytes.Trim(field, `"{ `)) == "kind" {
			return buffered, string(bytes.Trim(value, `", `)) == "ResourceList"
		}
	}
	return buffered, false
}
