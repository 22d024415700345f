package cli

import (
	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/run"
)

func configCommand(s *session) *cobra.Command {
	var f run.Flags
	cmd := &cobra.Command{
		Use:   "config [flags]",
		Short: "Print the configuration as crdlift understands it: the file, and the defaults",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			effective, err := f.ReadConfigFile()
			if err != nil {
				return err
			}
			_, err = s.Stdout.Write(config.YAML(effective))
			return err
		},
	}
	addCommon(cmd, &f, "config", "config-from")
	return cmd
}
