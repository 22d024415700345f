package behaviour

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// A Promise is a conversion's statement about behaviour. The zero Promise is the exact policy's: nothing changes but
// the Differences.
type Promise struct {
	// Before, when not nil, changes an object, in place, into one that the old CRD treats as the new one treats the
	// object.
	Before func(object map[string]any, old, new *request.Version)
	// Loosened is true if the new CRD may accept objects that the old one rejects.
	Loosened bool
	// Tightened, when not nil, reports whether the new CRD may reject an object that the old one accepts.
	Tightened func(object map[string]any, old, new *request.Version) bool
}

// A Report is what Check found.
type Report struct {
	Samples    int            // objects compared
	Accepted   int            // of which the old CRD accepts this many
	Nodes      int            // schema nodes, over all versions
	Reached    int            // of which this many had a value in an object that the old CRD accepts
	Applied    map[string]int // objects that fell under a Difference, by its name
	Failures   []string       // at most a few; empty when the promise is kept
	Marks      int            // marks that the new CRD has and the old one has not
	Seen       int            // of which this many change the outcome for some object when removed alone
	Structural int            // further ones without which the CRD itself is rejected, as the node has no type
	Unseen     []string       // the others, as version and path
}

// Add adds another report's figures.
func (r *Report) Add(other Report) {
	r.Samples += other.Samples
	r.Accepted += other.Accepted
	r.Nodes += other.Nodes
	r.Reached += other.Reached
	r.Marks += other.Marks
	r.Seen += other.Seen
	r.Structural += other.Structural
	r.Failures = append(r.Failures, other.Failures...)
	r.Unseen = append(r.Unseen, other.Unseen...)
	for name, n := range other.Applied {
		r.applied(name, n)
	}
}

func (r *Report) applied(name string, n int) {
	if r.Applied == nil {
		r.Applied = map[string]int{}
	}
	r.Applied[name] += n
}

// enough failures say what is wrong.
const enough = 5

// Check compares what the API server does with custom resources under the old and the new CRD, for every version. The
// new CRD must be one that the server takes; its marks are removed and put back meanwhile.
func Check(old, new *request.Server, promise Promise, seed uint64) Report {
	var r Report
	if !slices.Equal(old.Versions(), new.Versions()) {
		r.Failures = append(r.Failures, fmt.Sprintf("versions %v became %v", old.Versions(), new.Versions()))
		return r
	}
	for i, name := range old.Versions() {
		c := checker{old: old, new: new, promise: promise, version: name, report: &r}
		c.generator = NewGenerator(old, name, seed)
		// Versions that share a schema are the same up to storage, which whole objects show.
		again := slices.ContainsFunc(old.Versions()[:i], func(earlier string) bool {
			return same(old, earlier, name) && same(new, earlier, name)
		})
		c.check(again)
	}
	return r
}

func same(s *request.Server, a, b string) bool {
	x, y := s.Version(a), s.Version(b)
	return x.HasStatus() == y.HasStatus() && reflect.DeepEqual(x.Schema, y.Schema)
}

type checker struct {
	old, new  *request.Server
	promise   Promise
	version   string
	generator *Generator
	report    *Report
}

func (c checker) check(wholeOnly bool) {
	for _, sample := range c.generator.Whole(24) {
		c.compare(sample)
	}
	if wholeOnly {
		return
	}
	marked := map[string]bool{}
	var marks []Path
	for _, mark := range marksOf(c.new.Version(c.version)) {
		if s, ok := structuralAt(c.old.Version(c.version), mark); ok && s.XPreserveUnknownFields {
			continue
		}
		marked[mark.String()] = true
		marks = append(marks, mark)
	}
	for _, node := range c.generator.Nodes(marks...) {
		samples, reached := c.generator.Node(node)
		c.report.Nodes++
		if reached {
			c.report.Reached++
		}
		var accepted []Sample
		var outcomes []Outcome
		for _, sample := range samples {
			if was, ok := c.compare(sample); ok && was.Accepted() {
				accepted = append(accepted, sample)
				outcomes = append(outcomes, was)
			}
		}
		if marked[node.String()] {
			c.remove(node, accepted, outcomes)
		}
		if len(c.report.Failures) >= enough {
			return
		}
	}
}

// compare tries one object under both CRDs. It is the old CRD's outcome, and whether the new one's is the same.
func (c checker) compare(sample Sample) (Outcome, bool) {
	c.report.Samples++
	was := Show(c.old.Version(c.version), sample.Node, sample.Object)
	is := Show(c.new.Version(c.version), sample.Node, sample.Object)
	if was.Accepted() {
		c.report.Accepted++
	}
	if alike(was, is) {
		return was, true
	}
	oldVersion, newVersion := c.old.Version(c.version), c.new.Version(c.version)
	before := runtime.DeepCopyJSON(sample.Object)
	if c.promise.Before != nil {
		c.promise.Before(before, oldVersion, newVersion)
	}
	normal, applied := Normal(before, oldVersion)
	expected := Show(c.old.Version(c.version), sample.Node, normal)
	if !alike(expected, is) && expected.Accepted() && c.version != c.old.Storage().Name {
		if again := again(c.new.Storage(), expected.Stored); alike(again, is) {
			expected, applied = again, append(applied, OtherVersion)
		}
	}
	switch {
	case alike(expected, is):
		for _, name := range applied {
			c.report.applied(name, 1)
		}
		return was, false
	case c.promise.Loosened && !expected.Accepted():
		return was, false
	case c.promise.Tightened != nil && !is.Accepted() && c.promise.Tightened(sample.Object, oldVersion, newVersion):
		return was, false
	}
	c.fail(sample, expected, is)
	return was, false
}

func alike(a, b Outcome) bool {
	return a.Accepted() == b.Accepted() && reflect.DeepEqual(a.Stored, b.Stored)
}

func (c checker) fail(sample Sample, expected, is Outcome) {
	if len(c.report.Failures) >= enough {
		return
	}
	c.report.Failures = append(c.report.Failures, fmt.Sprintf("version %s, node %s, %s:\nobject:\n%sshould be %s\nbut is %s",
		c.version, sample.Node, sample.About, text(sample.Object), describe(expected), describe(is)))
}

func describe(o Outcome) string {
	if o.Accepted() {
		return "stored as:\n" + text(o.Stored)
	}
	return o.String() + "\n"
}

func text(object map[string]any) string {
	b, err := yaml.Marshal(object)
	if err != nil {
		return err.Error()
	}
	return "  " + strings.ReplaceAll(strings.TrimSuffix(string(b), "\n"), "\n", "\n  ") + "\n"
}

// remove tries the node's objects without its mark.
func (c checker) remove(mark Path, samples []Sample, outcomes []Outcome) {
	c.report.Marks++
	version := c.new.Version(c.version)
	restore := unmark(version, mark)
	defer restore()
	for _, likely := range []bool{true, false} {
		for i, sample := range samples {
			if likely != (strings.Contains(sample.About, Unknown) || strings.Contains(sample.About, "list of")) {
				continue
			}
			if !alike(outcomes[i], Show(c.new.Version(c.version), sample.Node, sample.Object)) {
				c.report.Seen++
				return
			}
		}
	}
	if s, _ := structuralAt(version, mark); s.Type == "" && !s.XIntOrString {
		c.report.Structural++
		return
	}
	c.report.Unseen = append(c.report.Unseen, c.version+" "+mark.String())
}
