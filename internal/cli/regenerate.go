package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"time"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// regenerate runs the generator, given what was written for it, and lints again. If the generator fails, the Go files are
// put back.
func (r *lintRun) regenerate(ctx context.Context, before *lint.Report, fixed *rules.GoFixed) (*lintRun, *lint.Report, error) {
	manifests := contents(before.Findings)
	r.note("running %s", r.flags.regenerate)
	err := r.shell(ctx, r.flags.regenerate)
	if err == nil {
		err = without(manifests)
	}
	if err != nil {
		undone := "the Go files are as they were before; what the command itself changed is as it left it"
		if files := changed(manifests); len(files) > 0 {
			undone += ", such as " + text.And(files[:min(3, len(files))])
		}
		if failed := restoreGo(fixed.Files); failed != nil {
			return r, nil, errors.Join(fmt.Errorf("--regenerate: %w", err), failed)
		}
		return r, nil, fmt.Errorf("--regenerate: %w; %s", err, undone)
	}
	r.old.close()
	flags := r.flags
	flags.fix, flags.fixGo = false, false
	again, err := r.newLintRun(ctx, flags, r.given)
	if err != nil {
		return r, nil, err
	}
	again.fixed, again.rewrote = r.fixed, r.rewrote
	after, err := again.lint(ctx)
	if err != nil {
		return again, nil, err
	}
	if !r.flags.quiet {
		again.tellChange(before, after, fixed, manifests)
	}
	return again, after, nil
}

// graceTime is how long a command may take to end after an interrupt.
const graceTime = 10 * time.Second

// shell runs a command of the shell in the working directory. What it prints goes to standard error.
func (r *lintRun) shell(ctx context.Context, command string) error {
	name, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		name, flag = "cmd", "/C"
	}
	cmd := exec.CommandContext(ctx, name, flag, command)
	cmd.Stdout, cmd.Stderr = r.stderr, r.stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = graceTime
	return cmd.Run()
}

// A findingKey finds a finding again after the manifest was generated anew.
type findingKey struct{ file, resource, rule, path string }

func keyOf(f *lint.Finding) findingKey { return findingKey{f.Pos.File, f.Resource, f.Rule.ID, f.Path} }

// notIn returns the findings that another report lacks, those that are ignored apart.
func notIn(findings, other []*lint.Finding) (all []*lint.Finding) {
	left := map[findingKey]int{}
	for _, f := range other {
		if f.Ignored == "" {
			left[keyOf(f)]++
		}
	}
	for _, f := range findings {
		if f.Ignored != "" {
			continue
		}
		if left[keyOf(f)]--; left[keyOf(f)] < 0 {
			all = append(all, f)
		}
	}
	return all
}

// tellChange says which findings are gone since the generator ran, which stayed although their markers were written, and
// which are new. The manifests are as they were before.
func (r *lintRun) tellChange(before, after *lint.Report, fixed *rules.GoFixed, manifests map[string][]byte) {
	gone, added := notIn(before.Findings, after.Findings), notIn(after.Findings, before.Findings)
	stayed := slices.DeleteFunc(slices.Clone(fixed.Findings), func(f *lint.Finding) bool { return slices.Contains(gone, f) })
	r.say("%s gone, %d stayed although %s markers were written, %d new", text.Count(len(gone), "finding"), len(stayed), text.Verb(len(stayed), "its", "their"), len(added))
	for _, f := range gone {
		r.say("  gone: %s", placed(f))
	}
	for _, f := range stayed {
		r.say("  stayed: %s: %s", placed(f), whyStayed(f, after, manifests[f.Pos.File]))
	}
	for _, f := range added {
		r.say("  new: %s", placed(f))
	}
}

// placed names a finding by its place.
func placed(f *lint.Finding) string {
	return fmt.Sprintf("%s:%d %s [%s]", f.Pos.File, f.Pos.Line, f.Path, f.Rule.ID)
}

// whyStayed says why the markers for a finding did not help, given the manifest as it was before.
func whyStayed(f *lint.Finding, after *lint.Report, manifest []byte) string {
	now, err := os.ReadFile(f.Pos.File)
	i := slices.IndexFunc(after.Findings, func(other *lint.Finding) bool { return keyOf(other) == keyOf(f) })
	switch {
	case err == nil && bytes.Equal(now, manifest):
		return "the command did not change this file"
	case i >= 0 && after.Findings[i].Origin != nil && after.Findings[i].Origin.Confidence == lint.StaleOrigin:
		return "the manifest and its Go types differ here"
	}
	return "the command did not write what the markers say, or more has to change"
}

// without returns an error if a manifest that was there has no CRD any more: findings that went with it were not fixed.
func without(manifests map[string][]byte) error {
	for _, path := range slices.Sorted(maps.Keys(manifests)) {
		now, err := os.ReadFile(path)
		if was := manifests[path]; crd.MayHold(was) && (err != nil || !crd.MayHold(now)) {
			return fmt.Errorf("%s has no CRD any more", path)
		}
	}
	return nil
}

// changed returns the manifests that are not as they were.
func changed(manifests map[string][]byte) (files []string) {
	for _, path := range slices.Sorted(maps.Keys(manifests)) {
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, manifests[path]) {
			files = append(files, path)
		}
	}
	return files
}

// contents are the files that findings are in.
func contents(findings []*lint.Finding) map[string][]byte {
	all := map[string][]byte{}
	for _, f := range findings {
		if _, known := all[f.Pos.File]; !known {
			all[f.Pos.File], _ = os.ReadFile(f.Pos.File) // one that cannot be read has changed
		}
	}
	return all
}
