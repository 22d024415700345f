package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/serve"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/watch"
)

// serveFlags are the flags of `crdlift serve`.
type serveFlags struct {
	run.Flags
	crds, also                           []string
	listen, kubeconfig, token, data, url string
	untilEOF, verbose                    bool
	command                              []string
	own                                  bool // the kubeconfig is that of the command alone
}

func serveCommand(s *session) *cobra.Command {
	f := serveFlags{Flags: run.Flags{About: run.AboutObjects, Unasked: map[string]string{}}}
	cmd := &cobra.Command{
		Use:   "serve [flags] --crds PATH... [-- COMMAND...]",
		Short: "Serve custom resources to clients and tests as an API server does, in memory",
		RunE: func(cmd *cobra.Command, args []string) error {
			n := cmd.ArgsLenAtDash()
			if n < 0 {
				n = len(args)
			}
			if f.command = args[n:]; n > 0 {
				return run.UsageError(fmt.Sprintf("unexpected argument %q", args[0]), "name CRDs with --crds, and a command after --")
			}
			if n < len(args) != (cmd.ArgsLenAtDash() >= 0) {
				return run.UsageError("there is no command after --", "write the command that uses the server, such as -- go test ./...")
			}
			return s.serve(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.crds, "crds", nil, "`PATH|REVISION` serve the CRDs in it, may be repeated; if ambiguous, prefix it with git: or path:")
	flags.StringSliceVar(&f.also, "also", nil, "`VERSION/KIND,...` store these built-in kinds as well, without validation: v1/ConfigMap, apps/v1/Deployment")
	flags.StringVar(&f.listen, "listen", "127.0.0.1:0", "`HOST:PORT` listen there, on this machine; port 0 picks a free one")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "`FILE` write the kubeconfig to it when the server is ready (default: print it, unless there is a COMMAND)")
	flags.StringVar(&f.token, "token", "", "`TOKEN` clients have to send it (default: a new one)")
	flags.StringVar(&f.url, "url", "", "`URL` call the conversion webhook there, instead of at the address in the CRDs")
	flags.StringVar(&f.data, "data", "", "`FOLDER` read objects from it at the start, and write them into it at the end")
	flags.BoolVar(&f.untilEOF, "exit-on-eof", false, "end when standard input ends, as it does with the program that started crdlift")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print each request")
	addCommon(cmd, &f.Flags, "config", "quiet")
	return cmd
}

// serve serves CRDs until its command ends, or somebody ends it.
func (s *session) serve(ctx context.Context, f *serveFlags) (err error) {
	defer run.SurviveAll(&err)
	ctx, stop := run.UntilInterrupt(ctx, true)
	defer stop()
	server, crds, err := s.newServer(ctx, f)
	if err != nil || s.Code != 0 {
		return err
	}
	endpoint, err := serve.Listen(f.listen)
	if err != nil {
		return run.UsageError(fmt.Sprintf("--listen %s cannot be used: %v", f.listen, err), "use a free port of this machine only, such as --listen 127.0.0.1:8443")
	}
	var loaded map[string]string
	if f.data != "" {
		if err = os.MkdirAll(f.data, 0o777); err == nil {
			loaded, err = server.Load(f.data)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("--data: %w", err), endpoint.Close())
		}
	}
	ctx, end := context.WithCancel(ctx)
	var work sync.WaitGroup
	failed := make(chan error, 1)
	work.Go(func() {
		if err := endpoint.Serve(ctx, server); err != nil {
			failed <- err
		}
	})
	if err = s.announce(f, endpoint, len(crds.all)); err == nil {
		work.Go(func() { s.followCRDs(ctx, f, server, crds) })
		err = s.useServer(ctx, f, failed)
	}
	end()
	work.Wait()
	if f.own {
		err = errors.Join(err, os.Remove(f.kubeconfig))
	}
	if f.data != "" {
		if failed := server.Save(f.data, loaded); failed != nil {
			err = errors.Join(err, fmt.Errorf("--data: %w", failed))
		}
	}
	return err
}

// newServer makes a server for the CRDs that the flags name.
func (s *session) newServer(ctx context.Context, f *serveFlags) (*serve.Server, *servedCRDs, error) {
	if len(f.crds) == 0 {
		return nil, nil, run.UsageError("name the CRDs to serve with --crds: files, folders, git revisions, or - for standard input", "run 'crdlift serve --help' for examples")
	}
	if f.untilEOF && len(f.command) > 0 {
		return nil, nil, run.UsageError("--exit-on-eof cannot be used with a command", "leave out --exit-on-eof: the command has the standard input")
	}
	if f.untilEOF && slices.Contains(f.crds, run.Stdin) {
		return nil, nil, run.UsageError("--exit-on-eof cannot be used with CRDs from standard input", "write the CRDs into a file")
	}
	config := serve.Config{Token: f.token, Converter: f.converter}
	for _, name := range f.also {
		version, kind := path.Split(name)
		gv, err := schema.ParseGroupVersion(strings.TrimSuffix(version, "/"))
		if err != nil || version == "" || kind == "" {
			return nil, nil, run.UsageError(fmt.Sprintf("--also %s: write VERSION/KIND or GROUP/VERSION/KIND, such as v1/ConfigMap or apps/v1/Deployment", name), "")
		}
		config.Also = append(config.Also, gv.WithKind(kind))
	}
	if f.token == "" {
		f.token = rand.Text()
		config.Token = f.token
	}
	if f.verbose {
		config.Log = func(method, path string, code int, took time.Duration) {
			s.Note("%s %s %d %s", method, path, code, took.Round(10*time.Microsecond))
		}
	}
	server, err := serve.New(config)
	if err != nil {
		return nil, nil, run.UsageError("--also: "+err.Error(), "")
	}
	crds, err := s.readServed(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	for _, crd := range crds.all {
		if err := server.Define(crd); err != nil {
			return nil, nil, fmt.Errorf("%s cannot be served: %w; run 'crdlift lint' to see why", crd.Name, err)
		}
	}
	return server, crds, nil
}

// servedCRDs are CRDs and the files that they come from.
type servedCRDs struct {
	all   []*apiextensions.CustomResourceDefinition
	files []string
}

// readServed reads the CRDs.
func (s *session) readServed(ctx context.Context, f *serveFlags) (*servedCRDs, error) {
	found, err := s.readDefinitions(ctx, &f.Flags, f.crds)
	switch {
	case err != nil:
		return nil, err
	case len(found.wrong) > 0:
		return nil, found.wrong[0]
	case len(found.all) == 0:
		return nil, run.UsageError("there is no CRD in \""+strings.Join(f.crds, `", "`)+`"`, "name what has the CRDs, such as config/crd/bases or git:v1.2.0:config/crd")
	}
	served := &servedCRDs{files: append(found.files, f.crds...)}
	for _, d := range found.all {
		served.all = append(served.all, d.Hub)
	}
	return served, nil
}

// converter asks the conversion webhook of a CRD.
func (f *serveFlags) converter(hub *apiextensions.CustomResourceDefinition) (func(string, request.Object) (request.Object, error), error) {
	if f.url == "" {
		return func(string, request.Object) (request.Object, error) {
			return nil, fmt.Errorf("a webhook converts the versions of %s, and crdlift serve does not know its address: start it, and name the address with --url", hub.Name)
		}, nil
	}
	client, err := review.New(review.Config{CRD: hub, URL: f.url, Local: true, Insecure: true})
	if err != nil {
		return nil, fmt.Errorf("--url: %w", err)
	}
	return func(to string, o request.Object) (request.Object, error) {
		gv, err := schema.ParseGroupVersion(to)
		if err != nil {
			return nil, err
		}
		answer := client.Convert(context.Background(), "", gv.Version, o)
		if answer.Err != nil {
			return nil, answer.Err
		}
		return answer.Objects[0], nil
	}, nil
}

// announce tells clients where the server is.
func (s *session) announce(f *serveFlags, at *serve.Endpoint, kinds int) error {
	config, err := at.Kubeconfig(f.token)
	if err != nil {
		return err
	}
	if !f.Quiet {
		s.Note("serving %s at %s", text.Count(kinds, "CRD"), at.URL)
	}
	if f.kubeconfig == "" && len(f.command) == 0 {
		_, err = s.Stdout.Write(config)
		return err
	}
	folder := ""
	if f.kubeconfig != "" {
		folder = filepath.Dir(f.kubeconfig)
	}
	file, err := os.CreateTemp(folder, ".crdlift-kubeconfig-") // for nobody else, as it has the token
	if err != nil {
		return fmt.Errorf("--kubeconfig %s cannot be written (%w); name a file in a folder that exists", f.kubeconfig, err)
	}
	_, err = file.Write(config)
	err = errors.Join(err, file.Close())
	if f.kubeconfig == "" {
		f.kubeconfig, f.own = file.Name(), true
		return err
	}
	if err == nil {
		err = os.Rename(file.Name(), f.kubeconfig) // whoever waits for the file finds all of it
	}
	if err != nil {
		return errors.Join(fmt.Errorf("--kubeconfig %s cannot be written (%w); name another file", f.kubeconfig, run.Cause(err)), os.Remove(file.Name()))
	}
	return nil
}

// useServer runs the command, or waits until the server is to end.
func (s *session) useServer(ctx context.Context, f *serveFlags, failed <-chan error) error {
	if len(f.command) > 0 {
		return s.runCommand(ctx, f)
	}
	eof := make(chan struct{})
	if f.untilEOF {
		go func() {
			_, _ = io.Copy(io.Discard, s.Stdin)
			close(eof)
		}()
	}
	select {
	case err := <-failed:
		return err
	case <-eof:
	case <-ctx.Done():
	}
	return nil
}

// runCommand runs the command with the server's kubeconfig. Its exit code is that of crdlift.
func (s *session) runCommand(ctx context.Context, f *serveFlags) error {
	path, err := filepath.Abs(f.kubeconfig)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, f.command[0], f.command[1:]...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Stdin, s.Stdout, s.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil: // somebody has ended both
		s.Worsen(run.ExitTrouble)
		return nil
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		s.Worsen(exit.ExitCode())
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be run (%w); correct the command after --", f.command[0], err)
	}
	return nil
}

// followCRDs serves CRDs whose files change as they are then.
func (s *session) followCRDs(ctx context.Context, f *serveFlags, server *serve.Server, known *servedCRDs) {
	files := watch.New()
	for files.Wait(ctx, known.files) != nil {
		now, err := s.readServed(ctx, f)
		if err != nil {
			s.Note("%v; correct that, since until then the earlier CRDs are served", err)
			continue
		}
		for _, crd := range now.all {
			if slices.ContainsFunc(known.all, func(was *apiextensions.CustomResourceDefinition) bool { return reflect.DeepEqual(was, crd) }) {
				continue
			}
			if err := server.Define(crd); err != nil {
				s.Note("%s is served as it was: %v; correct the CRD, or start crdlift serve again", crd.Name, err)
				continue
			}
			s.Note("%s has changed, and is served with the changes", crd.Name)
		}
		known = now
	}
}
