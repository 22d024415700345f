package convert_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	v121 "github.com/crdlift/crdlift/internal/testing/v121"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// A tally counts the results of a conversion of the corpus.
type tally struct {
	sync.Mutex
	files, crds, accepted            int // accepted: by v1beta1's last server
	converted, person, marks         int
	encoded, lostLines, lostComments int
	lostBlanks, again                int
	marksPerCRD                      []int
	reasons                          map[string]int
	examples                         map[string]string
}

func (s *tally) reason(rule, example string) {
	s.reasons[rule]++
	if s.examples[rule] == "" {
		s.examples[rule] = example
	}
}

func TestCorpus(t *testing.T) {
	files := corpus.Sample(t, corpus.Files(t, "v1beta1"), 8)
	judge := v121.Start(t)
	fewest := 80 // of a sample, a server of v1beta1 accepts about 160
	if testing.Short() {
		fewest = 4
	}
	for _, chosen := range []policy.Policy{policy.Exact, policy.Idiomatic} {
		t.Run(string(chosen), func(t *testing.T) {
			s := &tally{reasons: map[string]int{}, examples: map[string]string{}}
			forEach(files, func(path string) { s.convertFile(t, judge, path, chosen) })
			s.log(t)
			if s.accepted < fewest {
				t.Fatalf("v1beta1 accepts only %d of %d CRDs, want at least %d", s.accepted, s.crds, fewest)
			}
			if s.encoded*100 > s.crds {
				t.Errorf("%d of %d CRDs had to be re-encoded: more than 1%%", s.encoded, s.crds)
			}
			want := 0.962
			if chosen == policy.Idiomatic {
				want = 0.998
			}
			if !corpus.All() {
				want -= 0.05 // in a sample, chance decides
			}
			// Only a person can tell the meaning of misspelt fields. Nine CRDs are known to have some.
			misspelt := s.reasons["unknown-field"]
			if got := float64(s.converted+misspelt) / float64(s.accepted); got < want || misspelt > 9 {
				t.Errorf("%.2f%% of the CRDs that v1beta1 accepts were converted or have misspelt fields, %d of them these; want at least %.1f%%, and at most 9",
					got*100, misspelt, want*100)
			}
			if len(s.marksPerCRD) > 0 && chosen == policy.Exact {
				sort.Ints(s.marksPerCRD)
				if nine := s.marksPerCRD[len(s.marksPerCRD)*9/10]; nine >= 20 {
					t.Errorf("nine in ten CRDs need up to %d marks, want fewer than 20", nine)
				}
			}
		})
	}
}

func forEach(files []string, do func(string)) {
	work := make(chan string)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for path := range work {
				do(path)
			}
		})
	}
	for _, f := range files {
		work <- f
	}
	close(work)
	wg.Wait()
}

// convertFile converts one file twice and compares.
func (s *tally) convertFile(t *testing.T, judge *v121.Judge, path string, chosen policy.Policy) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	opt := policy.Options{Policy: chosen, UnapprovedAPI: true}
	res, err := convert.File(path, src, opt)
	if err != nil {
		t.Error(err)
		if res == nil {
			return
		}
	}
	accepted := acceptedByV121(t, judge, src)
	again, err := convert.File(path, res.Output, opt)
	if err != nil {
		t.Error(err)
	}
	lost := lostLines(src, res)
	comments := lostComments(path, src, res.Output)

	s.Lock()
	defer s.Unlock()
	s.files++
	if err == nil && !bytes.Equal(again.Output, res.Output) {
		s.again++
		t.Errorf("%s: a second run changes the file again", path)
	}
	if len(lost) > 0 {
		s.lostLines++
		t.Errorf("%s: lines lost that no change names: %.300q", path, lost)
	}
	if len(comments) > 0 {
		s.lostComments += len(comments)
		t.Errorf("%s: comments lost: %.300q", path, comments)
	}
	if a, b := blankLines(src, namedLines(res)), blankLines(res.Output, nil); b < a {
		s.lostBlanks += a - b
		t.Errorf("%s: %d blank lines lost", path, a-b)
	}
	for i, c := range res.CRDs {
		s.crds++
		if c.Encoded {
			s.encoded++
			t.Logf("%s:%d: encoded", path, c.Line)
		}
		if !accepted[i] {
			continue
		}
		s.accepted++
		switch c.State {
		case policy.Converted, policy.AlreadyThere:
			s.converted++
			s.marksPerCRD = append(s.marksPerCRD, c.Marks)
			s.marks += c.Marks
		default:
			s.person++
			for _, n := range c.Notes {
				if n.Class == policy.Report {
					s.reason(n.ID, fmt.Sprintf("%s:%d:%d: %s: %s", path, n.Pos.Line, n.Pos.Column, n.Path, n.Message))
				}
			}
		}
	}
}

// acceptedByV121 asks the last v1beta1 server about every CRD of a file. A v1 manifest is not counted.
func acceptedByV121(t *testing.T, judge *v121.Judge, src []byte) []bool {
	var all []bool
	for _, c := range crd.Parse(src) {
		raw, err := yaml11.ToJSON(c.Node)
		if err != nil || c.Version != crd.V1beta1 {
			all = append(all, false)
			continue
		}
		v, err := judge.Judge(raw)
		if err != nil {
			t.Error(err)
		}
		all = append(all, v.Accepted)
	}
	return all
}

// lostLines is the contract that nothing is lost, measured: the input's lines, trimmed, less those that the notes
// name, are among the output's lines.
func lostLines(src []byte, res *convert.Result) []string {
	named := namedLines(res)
	left := map[string]int{}
	for line := range strings.SplitSeq(string(res.Output), "\n") {
		left[strings.TrimSpace(line)]++
	}
	var lost []string
	for i, line := range strings.Split(string(src), "\n") {
		if named[i+1] {
			continue
		}
		line = strings.TrimSpace(line)
		if left[line]--; left[line] < 0 {
			lost = append(lost, line)
		}
	}
	return lost
}

func namedLines(res *convert.Result) map[int]bool {
	named := map[int]bool{}
	for _, c := range res.CRDs {
		for _, n := range c.Notes {
			for _, line := range n.Lines {
				named[line] = true
			}
		}
	}
	return named
}

func lostComments(path string, src, out []byte) []string {
	left := map[string]int{}
	for _, d := range manifest.Parse(path, out).Documents {
		for _, c := range d.Comments() {
			left[strings.TrimSpace(c.Text)]++
		}
	}
	var lost []string
	for _, d := range manifest.Parse(path, src).Documents {
		for _, c := range d.Comments() {
			text := strings.TrimSpace(c.Text)
			if left[text]--; left[text] < 0 {
				lost = append(lost, text)
			}
		}
	}
	return lost
}

// blankLines counts the blank lines but for the named ones, which stood inside a text that was removed.
func blankLines(src []byte, named map[int]bool) int {
	n := 0
	for i, line := range strings.Split(string(src), "\n") {
		if strings.TrimSpace(line) == "" && !named[i+1] {
			n++
		}
	}
	return n
}

func (s *tally) log(t *testing.T) {
	sort.Ints(s.marksPerCRD)
	t.Logf("%d files, %d CRDs, %d accepted by v1beta1 at 0.21.14", s.files, s.crds, s.accepted)
	t.Logf("accepted by v1 at 0.37.2 after conversion: %d (%.2f%%); need a person: %d", s.converted, 100*float64(s.converted)/float64(s.accepted), s.person)
	t.Logf("re-encoded: %d; comments lost: %d; blank lines lost: %d; changed by a second run: %d; files with lost lines: %d",
		s.encoded, s.lostComments, s.lostBlanks, s.again, s.lostLines)
	if n := len(s.marksPerCRD); n > 0 {
		t.Logf("preserve marks: %d in all; a CRD has %d in the median, %d at nine in ten, %d at most", s.marks, s.marksPerCRD[n/2], s.marksPerCRD[n*9/10], s.marksPerCRD[n-1])
	}
	var rules []string
	for r := range s.reasons {
		rules = append(rules, r)
	}
	sort.Strings(rules)
	for _, r := range rules {
		t.Logf("  needs a person: %-40s %4d, as %s", r, s.reasons[r], s.examples[r])
	}
}
