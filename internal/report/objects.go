package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// maxKinds bounds how many kinds a summary names.
const maxKinds = 5

// objectSummary is Summary for a run that judges custom resources: "2 errors in 1 of 6 objects (Database 4, Backup 2), 1 not
// judged; 3 documents passed over: 2 built in, 1 Certificate without CRD".
func objectSummary(r *lint.Report) string {
	o := r.Objects
	if o.Upgrade {
		return upgradeSummary(r)
	}
	summary := found(r)
	if n := o.Len(); n == 0 {
		summary += "; checked no objects"
	} else if flawed := flawedObjects(r); flawed > 0 {
		summary += fmt.Sprintf(" in %d of %s (%s)", flawed, text.Count(n, "object"), kindsOf(o))
	} else {
		summary += fmt.Sprintf(" in %s (%s)", text.Count(n, "object"), kindsOf(o))
	}
	if n := o.Count(lint.Unjudged); n > 0 {
		summary += fmt.Sprintf(", %d not checked", n)
	}
	if o.Unread > 0 {
		summary += fmt.Sprintf(", %d not read", o.Unread)
	}
	if n := o.Uncompared(); n > 0 {
		summary += fmt.Sprintf(", %d not compared", n)
	}
	return summary + leftOut(r)
}

// leftOut is the end of a summary, which says what was passed over.
func leftOut(r *lint.Report) (rest string) {
	if n := r.Objects.PassedOver() + r.Others; n > 0 {
		rest += fmt.Sprintf("; %s skipped: %s", text.Count(n, "document"), strings.Join(passedOver(r), ", "))
	}
	if templates := Templates(r.Templates); len(templates) > 0 {
		rest += "; skipped " + text.And(templates)
	}
	return rest
}

// verdictWords are how a summary counts the objects of a verdict.
var verdictWords = map[string]string{
	lint.Stuck: "stuck forever", lint.StatusRefused: "with a status that cannot be written", lint.Unreadable: "unreadable",
	lint.Unappliable: "rejected by server-side apply", lint.LosesFields: "lose fields", lint.RefusedWhenChanged: "rejected when changed", lint.Unjudged: "not compared",
	lint.RefusedOnCreate: "rejected if created again", lint.GetsDefaults: "with new defaults",
	lint.ConvertedByWebhook: "as far as is known without the webhook",
}

// harm and noHarm are the verdicts on objects that do not survive, and on those that do and of which there is more to say.
var (
	harm   = []string{lint.Stuck, lint.StatusRefused, lint.Unreadable, lint.Unappliable, lint.LosesFields, lint.RefusedWhenChanged, lint.Unjudged}
	noHarm = []string{lint.RefusedOnCreate, lint.GetsDefaults, lint.ConvertedByWebhook}
)

// upgradeSummary is Summary for a run that says what becomes of objects when their CRD is replaced: "12 objects (Database 12): 9
// survive (4 with new defaults), 2 stuck forever, 1 loses fields; 3 documents passed over: 3 built in". Each is counted once,
// for the worst.
func upgradeSummary(r *lint.Report) string {
	o := r.Objects
	if o.Len() == 0 {
		return "compared no objects" + leftOut(r)
	}
	return fmt.Sprintf("%s (%s): %s", text.Count(o.Len(), "object"), kindsOf(o), strings.Join(Foreseen(o.Count), ", ")) + leftOut(r)
}

// Foreseen says how many objects there are of each verdict of a run that replaces CRDs: "9 survive (4 with new defaults)", "2 stuck
// forever".
func Foreseen(count func(verdict string) int) []string {
	survive := count(lint.Survives)
	for _, verdict := range noHarm {
		survive += count(verdict)
	}
	parts := []string{fmt.Sprintf("%d %s", survive, text.Verb(survive, "survives", "survive"))}
	if more := counted(count, noHarm); len(more) > 0 {
		parts[0] += " (" + strings.Join(more, ", ") + ")"
	}
	return append(parts, counted(count, harm)...)
}

// counted counts the objects of some verdicts, if there are any.
func counted(count func(verdict string) int, verdicts []string) (parts []string) {
	for _, verdict := range verdicts {
		n, words := count(verdict), verdictWords[verdict]
		if verdict == lint.LosesFields {
			words = text.Verb(n, "loses fields", words)
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words))
		}
	}
	return parts
}

// flawedObjects counts the objects that findings are about.
func flawedObjects(r *lint.Report) int {
	flawed := map[*lint.Object]bool{}
	for _, f := range active(r) {
		if f.Object != nil {
			flawed[f.Object] = true
		}
	}
	n := len(flawed)
	for _, counted := range r.Objects.Counted {
		n += counted
	}
	return n
}

// kindsOf counts objects by kind, the most frequent first.
func kindsOf(o *lint.Objects) string {
	counts := map[string]int{}
	for _, alike := range o.Alike {
		counts[alike.Kind] += alike.Count
	}
	return strings.Join(byCount(counts, func(kind string, n int) string { return fmt.Sprintf("%s %d", text.Value(kind).Brief(), n) }), ", ")
}

// passedOver says why documents are.
func passedOver(r *lint.Report) (parts []string) {
	o := r.Objects
	if o.BuiltIn > 0 {
		parts = append(parts, fmt.Sprintf("%d built in", o.BuiltIn))
	}
	if o.Partial > 0 {
		parts = append(parts, text.Count(o.Partial, "part")+" of objects")
	}
	if o.LeftOut > 0 {
		parts = append(parts, fmt.Sprintf("%d of tests and older releases (--all-files checks %s)", o.LeftOut, text.Verb(o.LeftOut, "it", "them")))
	}
	parts = append(parts, byCount(o.WithoutCRD, func(kind string, n int) string {
		return fmt.Sprintf("%d %s without CRD", n, text.Value(kind).Brief())
	})...)
	if r.Others > 0 {
		parts = append(parts, Others(r.Others, r.Broken))
	}
	return parts
}

// byCount puts counts of kinds into words, the largest first. Those beyond the first few are counted as others.
func byCount(counts map[string]int, say func(kind string, n int) string) (parts []string) {
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	for _, kind := range kinds[:min(len(kinds), maxKinds)] {
		parts = append(parts, say(kind, counts[kind]))
	}
	rest := 0
	for _, kind := range kinds[len(parts):] {
		rest += counts[kind]
	}
	if rest > 0 {
		parts = append(parts, say("others", rest))
	}
	return parts
}

const (
	// AllPlaces are more places than there are.
	AllPlaces = -1
	// DumpPlaces are enough of a cluster's objects to see what is wrong: there may be thousands.
	DumpPlaces = 3
)

// places is how many places of findings like one are named; AllPlaces for one that is told by itself.
func (o Options) places(r *lint.Report, f *lint.Finding) int {
	switch {
	case f.Object == nil || o.Places == 0 && (r.Objects == nil || !r.Objects.Dumps[f.Pos.File]):
		return AllPlaces
	case o.Places == 0:
		return DumpPlaces
	}
	return o.Places
}

// told are the findings as text tells them: those that are folded and, where places are limited, those that a rule reports of
// several objects for the same place in the CRD.
func (o Options) told(r *lint.Report) (all []group) {
	type likeness struct {
		alone *lint.Finding
		lint.Likeness
	}
	like := func(g group) likeness {
		f := g[0]
		if o.places(r, f) == AllPlaces {
			return likeness{alone: f}
		}
		like := f.Likeness()
		like.Operation = o.request(f)
		return likeness{nil, like}
	}
	for _, same := range ordered.Grouped(folded(active(r)), like) {
		all = append(all, slices.Concat(same...))
	}
	if r.Objects != nil && r.Objects.Audit {
		return byCRD(all)
	}
	if r.Objects != nil && r.Objects.Upgrade { // of many objects, the worst first
		slices.SortStableFunc(all, func(a, b group) int { return int(b[0].Severity - a[0].Severity) })
	}
	return all
}

// byCRD orders findings about a cluster by their CRDs, the CRD with the gravest first, and those of a CRD by severity.
func byCRD(all []group) []group {
	worst := map[string]lint.Severity{}
	for _, g := range all {
		worst[g[0].Resource] = max(worst[g[0].Resource], g[0].Severity)
	}
	slices.SortStableFunc(all, func(a, b group) int {
		f, other := a[0], b[0]
		return cmp.Or(int(worst[other.Resource]-worst[f.Resource]), cmp.Compare(f.Resource, other.Resource), int(other.Severity-f.Severity))
	})
	return all
}

// requests are what text calls the operations of clients.
var requests = map[string]string{"create": "a create", "update": "an update", "status": "a status update", "scale": "a scale update"}

// request is the end of a message that names the request; "" where none is to be named, or none was made.
func (o Options) request(f *lint.Finding) string {
	if name := requests[f.Operation]; o.Requests && name != "" {
		return " (on " + name + ")"
	}
	return ""
}

// otherObjects names the first of the other places of findings that are told together; "" where there is none to name.
func (o Options) otherObjects(g group) string {
	limit := cmp.Or(o.Places, DumpPlaces)
	if g[0].Object == nil || g.count() == 1 || limit <= 1 {
		return ""
	}
	var others []string
	for _, f := range g[1:min(len(g), limit)] {
		others = append(others, text.Harmless(briefAbout(f))+" ("+where(f.Pos)+")")
	}
	if more := g.count() - min(len(g), limit); more > 0 {
		others = append(others, fmt.Sprintf("%d more", more))
	}
	return "also " + text.And(others)
}
