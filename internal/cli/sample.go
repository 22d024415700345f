package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/sample"
)

// The sizes of samples.
const (
	bothSizes = "both"
	smallest  = "smallest"
	fullest   = "fullest"
)

// sampleFlags are the flags of `crdlift sample`.
type sampleFlags struct {
	run.Flags
	size, version string
}

func sampleCommand(s *session) *cobra.Command {
	f := sampleFlags{size: bothSizes}
	cmd := &cobra.Command{
		Use:   "sample [flags] KIND|CRD...",
		Short: "Print the smallest and the fullest valid custom resource of a kind",
		RunE:  func(cmd *cobra.Command, args []string) error { return s.sample(cmd.Context(), &f, args) },
	}
	flags := cmd.Flags()
	addChoice(cmd, &f.size, "size", "", "which to print", bothSizes, smallest, fullest)
	flags.StringVar(&f.version, "version", "", "`VERSION` of the kind (default: the one that is stored)")
	addCommon(cmd, &f.Flags, "config")
	return cmd
}

// sample prints samples of kinds.
func (s *session) sample(ctx context.Context, f *sampleFlags, names []string) (err error) {
	defer run.SurviveAll(&err)
	if len(names) == 0 {
		return run.UsageError("'crdlift sample' needs a KIND, or CRDs: files, folders, git revisions, or - for standard input", "run 'crdlift sample --help' for examples")
	}
	isKind := func(name string) bool {
		_, err := os.Stat(name)
		return err != nil && name != run.Stdin && older.IsPlain(name) && !strings.ContainsAny(name, `/\:`)
	}
	var crds []*objects.Definition
	if paths := slices.DeleteFunc(slices.Clone(names), isKind); len(paths) > 0 {
		if crds, err = s.usable(ctx, &f.Flags, paths); err != nil {
			return err
		}
	}
	for _, name := range slices.DeleteFunc(names, func(name string) bool { return !isKind(name) }) {
		found, err := s.readDefinitions(ctx, &f.Flags, []string{"."})
		if err != nil {
			return err
		}
		d, err := found.named(name)
		if err != nil {
			s.FailAll(found.wrong) // one of them may be its CRD
			return err
		}
		crds = append(crds, d)
	}
	var all [][]byte
	for _, d := range crds {
		made, err := f.samples(d)
		if err != nil {
			s.Fail(fmt.Errorf("%s: %w", d.Name, err))
		}
		all = append(all, made...)
	}
	_, err = s.Stdout.Write(bytes.Join(all, []byte("---\n")))
	return err
}

// named is the CRD of a kind, by one of the names that kubectl takes.
func (all *definitions) named(kind string) (*objects.Definition, error) {
	var found []*objects.Definition
	var full []string
	for _, d := range all.all {
		n := d.Hub.Spec.Names
		if slices.ContainsFunc(append([]string{n.Kind, n.Plural, n.Singular}, n.ShortNames...), func(name string) bool {
			return strings.EqualFold(name, kind) || strings.EqualFold(name+"."+d.Hub.Spec.Group, kind)
		}) {
			found, full = append(found, d), append(full, n.Kind+"."+d.Hub.Spec.Group)
		}
	}
	switch len(found) {
	case 0:
		return nil, run.UsageError(fmt.Sprintf("no CRD in the working directory or below it defines %q", kind), "name the file or the folder of its CRD")
	case 1:
		return found[0], nil
	}
	return nil, run.UsageError(fmt.Sprintf("several CRDs define %q", kind), "write "+strings.Join(full, " or "))
}

// samples are those of a kind as YAML.
func (f *sampleFlags) samples(d *objects.Definition) (all [][]byte, err error) {
	version := cmp.Or(f.version, d.Storage())
	if d.Version(version) == nil {
		return nil, fmt.Errorf("there is no version %s; name one that the CRD has", version)
	}
	server, why := d.Server()
	if why != "" {
		return nil, fmt.Errorf("%s; run 'crdlift lint' to see why", why)
	}
	add := func(object request.Object, ok bool) {
		if !ok {
			err = errors.New("crdlift cannot make an object that the API server accepts; write a sample by hand")
			return
		}
		all = append(all, sample.Print(object, d.Root(version)))
	}
	made := sample.New(server, version, 1)
	if f.size != fullest {
		add(made.Smallest())
	}
	if f.size != smallest {
		add(made.Fullest())
	}
	return all, err
}
