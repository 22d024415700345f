package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/terminal"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

func webhookCommand(s *session) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "webhook",
		Short: "Test conversion webhooks",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			return run.UsageError("'crdlift webhook' does nothing by itself", "run 'crdlift webhook test', which 'crdlift webhook test --help' describes")
		},
	}
	cmd.AddCommand(webhookTestCommand(s))
	return cmd
}

func webhookTestCommand(s *session) *cobra.Command {
	f := webhookFlags{lintFlags: lintFlags{Flags: run.Flags{About: run.AboutConversions, GoTypes: run.GoOff, Unasked: map[string]string{}}}}
	f.caution = mayStop
	cmd := &cobra.Command{
		Use:   "test [flags] CRD... [-- COMMAND...]",
		Short: "Find what a conversion webhook rejects, loses or converts wrongly",
		RunE: func(cmd *cobra.Command, args []string) error {
			paths := f.divide(cmd, args)
			f.again = f.replayCommand(cmd.Flags(), paths)
			return s.testWebhook(cmd.Context(), f, paths)
		},
	}
	f.addWebhook(cmd)
	return cmd
}

// testWebhook tests the conversion of CRDs.
func (s *session) testWebhook(ctx context.Context, f webhookFlags, paths []string) error {
	if err := f.check(paths); err != nil {
		return err
	}
	ctx, stop := run.UntilInterrupt(ctx, true)
	defer stop()
	c, err := f.ReadConfig()
	if err != nil {
		return err
	}
	r, err := s.newLintRun(ctx, &f.lintFlags, c, paths)
	if err != nil {
		return err
	}
	conversions, err := s.conversions(f)
	if err != nil {
		return err
	}
	if err := s.readCases(f, conversions); err != nil {
		return err
	}
	end := f.serve(ctx, s)
	if end == nil {
		return nil
	}
	defer end()
	conversions.Context = ctx
	r.Alone, r.Progress = true, terminal.NewProgress(s.Stderr, terminal.Objects, 0)
	conversions.Progress = func(_ string, done, all int) { r.Progress.Reach(done, all) }
	if r.Progress == nil {
		conversions.Progress = nowAndThen(patience, r.Note)
	}
	conversions.Save = f.saver(r.Run)
	r.linter.Conversions = conversions
	all, err := r.lint(ctx)
	if err != nil {
		return err
	}
	r.tellTests(all, conversions, f.replay != "")
	return r.finish(all)
}

// patience is how long a log may stay without a word.
const patience = 20 * time.Second

// nowAndThen tells how far a test is where no terminal shows that.
func nowAndThen(patience time.Duration, note func(format string, args ...any)) func(resource string, done, all int) {
	last := time.Now()
	return func(resource string, done, all int) {
		if time.Since(last) < patience {
			return
		}
		last = time.Now()
		if done == 0 {
			note("%s: none of %s tried yet", resource, text.Count(all, "object"))
			return
		}
		note("%s: %d of %s tried", resource, done, text.Count(all, "object"))
	}
}

// tellTests says of each CRD what was tried, or why nothing was.
func (r *lintRun) tellTests(all *lint.Report, made *rules.Conversions, replay bool) {
	samples := 0
	for _, t := range made.Tests() {
		samples += t.Samples
		for _, note := range t.Notes {
			r.Note("%s: %s: %s", t.Path, t.Resource, text.Harmless(note))
		}
		switch {
		case t.PassedOver:
		case t.Err == nil:
			r.Note("%s", measured(t))
		case errors.Is(t.Err, context.Canceled):
			r.Fail(fmt.Errorf("interrupted while %s was tested", t.Resource))
		default:
			r.tellUntested(t)
		}
	}
	if made.Given() > 0 && samples == 0 && all.Conversions.Tested > 0 {
		r.Note("--samples: no CRD that was tested defines any of the %s", text.Count(made.Given(), "object"))
	}
	if all.Conversions.Tested == 0 && r.Code == 0 && !r.flags.AllowEmpty && !failing(all, r.flags.FailOn) {
		r.Fail(fmt.Errorf("nothing was tested: %s", nothingTested(all, made, replay)))
	}
}

// nothingTested says why, and what to do.
func nothingTested(all *lint.Report, made *rules.Conversions, replay bool) string {
	const others = "; name CRDs with several versions that a webhook converts"
	for _, t := range made.Tests() {
		switch {
		case t.PassedOver || t.Err != nil:
		case replay:
			return fmt.Sprintf("no case of %s can be replayed; run the test without --replay", t.Resource)
		default:
			return fmt.Sprintf("there is no object of %s to convert; name some that it accepts with --samples, or make some with --count", t.Resource)
		}
	}
	if over := all.Conversions.PassedOver; over > 0 {
		return fmt.Sprintf("of %s, none has versions that are converted", text.Count(over, "CRD")) + others
	}
	return "no CRD can be tested" + others
}

// measured is what was tried of a CRD, and how long it took. It is different each time, and not for standard output.
func measured(t rules.ConversionTest) string {
	said := fmt.Sprintf("tested %s: %s, %s, %s, %s", t.Resource, text.Count(t.Versions, "version"), text.Count(t.Pairs, "version pair"),
		text.Count(t.Objects, "object"), text.Count(t.Requests, "request"))
	if t.Median > 0 {
		said += fmt.Sprintf("; latency p50 %s, p99 %s", short(t.Median), short(t.P99))
	}
	return said
}

// tellUntested says why a CRD was not tested.
func (r *lintRun) tellUntested(t rules.ConversionTest) {
	at := t.Path + ": " + t.Resource
	if errors.Is(t.Err, rules.ErrUnreachable) || errors.Is(t.Err, rules.ErrNoWebhook) {
		r.Fail(fmt.Errorf("%s: %w%s", at, t.Err, webhookHint(t.Err, "webhook test", mayStop)))
	} else {
		r.Say("crdlift: %s: not tested: %v", at, t.Err)
		r.Worsen(run.ExitFindings)
	}
}

// mayStop is what to know of the test before a webhook of another machine is tested.
const mayStop = "the test may stop a webhook, so do not name one that a cluster needs"

// webhookHint is the end of an error about a webhook that cannot be reached: what a user of a command is to do; "" of other errors.
func webhookHint(err error, command, caution string) string {
	switch said := err.Error(); {
	case !errors.Is(err, rules.ErrUnreachable):
		return ""
	case strings.Contains(said, "x509: "):
		return "; name the certificate to trust with --ca-file, or trust any with --insecure-skip-tls-verify"
	case strings.Contains(said, "not an address of this machine"):
		return "; allow addresses of other machines with --allow-remote; " + caution
	}
	return "; start the webhook first, or let crdlift start it: crdlift " + command + " … -- COMMAND"
}
