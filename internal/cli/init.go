package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

func initCommand(s *session) *cobra.Command {
	var shows bool
	cmd := &cobra.Command{
		Use:        "init [flags]",
		SuggestFor: []string{"setup", "configure"},
		Short:      "Write a .crdlift.yaml for the repository",
		Args:       noArguments,
		RunE:       func(*cobra.Command, []string) error { return s.init(shows) },
	}
	cmd.Flags().BoolVarP(&shows, "diff", "d", false, "print a unified diff, write nothing")
	return cmd
}

func (s *session) init(shows bool) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	there, err := config.Find(here)
	if err != nil {
		return err
	}
	if there != "" && !shows {
		return run.UsageError(run.Shown(there)+" exists, and 'crdlift init' does not overwrite it",
			"see what init would write with 'crdlift init --diff', and how to correct roles with 'crdlift roles --set ROLE=GLOB'")
	}
	v, err := lookAround(&lint.Config{})
	if err != nil {
		return err
	}
	made, err := v.configuration()
	if err != nil {
		return err
	}
	in := run.Input{Path: filepath.Join(filepath.FromSlash(v.Top), config.Name)}
	if !shows {
		if err := atomicfile.Write(in.Path, made); err != nil {
			return run.Unread(err)
		}
		fmt.Fprintf(s.Stderr, "wrote %s, which crdlift lint and crdlift validate use\n", text.Harmless(run.Shown(in.Path)))
		return nil
	}
	before, err := run.ReadSettings(in.Path, true)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return run.Unread(err)
	}
	if !bytes.Equal(before, made) {
		s.Worsen(run.ExitFindings)
		_, err = s.Stdout.Write((&run.Run{Session: s.Session, DiffRoot: v.Top}).DiffOf(in, before, made))
		return err
	}
	return nil
}
