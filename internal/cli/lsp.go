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
		Long: `Runs a language server on standard input and output, for editors. It judges manifests while they
are typed: CRDs as 'crdlift lint' does, and custom resources as 'crdlift validate' does, by the
CRDs of the open folders. It shows the page of a rule, fixes findings, ignores them with a reason,
and converts documents to apiextensions.k8s.io/v1.

The configuration is .crdlift.yaml, in the folder of each file or above it; the server completes and
checks it. It reads files and uses no cluster and no network.

Exit codes: 0 the editor ended the session; 1 it went away without that.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s.Worsen(lsp.Serve(cmd.Context(), s.Stdin, s.Stdout, version.Program()))
			return nil
		},
	}
	cmd.Flags().Bool("stdio", true, "use standard input and output; editors say so, and there is nothing else")
	return cmd
}
