package convert_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// behaviourSeed determines the generated custom resources.
const behaviourSeed = 1

// loosening are the ids of CHANGES repairs that accept more than before. The other CHANGES are about unknown fields and
// missing types, which the promises describe.
var loosening = []string{
	"schema-junctor-loosened", "schema-metadata-freed",
}

// behaviours are the ways to convert and what each promises about custom resources.
var behaviours = []struct {
	name    string
	options policy.Options
	promise behaviour.Promise
}{
	{"exact", policy.Options{}, behaviour.Exact()},
	{"root", policy.Options{UnknownFields: policy.Root}, behaviour.Pruned(true)},
	{"prune", policy.Options{UnknownFields: policy.Prune}, behaviour.Pruned(false)},
	{"infer", policy.Options{MissingTypes: policy.Infer}, behaviour.Inferred()},
	{"idiomatic", policy.Options{Policy: policy.Idiomatic}, behaviour.Both(behaviour.Pruned(false), behaviour.Inferred())},
}

// TestBehaviour generates custom resources from each schema and compares the API server's treatment of them before and
// after the conversion. Under the exact policy, every mark that the conversion added is also removed once: the
// comparison must notice that, or it proves nothing.
func TestBehaviour(t *testing.T) {
	fixtures, err := filepath.Glob(filepath.Join("..", "internal", "testing", "behaviour", "testdata", "*.yaml"))
	if err != nil || len(fixtures) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, b := range slices.Concat(behaviours[:1], corpus.Turn(t, behaviours[1:])) {
		t.Run(b.name, func(t *testing.T) {
			checkBehaviour(t, fixtures, b.options, b.promise, b.name == "exact", 20)
		})
	}
}

// TestBehaviourCorpus is TestBehaviour for real CRDs: all of them under the exact policy, some under the others; with
// -short some that are small, under the exact policy only.
func TestBehaviourCorpus(t *testing.T) {
	files := corpus.Sample(t, corpus.Files(t, "v1beta1"), 30)
	sizes := map[string]int64{}
	for _, path := range files {
		if info, err := os.Stat(path); err == nil {
			sizes[path] = info.Size()
		}
	}
	// The largest first: at the end they would keep one core busy alone.
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(sizes[b], sizes[a]) })
	if testing.Short() {
		files = slices.DeleteFunc(files, func(f string) bool { return sizes[f] > 16<<10 })
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	fewest := 20 // a sample has about 50
	if testing.Short() {
		fewest = 0 // of two or three CRDs, none may need a mark; TestBehaviour has some that do
	}
	for _, b := range slices.Concat(behaviours[:1], corpus.Turn(t, behaviours[1:])) {
		t.Run(b.name, func(t *testing.T) {
			files := files
			if b.name != "exact" {
				if testing.Short() {
					t.Skip("only the exact policy is checked with -short")
				}
				files = corpus.Sample(t, files, 4)
			}
			checkBehaviour(t, files, b.options, b.promise, b.name == "exact", fewest)
		})
	}
}

// A behaviourTally adds up the results for many CRDs.
type behaviourTally struct {
	sync.Mutex
	behaviour.Report
	crds, same, person, marked, sharp int
	seen                              map[string]bool
}

// checkBehaviour converts the CRDs of the files and checks the promise. Exact conversions must be sharp: nearly all
// marks must be needed for what the comparison sees, and at least the given number of CRDs must have got marks.
func checkBehaviour(t *testing.T, files []string, options policy.Options, promise behaviour.Promise, exact bool, fewest int) {
	options.UnapprovedAPI = true
	start := time.Now()
	tally := &behaviourTally{seen: map[string]bool{}}
	t.Run("files", func(t *testing.T) {
		for _, path := range files {
			t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				tally.file(t, path, options, promise, exact)
			})
		}
	})
	tally.log(t, time.Since(start), exact)
	if tally.crds == 0 {
		t.Error("no CRD was converted")
	}
	if exact && tally.marked < fewest {
		t.Errorf("only %d CRDs got marks, want at least %d", tally.marked, fewest)
	}
	if exact && tally.sharp*100 < tally.marked*95 {
		t.Errorf("every mark is needed in only %d of the %d schemas with marks: the test cannot tell, or the marks are too many",
			tally.sharp, tally.marked)
	}
}

// log logs the number of comparisons, and under the exact policy how well it was.
func (s *behaviourTally) log(t *testing.T, took time.Duration, exact bool) {
	t.Logf("seed %d, %s: %d CRDs (and %d that repeat one of them, %d left to a person), %d of %d schema nodes reached by a valid object",
		behaviourSeed, took.Round(time.Millisecond), s.crds, s.same, s.person, s.Reached, s.Nodes)
	t.Logf("%d custom resources compared, of which the old CRDs accept %d", s.Samples, s.Accepted)
	for name, n := range s.Applied {
		t.Logf("%d times: %s", n, name)
	}
	if !exact {
		return
	}
	t.Logf("marks added: %d in %d CRDs; removing one alone is noticed for %d, and %d more make the CRD invalid; all marks of a CRD are noticed in %d CRDs (%.1f%%)",
		s.Marks, s.marked, s.Seen, s.Structural, s.sharp, 100*float64(s.sharp)/float64(max(s.marked, 1)))
	for i, mark := range s.Unseen {
		if i == 30 {
			t.Logf("... and %d more", len(s.Unseen)-i)
			break
		}
		t.Logf("not noticed: %s", mark)
	}
}

// file checks the CRDs of one file.
func (s *behaviourTally) file(t *testing.T, path string, options policy.Options, promise behaviour.Promise, marks bool) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	result, err := convert.File(path, src, options)
	if err != nil {
		t.Skipf("not convertible: %v", err)
	}
	before, versions, err := behaviour.Decode(src)
	if err != nil {
		t.Skipf("the API server cannot read it: %v", err)
	}
	after, _, err := behaviour.Decode(result.Output)
	if err != nil {
		t.Fatalf("the API server cannot read the output: %v", err)
	}
	if len(before) != len(after) || len(before) != len(result.CRDs) {
		t.Fatalf("%d CRDs became %d, and %d are reported", len(before), len(after), len(result.CRDs))
	}
	for i, made := range result.CRDs {
		served := strings.HasSuffix(versions[i], "/v1beta1") || before[i].Spec.PreserveUnknownFields != nil && *before[i].Spec.PreserveUnknownFields
		switch {
		case !served: // a v1 CRD that needs repair and prunes was never created: there is no behaviour to keep
		case made.State != policy.Converted:
			s.count(func() { s.person++ })
		case s.repeats(before[i], after[i]):
			s.count(func() { s.same++ })
		default:
			promise := promise
			promise.Loosened = loosens(made.Notes)
			s.compare(t, path, before[i], after[i], promise, marks)
		}
	}
}

func loosens(notes []convert.Note) bool {
	return slices.ContainsFunc(notes, func(n convert.Note) bool {
		return n.Class == policy.Changes && slices.Contains(loosening, n.ID)
	})
}

func (s *behaviourTally) count(add func()) {
	s.Lock()
	defer s.Unlock()
	add()
}

// repeats reports whether the same conversion was checked already: repositories keep several copies of a CRD.
func (s *behaviourTally) repeats(before, after *apiextensions.CustomResourceDefinition) bool {
	key, err := json.Marshal([]any{before.Spec, after.Spec})
	if err != nil {
		return false
	}
	s.Lock()
	defer s.Unlock()
	seen := s.seen[string(key)]
	s.seen[string(key)] = true
	return seen
}

func (s *behaviourTally) compare(t *testing.T, path string, before, after *apiextensions.CustomResourceDefinition, promise behaviour.Promise, marks bool) {
	was, err := request.New(before)
	if err != nil {
		t.Errorf("%s cannot be served: %v", before.Name, err)
		return
	}
	is, err := request.New(after)
	if err != nil {
		t.Errorf("%s cannot be served after the conversion: %v", before.Name, err)
		return
	}
	report := behaviour.Check(was, is, promise, behaviourSeed)
	for _, failure := range report.Failures {
		t.Errorf("%s: %s", before.Name, failure)
	}
	s.count(func() {
		s.crds++
		for i, mark := range report.Unseen {
			report.Unseen[i] = fmt.Sprintf("%s: %s %s", path, before.Name, mark)
		}
		if report.Marks > 0 {
			s.marked++
			if len(report.Unseen) == 0 {
				s.sharp++
			}
		}
		s.Add(report)
	})
}
