package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A migration is what a run does that migrates objects.
type migration struct {
	modes  *rewriteModes
	mirror *run.Mirror // nil without --output-dir
}

// newMigrateRun prepares a run: it finds the inputs and the CRDs. It returns nil where there is no CRD.
func (s *session) newMigrateRun(ctx context.Context, f *migrateFlags, paths []string) (*lintRun, error) {
	c, err := f.ReadConfig()
	if err != nil {
		return nil, err
	}
	f.Skip = f.modes.passOver()
	r, err := s.newLintRun(ctx, &f.lintFlags, c, paths)
	if err != nil {
		return nil, err
	}
	r.migration = &migration{modes: &f.modes}
	if r.migration.mirror, err = f.modes.mirror(r.Run); err != nil {
		return nil, err
	}
	by := &rules.Objects{IsPatch: r.PatchesAround()}
	if f.modes.outputDir == "" { // which has all files
		by.Roles = r.Roles.OfObjects()
	}
	if any, err := r.readCRDs(ctx, f.crds, by); err != nil || !any {
		return nil, err
	}
	if err := f.checkNames(by); err != nil {
		return nil, err
	}
	m := &rules.Migrations{
		Context: ctx, Objects: by, To: f.to, From: f.from, Kinds: f.kinds, AllowLoss: f.loss, References: f.references, KeepAnnotations: f.annotations,
	}
	m.Webhook, err = f.webhook(s)
	r.linter.Migrations = m
	return r, err
}

// checkNames rejects versions and kinds that no CRD has: what is misspelt must not look like what is done already.
func (f *migrateFlags) checkNames(by *rules.Objects) error {
	unknown := func(flag, word string, known []string) error {
		return run.UsageError(fmt.Sprintf("--%s: no CRD has the %s", flag, word), "name one of these: "+strings.Join(known, ", "))
	}
	versions := by.Versions()
	group, to, qualified := strings.Cut(f.to, "/")
	switch {
	case !qualified && f.to != rules.MigrateToStorage && !slices.Contains(versions, f.to):
		return unknown("to", "version "+text.Harmless(f.to), versions)
	case qualified && !slices.Contains(by.GroupVersions(), f.to):
		return unknown("to", "version "+text.Harmless(to)+" in the group "+text.Harmless(group), by.GroupVersions())
	}
	for _, version := range f.from {
		if !slices.Contains(versions, version) {
			return unknown("from", "version "+text.Harmless(version), versions)
		}
	}
	kinds := by.Kinds()
	for _, kind := range f.kinds {
		if !slices.ContainsFunc(kinds, func(known string) bool { return strings.EqualFold(known, kind) }) {
			return unknown("kind", "kind "+text.Harmless(kind), kinds)
		}
	}
	return nil
}

// migrate migrates the objects of an input.
func (r *lintRun) migrate(in run.Input, src []byte) (out lintOutcome) {
	out.Input = in
	out.report = r.linter.File(run.Shown(in.Path), src)
	is, carried := src, out.report.Carried
	if carried != nil && carried.Text != nil {
		is, carried.Text = carried.Text, nil // many reports wait for their turn
	}
	if out.text, out.trouble = r.migration.modes.rewrite(r.Run, r.migration.mirror, in, src, is); out.trouble != nil && carried != nil {
		*carried = lint.Carried{}
	}
	return out
}

// tellUnasked says which webhooks were needed and did not respond, and which files were left as they are for that.
func (r *lintRun) tellUnasked() {
	for _, u := range r.linter.Migrations.Unasked() {
		r.Fail(fmt.Errorf("%s: %s: %w%s", u.Path, u.Resource, u.Err, webhookHint(u.Err, "migrate", sentThere)))
	}
	if cut := r.linter.Migrations.Cut(); len(cut) > 0 {
		r.Say("left as they are because the webhook does not respond: %s; run this again when it does", strings.Join(cut, ", "))
	}
}

// tellNothing fails a run whose objects all belong to other CRDs.
func (r *lintRun) tellNothing(c *lint.Carried) {
	left := 0
	for _, n := range c.LeftOut {
		left += n
	}
	if c.NoCRD > 0 && c.Objects+c.Refused+c.There+c.NoTarget+c.Printed+left == 0 && r.Code == 0 {
		r.Fail(fmt.Errorf("nothing was migrated: %s no CRD; name their CRDs with --crds",
			text.Count(c.NoCRD, "custom resource")+" "+text.Verb(c.NoCRD, "has", "have")))
	}
}
