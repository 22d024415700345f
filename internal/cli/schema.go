package cli

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/jsonschema"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
)

// schemaFlags are the flags of `crdlift schema`.
type schemaFlags struct {
	run.Flags
	outputDir string
	strict    bool
	format    string
}

// The formats of schemas.
const (
	formatJSONSchema = "json-schema"
	formatKustomize  = "kustomize-openapi"
)

func schemaCommand(s *session) *cobra.Command {
	f := schemaFlags{}
	cmd := &cobra.Command{
		Use:   "schema [flags] CRD...",
		Short: "Write JSON Schemas of custom resources, for kubeconform and yaml-language-server",
		RunE:  func(cmd *cobra.Command, args []string) error { return s.schema(cmd.Context(), &f, args) },
	}
	flags := cmd.Flags()
	addChoice(cmd, &f.format, "format", "", "what is written (default json-schema)", formatJSONSchema, formatKustomize)
	flags.BoolVar(&f.strict, "strict", false, "what the API server drops is invalid, too")
	flags.StringVar(&f.outputDir, "output-dir", "", "`FOLDER` write the schemas below it, as GROUP/KIND_VERSION.json")
	addCommon(cmd, &f.Flags, "config", "quiet")
	return cmd
}

// schema writes the schemas of CRDs.
func (s *session) schema(ctx context.Context, f *schemaFlags, names []string) (err error) {
	defer run.SurviveAll(&err)
	if len(names) == 0 {
		return run.UsageError("'crdlift schema' needs CRDs: files, folders, git revisions, or - for standard input", "run 'crdlift schema --help' for examples")
	}
	forKustomize := f.format == formatKustomize
	if forKustomize && (f.strict || f.outputDir != "") {
		return run.UsageError("--format kustomize-openapi cannot be used with --strict or --output-dir", "leave these out, and write its one file with > FILE")
	}
	crds, err := s.usable(ctx, &f.Flags, names)
	if err != nil {
		return err
	}
	if forKustomize {
		made, err := jsonschema.ForKustomize(crds)
		if err == nil {
			_, err = s.Stdout.Write(made)
		}
		return err
	}
	var files []string
	var schemas [][]byte
	for _, d := range crds {
		for _, v := range d.Hub.Spec.Versions {
			if !v.Served {
				continue
			}
			made, err := jsonschema.Of(d, v.Name, f.strict)
			if err != nil {
				return fmt.Errorf("%s: %w", d.Name, err)
			}
			files, schemas = append(files, jsonschema.File(d, v.Name)), append(schemas, made)
		}
	}
	switch {
	case f.outputDir == "" && len(schemas) > 1:
		return run.UsageError(fmt.Sprintf("there are %d schemas, one for each kind and version", len(schemas)), "name a folder for them with --output-dir")
	case f.outputDir == "":
		_, err = s.Stdout.Write(bytes.Join(schemas, nil))
		return err
	}
	for i, made := range schemas {
		if err := atomicfile.WriteBelow(f.outputDir, filepath.FromSlash(files[i]), made); err != nil {
			return run.Unread(err)
		}
	}
	if !f.Quiet {
		s.Note("wrote %s to the folder %q", text.Count(len(schemas), "schema"), run.Shown(f.outputDir))
	}
	return nil
}

// usable are the CRDs that some paths have, one for each kind. What is said of others fails the run.
func (s *session) usable(ctx context.Context, f *run.Flags, names []string) ([]*objects.Definition, error) {
	found, err := s.readDefinitions(ctx, f, names)
	if err != nil {
		return nil, err
	}
	crds := slices.DeleteFunc(found.all, func(d *objects.Definition) bool {
		_, why := d.Server()
		if why != "" {
			at := d.Where()
			found.wrong = append(found.wrong, fmt.Errorf("%s:%d: %s: %s; run 'crdlift lint' to see why", at.File, at.Line, d.Name, why))
		}
		return why != ""
	})
	s.FailAll(found.wrong)
	if len(crds) == 0 && len(found.wrong) == 0 {
		return nil, run.UsageError("there is no CRD in \""+strings.Join(names, `", "`)+`"`, "name the file or folder of the CRDs; 'crdlift lint' says what there is")
	}
	return crds, nil
}
