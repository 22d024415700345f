package rules

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	v121 "github.com/crdlift/crdlift/internal/testing/v121"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
)

// The tests of this file prove that the linter and the API server are of one mind. Of every CRD: the linter has a
// finding with RefusedBy exactly when the server rejects it; each of the server's errors is told by a finding of the
// rule that it belongs to; and no finding says RefusedBy without an error of its rule, one that the server has now or
// will have when the others are mended. What internal/apiserver says is
// upstream's own code for v1, and for v1beta1 proven against v0.21.14.

// forDecoding and forUnknownFields are the rules about manifests that the server cannot read, and about fields that
// strict decoding rejects.
var (
	forDecoding      = []string{"wrong-type", "webhook-cabundle-invalid", "deprecated-api-version"}
	forUnknownFields = []string{"unknown-field", "v1beta1-field-in-v1", "schema-wrapper-missing"}
)

// tellers are the rules that tell a mistake for which the server has an error of another rule, too.
var tellers = map[string][]string{
	"schema-type-missing":                 {"schema-int-or-string-missing", "schema-type-meta"},
	"schema-junctor-forbidden-field":      {"schema-int-or-string-missing", "schema-type-invalid"},
	"schema-junctor-incomplete":           {"schema-junctor-metadata"},
	"schema-list-map-keys":                {"schema-list-type-invalid", "schema-junctor-forbidden-field"},
	"default-violates-cel":                {"cel-compile-error"},
	"names-singular-invalid":              {"names-kind-invalid"},
	"names-listkind-invalid":              {"names-kind-invalid"},
	"schema-required":                     {"schema-wrapper-missing", "v1beta1-field-in-v1"},
	"storage-version-count":               {"v1beta1-field-in-v1"},
	"printer-column-required":             {"v1beta1-field-in-v1"},
	"webhook-config-required":             {"v1beta1-field-in-v1"},
	"schema-root-forbidden-with-status":   {"schema-root-type", "schema-type-invalid"},
	"schema-list-type-invalid":            {"schema-junctor-forbidden-field", "schema-type-invalid"},
	"schema-map-type-invalid":             {"schema-junctor-forbidden-field", "schema-type-invalid"},
	"schema-embedded-resource":            {"schema-type-invalid"},
	"schema-root-type":                    {"schema-type-invalid"},
	"conversion-webhook-preserve-unknown": {"conversion-strategy-invalid"},
	"preserve-unknown-fields-true":        {"default-requires-pruning"},
}

// An agreement counts what was compared.
type agreement struct {
	mu                          sync.Mutex
	compared, refused, disagree int
	reached                     map[string]int // rules, by the number of CRDs rejected for them
	differences                 map[string]int // kinds of disagreement
	told                        int
}

// compare lints a CRD that stands alone in a file, and asks the server.
func (a *agreement) compare(t *testing.T, l *engine.Linter, name string, src []byte, c *crd.CRD) {
	t.Helper()
	report := l.Report([]*engine.FileReport{l.File("crd.yaml", src)})
	wanted, optional := serverRules(c)
	said := map[string]bool{}
	for _, f := range report.Findings {
		if f.RefusedBy != "" {
			said[f.Rule.ID] = true
			if f.RefusedBy != string(c.Version) {
				t.Errorf("%s: %s says it is rejected by %s", name, f.Rule.ID, f.RefusedBy)
			}
		}
	}
	var differ []string
	if refused := len(wanted)+len(optional) > 0; refused != (len(said) > 0) {
		differ = append(differ, fmt.Sprintf("verdict: rejected %t, the linter says %t", refused, len(said) > 0))
	}
	if c.IsPart() || said[engine.PlaceholderRule.ID] {
		wanted, optional = nil, said // it is rejected for what it lacks, and not looked at further
	}
	for rule := range wanted {
		if !said[rule] && !slices.ContainsFunc(tellers[rule], func(teller string) bool { return said[teller] }) {
			differ = append(differ, "not told: "+rule)
		}
	}
	for rule := range said {
		if !wanted[rule] && !optional[rule] && rule != "schema-int-or-string-missing" { // which the server has no word for
			differ = append(differ, "told, but not by the server: "+rule)
		}
	}
	if _, err := c.Decode(); err != nil && wanted != nil && !slices.ContainsFunc(forDecoding, func(rule string) bool { return said[rule] }) {
		differ = append(differ, "not told: it cannot be decoded")
	}
	if said[engine.UnmatchedRule] {
		differ = append(differ, "passed on in upstream's words")
	}
	a.add(t, name, said, differ)
}

func (a *agreement) add(t *testing.T, name string, said map[string]bool, differ []string) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reached == nil {
		a.reached, a.differences = map[string]int{}, map[string]int{}
	}
	a.compared++
	if len(said) > 0 {
		a.refused++
	}
	for rule := range said {
		a.reached[rule]++
	}
	if len(differ) == 0 {
		return
	}
	a.disagree++
	slices.Sort(differ)
	for _, d := range differ {
		a.differences[d]++
	}
	if a.told++; a.told <= 20 {
		t.Errorf("%s: %s", name, strings.Join(differ, "; "))
	}
}

// serverRules are the rules that the API server rejects a CRD for: of the wanted ones each must be told, of the optional
// ones some.
func serverRules(c *crd.CRD) (wanted, optional map[string]bool) {
	wanted, optional = map[string]bool{}, map[string]bool{}
	d, err := c.Decode()
	if err != nil {
		for _, rule := range slices.Concat(forDecoding, forUnknownFields) { // the server stops before it sees unknown fields
			optional[rule] = true
		}
		if m := c.Mend(); m != nil { // what it would say of the rest
			d, _ := m.Decode()
			foresee(d, c.Version, optional)
		}
		return wanted, optional
	}
	if c.Version == crd.V1 && strictly(d.Strict) {
		for _, rule := range forUnknownFields {
			optional[rule] = true
		}
	}
	verdict := foresee(d, c.Version, optional)
	for _, err := range verdict.Errors {
		if rule := apiserver.RuleOf(err); rule == "default-invalid" && followsFromType(c, err) {
			optional[rule] = true // schema-type-invalid tells it
			continue
		}
		wanted[apiserver.RuleOf(err)] = true
		delete(optional, apiserver.RuleOf(err))
	}
	if r := c.Respell(func(u crd.UnknownField) string { return crds.Misspelt(c, u) }); r != nil && strictly(d.Strict) {
		// what it would say if no field were misspelt; what it only says as they are is told by the rule about those
		still, later := serverRules(r.CRD)
		for rule := range wanted {
			optional[rule] = true
		}
		maps.DeleteFunc(wanted, func(rule string, _ bool) bool { return !still[rule] })
		maps.Copy(optional, still)
		maps.Copy(optional, later)
		maps.DeleteFunc(optional, func(rule string, _ bool) bool { return wanted[rule] })
	}
	if mismatch := "metadata-name-mismatch"; wanted[mismatch] && (d.Hub.Spec.Group == "" || d.Hub.Spec.Names.Plural == "") {
		optional[mismatch] = true // one mistake, and the rule about the group or the plural tells it
		delete(wanted, mismatch)
	}
	if g, _ := c.Generator(""); g.FromGo() && d.Hub.Spec.Group == "" {
		maps.Copy(optional, wanted) // the package has no group: the rule about that tells of it alone
		wanted = map[string]bool{"group-invalid": true}
	}
	return wanted, optional
}

// followsFromType reports whether an error only says that a default is not of a type that does not exist, or not of the
// format beside one.
func followsFromType(c *crd.CRD, err *field.Error) bool {
	if c.Version != crd.V1 || err.Type != field.ErrorTypeTypeInvalid {
		return false
	}
	path, _ := crds.CutDefault(err.Field)
	s, _ := c.LocateSchema(path)
	if s == nil {
		return false
	}
	for s := range s.All() {
		if s.Type() == "" || crds.IsType(s.Type()) {
			continue
		}
		for _, of := range []string{s.Type(), crd.StringAt(s.Node, "format")} {
			if of != "" && strings.Contains(err.Detail, "must be of type "+of+":") {
				return true
			}
		}
	}
	return false
}

// foresee asks the server, and collects the rules of what it says now or says once that is mended, and of what it crashes
// on.
func foresee(d *crd.Object, version crd.Version, rules map[string]bool) apiserver.Verdict {
	verdict := fast.OnCreate(d.Hub, version)
	for _, err := range append(slices.Clone(verdict.Errors), fast.Foresee(d.Hub, version, verdict).Errors...) {
		rules[apiserver.RuleOf(err)] = true
	}
	if verdict.Panic != "" {
		for _, rule := range []string{
			"selectable-field-free-form", "schema-unsupported-keyword", "schema-items-array", "schema-preserve-unknown-false",
			engine.UnmatchedRule,
		} {
			rules[rule] = true
		}
	}
	return verdict.Verdict
}

// strictly reports whether strict decoding finds unknown fields. Duplicate ones do not count: clients send the last.
func strictly(errs []error) bool {
	return slices.ContainsFunc(errs, func(err error) bool { return strings.Contains(err.Error(), "unknown field") })
}

func (a *agreement) log(t *testing.T, what string) {
	t.Helper()
	t.Logf("%s: %d CRDs, %d rejected (%.0f%%), %d disagreements", what, a.compared, a.refused, 100*float64(a.refused)/float64(max(a.compared, 1)), a.disagree)
	for _, d := range slices.Sorted(maps.Keys(a.differences)) {
		t.Logf("  %d times %s", a.differences[d], d)
	}
}

// logUnreached names the rules that the server's errors belong to and that nothing was rejected for.
func (a *agreement) logUnreached(t *testing.T) {
	t.Helper()
	var never []string
	for _, rule := range apiserver.Rules() {
		if a.reached[rule] == 0 {
			never = append(never, rule)
		}
	}
	t.Logf("rules never reached: %s", strings.Join(never, ", "))
}

// TestServersRulesExist wants a rule for each error of the server. What only an update can bring up is the business of
// rules that compare.
func TestServersRulesExist(t *testing.T) {
	t.Parallel()
	for _, id := range apiserver.Rules() {
		if ByID(id) == nil {
			t.Errorf("there is no rule %s", id)
		}
	}
}

// everyRule runs all rules, as `crdlift lint --preset=all` does.
func everyRule() *engine.Linter {
	return &engine.Linter{Rules: allRules, Options: lint.Options{Config: &lint.Config{Preset: lint.All}}}
}

// inParallel calls do for every index below n, on all processors.
func inParallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// compareAll compares the CRDs of files, each alone.
func (a *agreement) compareAll(t *testing.T, paths []string) {
	t.Helper()
	l := everyRule()
	inParallel(len(paths), func(i int) {
		for _, s := range samples(t, paths[i]) {
			a.compare(t, l, s.path+" "+s.crd.Name(), s.json, s.crd)
		}
	})
}

// compareMutants compares mutants, a number of each CRD that the server accepts: only in those a mistake is seen for
// itself. Most have one mistake. They are the same in every run.
func (a *agreement) compareMutants(t *testing.T, seed uint64, each int, paths []string) {
	t.Helper()
	l := everyRule()
	inParallel(len(paths), func(i int) {
		for k, s := range samples(t, paths[i]) {
			if len(s.json) > 50_000 || !isAccepted(s.crd) {
				continue // many small ones meet more rules than a few large ones
			}
			for n := range each {
				src, made, err := mutants.Of(s.json, rand.New(rand.NewPCG(seed+uint64(i), uint64(k*1000+n))), 1+n%3/2)
				if err != nil {
					t.Error(err)
					return
				}
				for _, c := range crd.Parse(src) {
					a.compare(t, l, fmt.Sprintf("%s %s, mutant %d %q", s.path, s.crd.Name(), n, made), src, c)
				}
			}
		}
	})
}

// isAccepted reports whether the server takes a CRD.
func isAccepted(c *crd.CRD) bool {
	wanted, optional := serverRules(c)
	return len(wanted)+len(optional) == 0
}

func TestAgreesWithServer(t *testing.T) {
	t.Parallel()
	paths := own(t)
	var a, m agreement
	a.compareAll(t, paths)
	a.log(t, "manifests of this repository")
	m.compareMutants(t, 5, map[bool]int{true: 2, false: 5}[testing.Short()], paths)
	m.log(t, "mutants of them")
	for rule, n := range m.reached {
		a.reached[rule] += n
	}
	a.logUnreached(t)
}

func TestAgreesWithServerOnCorpus(t *testing.T) {
	t.Parallel()
	var a agreement
	a.compareAll(t, corpus.Sample(t, volume(t, "v1", "v1beta1", "broken", "../cases"), 8))
	a.log(t, "corpus and cases")
}

// agreesOnConversions is for a test outside: this package is below convert.
func agreesOnConversions(t *testing.T, convert func(path string, src []byte, chosen policy.Policy) ([]byte, error)) {
	paths := corpus.Sample(t, volume(t, "v1beta1"), 40)
	for _, chosen := range []policy.Policy{policy.Exact, policy.Idiomatic} {
		var a agreement
		l := everyRule()
		inParallel(len(paths), func(i int) {
			for _, s := range samples(t, paths[i]) {
				output, err := convert(s.path, s.json, chosen)
				if err != nil {
					continue // it is tested with convert
				}
				for _, c := range crd.Parse(output) {
					a.compare(t, l, s.path+" "+c.Name(), output, c)
				}
			}
		})
		a.log(t, fmt.Sprintf("conversions, policy %s", chosen))
	}
}

func TestAgreesWithServerOnMutants(t *testing.T) {
	t.Parallel()
	var a agreement
	a.compareMutants(t, 7, 2, corpus.Sample(t, volume(t, "v1", "v1beta1"), 30))
	a.log(t, "mutants of the corpus")
	a.logUnreached(t)
}

// TestAgreesWithV121 asks the last server of v1beta1 itself, not the model of it.
func TestAgreesWithV121(t *testing.T) {
	t.Parallel()
	judge := v121.Start(t)
	all := slices.DeleteFunc(samples(t, ownManifests(t)...), func(s sample) bool { return s.crd.Version != crd.V1beta1 })
	l, differ := everyRule(), 0
	for _, s := range all {
		verdict, err := judge.Judge(s.json)
		if err != nil {
			t.Fatal(err)
		}
		report := l.File("crd.json", s.json)
		refused := slices.ContainsFunc(report.Findings, func(f *lint.Finding) bool { return f.RefusedBy != "" })
		if refused == verdict.Accepted {
			differ++
			t.Errorf("%s: 0.21 accepts it: %t; the linter says it is rejected: %t", filepath.ToSlash(s.path), verdict.Accepted, refused)
		}
	}
	t.Logf("%d manifests of v1beta1, %d disagreements with 0.21", len(all), differ)
}
