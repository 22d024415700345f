package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/crdlift/crdlift/internal/audit"
	"github.com/crdlift/crdlift/internal/kubectl"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/terminal"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// clusterFlags are the flags of `crdlift audit` that are about a cluster itself.
type clusterFlags struct {
	kubectl, dump, probe bool
	timeout              time.Duration
	commands, printRBAC  bool

	command []string // behind --, or kubectl
}

// addCluster defines the flags.
func (f *clusterFlags) addCluster(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.kubectl, "kubectl", false, "read the cluster now, with the command after -- (default: kubectl)")
	flags.BoolVar(&f.dump, "dump", false, "with --kubectl: only print what was read, for an audit elsewhere")
	flags.BoolVar(&f.probe, "probe", false, "with --kubectl: also call conversion webhooks, for one object at each version")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "`DURATION` with --kubectl: when to give up on a request")
	flags.BoolVar(&f.commands, "commands", false, "print a shell script that rewrites stored objects and their managedFields")
	flags.BoolVar(&f.printRBAC, "print-rbac", false, "print a ClusterRole for what --kubectl reads")
}

// paths are the dumps that arguments name.
func (f *auditFlags) paths(cmd *cobra.Command, args []string) ([]string, error) {
	f.command = []string{"kubectl"}
	n := cmd.ArgsLenAtDash()
	if n >= 0 {
		f.command = args[n:]
		args = args[:n]
	}
	switch {
	case n >= 0 && !f.kubectl && !f.commands:
		return nil, run.UsageError("a command after -- needs --kubectl or --commands", "add one of them, or leave the command out")
	case len(f.command) == 0:
		return nil, run.UsageError("there is no command after --", "write a kubectl with its flags, such as -- kubectl --context NAME")
	case f.kubectl && len(args) > 0:
		return nil, run.UsageError("--kubectl and a DUMP cannot be used together", "use one of them")
	case !f.kubectl && (f.dump || f.probe):
		return nil, run.UsageError("--dump and --probe need --kubectl", "add --kubectl")
	case f.dump && (f.commands || f.printRBAC), f.commands && f.printRBAC:
		return nil, run.UsageError("only one of --dump, --commands and --print-rbac can be used", "leave out the others")
	case f.timeout <= 0:
		return nil, run.UsageError("--timeout must be longer than 0", "write a time such as 30s")
	case len(args) == 0 && !f.kubectl && (!f.printRBAC || len(f.groups) == 0):
		return nil, run.UsageError("'crdlift audit' needs a DUMP", "write one with 'kubectl get crd -o yaml', name - for standard input, or read a cluster with --kubectl")
	}
	for _, group := range f.groups {
		if len(validation.IsDNS1123Subdomain(group)) > 0 {
			return nil, run.UsageError(fmt.Sprintf("--groups: %q is not the name of a group", group), "write names such as apps.example.com")
		}
	}
	return args, nil
}

// auditCluster does what the flags ask: it reads the cluster first if they do. What is read takes the place of standard input.
func (s *session) auditCluster(ctx context.Context, f auditFlags, paths []string) error {
	if f.printRBAC && len(f.groups) > 0 {
		role, err := kubectl.RBAC(f.groups)
		if err == nil {
			_, err = io.WriteString(s.Stdout, role)
		}
		return err
	}
	if !f.kubectl {
		return s.audit(ctx, f, paths)
	}
	spool, unread, err := s.readCluster(ctx, f)
	if err != nil {
		return err
	}
	s.Stdin = spool
	if !f.dump {
		return s.audit(ctx, f, []string{run.Stdin})
	}
	for _, u := range unread {
		s.Note("%s cannot be read (%s), so audits of this dump may miss findings; grant the role of 'crdlift audit --print-rbac'", u.What, u.Why)
	}
	_, err = io.Copy(s.Stdout, spool)
	return err
}

// readCluster reads a cluster into a temporary file.
func (s *session) readCluster(ctx context.Context, f auditFlags) (spool *os.File, unread []audit.Unread, err error) {
	ctx, stop := run.UntilInterrupt(ctx, true)
	defer stop()
	if spool, err = s.Spool(); err != nil {
		return nil, nil, fmt.Errorf("cannot write a temporary file: %w", err)
	}
	progress := terminal.NewProgress(s.Stderr, terminal.Objects, 0)
	defer progress.Clear()
	r := &kubectl.Reader{
		Command: f.command, Groups: f.groups, Namespace: f.namespace, SkipObjects: f.skipObjects || f.printRBAC, Probe: f.probe, Patience: f.timeout,
		Unread: func(what, why string, absent bool) any {
			u := audit.Unread{What: what, Why: why, Absent: absent}
			if !absent {
				unread = append(unread, u)
			}
			return u.Note()
		},
		Note: s.Note, Progress: progress.Reach,
	}
	err = r.Read(ctx, spool)
	return spool, unread, err
}

// printForCluster prints what is asked for in place of findings, and reports whether it has.
func (r *lintRun) printForCluster(f *auditFlags, all *lint.Report) (done bool, err error) {
	asked, printed := r.audited(), ""
	switch {
	case f.printRBAC:
		var groups []string
		for _, d := range asked.CRDs {
			groups = append(groups, d.Hub.Spec.Group)
		}
		printed, err = kubectl.RBAC(groups)
	case f.commands:
		printed, err = plan.Script(r.migrations(all), f.command)
	default:
		return false, nil
	}
	if err != nil {
		return true, err
	}
	_, err = io.WriteString(r.Stdout, printed)
	return true, err
}

// maxRefused is how many objects of a CRD are named that are rejected.
const maxRefused = 20

// migrations are the CRDs of a dump, with what is to be rewritten.
func (r *lintRun) migrations(all *lint.Report) (migrations []plan.Migration) {
	asked := r.audited()
	for _, d := range asked.CRDs {
		m := plan.Migration{CRD: d.Hub}
		for _, by := range asked.Facts.Of(d.Hub).SortedWriters() {
			if by.Version != m.Storage() && !slices.Contains(m.Old, by.Version) {
				m.Old = append(m.Old, by.Version)
			}
		}
		more := 0
		for _, f := range all.Findings {
			if f.Severity != lint.Error || f.Object == nil || !strings.HasPrefix(f.Rule.ID, "object-") || f.Object.Kind != d.Hub.Spec.Names.Kind ||
				!strings.HasPrefix(f.Object.APIVersion, d.Hub.Spec.Group+"/") || slices.Contains(m.Refused, f.Object.Label()) {
				continue
			}
			if m.Refused = append(m.Refused, f.Object.Label()); len(m.Refused) > maxRefused {
				m.Refused = m.Refused[:maxRefused]
				more++
			}
		}
		if more > 0 {
			m.Refused = append(m.Refused, "and "+text.Count(more, "finding")+" about others")
		}
		migrations = append(migrations, m)
	}
	return migrations
}
