package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// A FixResult is a file after its fixes.
type FixResult struct {
	Output   []byte          // equal to the input when nothing was fixed
	Findings []*lint.Finding // fixed findings, as they were reported at that time; one fix may resolve several
	Left     *FileReport     // findings of the fixed file
	// GaveUp is the limit that was met where there may be more to fix; "" for none.
	GaveUp string
	// Withheld are the fixes of findings in Left that were tried and not made.
	Withheld []lint.WithheldFix

	mask        *template.MaskedTemplate // of a template in one of its worlds; nil for a manifest
	withheld    []failedFix
	unsafe      bool                     // unsafe fixes are made, too
	wanted      func(*lint.Finding) bool // as Linter.Fixes
	tried, work int                      // attempts, and bytes of text that they looked at
}

// mayFix reports whether a finding is one to fix. The generator would undo what is fixed in the manifest and not in the Go
// types that it is known to be generated from.
func (f *FixResult) mayFix(finding *Finding) bool {
	return finding.Fix != nil && (f.wanted == nil || f.wanted(finding.Finding)) && (finding.Fix.Safe || f.unsafe) && finding.Ignored == "" && !finding.Finding.InGo()
}

// A failedFix is a fix that was not made.
type failedFix struct {
	key fixKey // of its finding
	lint.WithheldFix
}

// mayTry counts an attempt, unless it would be one too many. To find the fixes that do no good takes a look at the whole file for
// each, which is quadratic in a file that is full of them. Some attempts are made in any case, and more only as long as they do not
// amount to too much text.
func (f *FixResult) mayTry() bool {
	if f.tried >= limit.Attempts && f.work+len(f.Output) > limit.FixText {
		f.GaveUp = "fix-attempts"
		return false
	}
	f.tried++
	f.work += len(f.Output)
	return true
}

// fixText is Fix for a manifest or, with a mask, for a template in one of its worlds.
func (l *Linter) fixText(path string, src []byte, mask *template.MaskedTemplate, unsafe bool) *FixResult {
	discreet := *l
	discreet.Kind = l.kind().Discreet(path, src)
	l = &discreet
	plain := discreet
	plain.Edits = false
	out := &FixResult{Output: src, Left: plain.look(path, src, mask), unsafe: unsafe, wanted: l.Fixes, mask: mask}
	bad, suppressing := map[fixKey]bool{}, plain.suppressing()
	for round := 0; ; round++ {
		suppressing.Mark(l.suppressible(out.Left))
		var batch []*Finding
		for _, f := range out.Left.Found {
			if out.mayFix(f) && !bad[keyOf(f)] {
				batch = append(batch, f)
			}
		}
		if out.GaveUp == "" && round == limit.Rounds && len(batch) > 0 {
			out.GaveUp = "fix-rounds"
		}
		if len(batch) == 0 || out.GaveUp != "" {
			break
		}
		// Fixes that reveal errors which the server could not see before are checked less strictly, so they are made
		// last and separately.
		held := slices.DeleteFunc(slices.Clone(batch), func(f *Finding) bool { return f.Fix.Reveals })
		if len(held) > 0 {
			plain.attempt(out, held, bad)
			continue
		}
		before := out.Left
		plain.attempt(out, batch, bad)
		if out.Left != before { // fixes that were not possible beside a misspelt field may be possible now
			clear(bad)
			out.withheld = nil
		}
	}
	out.tellWithheld()
	if l.Edits { // of the findings left, in the text as it is now
		out.Left = l.look(path, out.Output, mask)
	}
	out.Left.release()
	return out
}

// tellWithheld reports the withheld fixes, except those of findings that other fixes resolved.
func (f *FixResult) tellWithheld() {
	left := map[fixKey]bool{}
	for _, finding := range f.Left.Found {
		left[keyOf(finding)] = true
	}
	for _, w := range f.withheld {
		if left[w.key] {
			if w.Why != "" && f.Left.Judge.Conceals() { // it may have text of the file
				w.Why = mask.Withheld
			}
			f.Withheld = append(f.Withheld, w.WithheldFix)
		}
	}
}

// attempt makes a batch of fixes, or the largest part of it that does good, and notes the fixes that do not.
func (l *Linter) attempt(out *FixResult, batch []*Finding, bad map[fixKey]bool) {
	if !out.mayTry() {
		return
	}
	fixed, made, why := apply(out.Left.Path, out.Output, batch)
	if fixed != nil && out.mask != nil {
		if _, err := out.mask.Restore(fixed); err != nil {
			fixed, why = nil, err.Error()
		}
	}
	var revealed *Finding
	if fixed != nil {
		after := l.look(out.Left.Path, fixed, out.mask)
		if revealed = newError(out.Left, after, made); revealed == nil && better(out.Left, after, made) {
			for _, f := range out.fixed(after, made) {
				out.Findings = append(out.Findings, f.Finding)
			}
			out.Output, out.Left = fixed, after
			return
		}
		why = "the finding stays"
	}
	if len(batch) == 1 {
		told := lint.WithheldFix{Finding: batch[0].Finding, Why: why}
		if revealed != nil {
			told.Reveals, told.Why = revealed.Finding, ""
		}
		bad[keyOf(batch[0])] = true
		out.withheld = append(out.withheld, failedFix{keyOf(batch[0]), told})
		return
	}
	before := out.Left
	l.attempt(out, batch[:len(batch)/2], bad)
	if out.Left == before { // else the rest would work on a tree that is gone; the next round finds it again
		l.attempt(out, batch[len(batch)/2:], bad)
	}
}

// fixed returns the findings that fixes removed: those that they were made for, and others to fix that went with these,
// as of a list's item that became valid as a whole. A finding may only have moved, with the item that it is about: of
// each rule no more count than there are fewer findings.
func (f *FixResult) fixed(after *FileReport, made []*Finding) []*Finding {
	fewer, left, fixed := map[ruleKey]int{}, map[fixKey]bool{}, map[*Finding]bool{}
	for _, finding := range f.Left.Found {
		fewer[ruleOf(finding)]++
	}
	for _, finding := range after.Found {
		fewer[ruleOf(finding)]--
		left[keyOf(finding)] = true
	}
	for _, finding := range made {
		fewer[ruleOf(finding)]--
		fixed[finding] = true
	}
	for _, finding := range f.Left.Found {
		if rule := ruleOf(finding); f.mayFix(finding) && !fixed[finding] && !left[keyOf(finding)] && fewer[rule] > 0 {
			fewer[rule]--
			made = append(made, finding)
		}
	}
	return made
}

// apply makes fixes in the tree and returns the text and the fixes that changed something; nil, and the reason, when
// the result cannot be written or nothing changed. It begins at the end of the file, since removing an item from a list
// moves the items after it.
func apply(path string, src []byte, batch []*Finding) (out []byte, made []*Finding, why string) {
	f := manifest.Parse(path, src)
	found := make([]*fixable, len(f.Documents))
	for i, d := range f.Documents {
		if d.Root != nil {
			found[i] = &fixable{root: d.Root.YNode()}
		}
	}
	changed := map[int]bool{} // documents
	for _, finding := range slices.Backward(batch) {
		if found[finding.Document].fix(finding) {
			made = append(made, finding)
			changed[finding.Document] = true
		}
	}
	for _, d := range found {
		d.settle()
	}
	if len(made) == 0 {
		return nil, nil, "there is nothing to change"
	}
	slices.Reverse(made)
	var edits []rewrite.Edit
	for _, d := range f.Documents {
		if !changed[d.Index] { // another one that cannot be written does not matter
			continue
		}
		written, err := rewrite.Of(d).Write(d.Root.YNode())
		switch {
		case err != nil:
			return nil, nil, err.Error()
		case written.Encoded != "":
			return nil, nil, "the whole document would have to be rewritten: " + written.Encoded
		}
		edits = append(edits, written.Edits...)
	}
	out = rewrite.Apply(src, edits)
	if _, err := rewrite.CheckNeighbours(f, out, func(index int) bool { return changed[index] }); err != nil {
		return nil, nil, err.Error()
	}
	return out, made, ""
}
