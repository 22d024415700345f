package cli

import (
	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/lsp"
	"github.com/crdlift/crdlift/internal/version"
)

func lspCommand(s *session) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp [flags]",
		Short: "Run the language server, which editors start",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s.Worsen(lsp.Serve(cmd.Context(), s.Stdin, s.Stdout, version.Program()))
			return nil
		},
	}
	cmd.Flags().Bool("stdio", true, "use standard input and output; editors say so, and there is nothing else")
	return cmd
}
