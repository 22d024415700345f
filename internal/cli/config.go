package cli

import (
	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/config"
)

func configCommand(s *session) *cobra.Command {
	var f Flags
	cmd := &cobra.Command{
		Use:   "config [flags]",
		Short: "Print the configuration as crdlift understands it: the file, and the defaults",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			effective, err := f.readConfigFile()
			if err != nil {
				return err
			}
			_, err = s.stdout.Write(config.YAML(effective))
			return err
		},
	}
	addCommon(cmd, &f, "config")
	return cmd
}
