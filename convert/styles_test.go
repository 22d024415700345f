package convert_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"sync"
	"testing"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/styles"
)

// TestStyles converts manifests that are written in thousands of other ways: nothing may be lost.
func TestStyles(t *testing.T) {
	var sources [][]byte
	for _, f := range fixtures(t) {
		sources = append(sources, f.input)
	}
	checkStyles(t, sources, perRun(12, 3))
}

// TestStylesOfCorpus does so with real manifests.
func TestStylesOfCorpus(t *testing.T) {
	var sources [][]byte
	for _, path := range corpus.Sample(t, corpus.Files(t, "v1beta1"), 12) {
		if src, err := os.ReadFile(path); err != nil {
			t.Error(err)
		} else if len(src) < 15_000 {
			sources = append(sources, src)
		}
	}
	checkStyles(t, sources, perRun(2, 1))
}

func perRun(cases, short int) int {
	if testing.Short() {
		return short
	}
	return cases
}

// A styleTally counts what came of the cases.
type styleTally struct {
	sync.Mutex
	cases, converted, encoded, refused int
	made, reasons                      map[string]int
}

func checkStyles(t *testing.T, sources [][]byte, times int) {
	s := &styleTally{made: map[string]int{}, reasons: map[string]int{}}
	var cases []string
	for n := range len(sources) * times {
		cases = append(cases, fmt.Sprint(n))
	}
	forEach(cases, func(number string) {
		var n int
		if _, err := fmt.Sscan(number, &n); err != nil {
			t.Error(err)
			return
		}
		r, seed := styles.Random(n, len(cases))
		src, made := styles.Vary(sources[n/times], r, 1+r.IntN(5))
		opt := options[r.IntN(len(options))]
		if problem := s.check(src, made, opt); problem != "" {
			t.Errorf("case %d, seed %d, %+v, %q: %s\n%s", n, seed, opt, made, problem, src)
		}
	})
	t.Logf("%d cases: %d CRDs converted, of which %d written anew; %d rejected for how they are written", s.cases, s.converted, s.encoded, s.refused)
	for _, counts := range []map[string]int{s.made, s.reasons} {
		var lines []string
		for what, n := range counts {
			lines = append(lines, fmt.Sprintf("%5d %s", n, what))
		}
		sort.Strings(lines)
		t.Logf("\n%s", strings.Join(lines, "\n"))
	}
	if s.converted < s.cases/3 {
		t.Errorf("only %d CRDs of %d files were converted: the cases show nothing", s.converted, s.cases)
	}
	if most := 5 + s.converted/25; s.encoded > most || s.refused > most {
		t.Errorf("of %d CRDs, %d were written anew, and %d rejected for how they are written: more than %d", s.converted, s.encoded, s.refused, most)
	}
}

// check converts a text and describes an error in the result.
func (s *styleTally) check(src []byte, made []string, opt policy.Options) string {
	const path = "styled.yaml"
	res, err := convert.File(path, src, opt)
	if err != nil {
		return err.Error()
	}
	s.count(res, made)
	for _, c := range res.CRDs {
		for _, n := range c.Notes {
			if strings.Contains(n.Message, "fault of crdlift") {
				return n.Message
			}
		}
	}
	if err := convert.Verify(path, src, res); err != nil {
		return err.Error()
	}
	if lost := lostComments(path, src, res.Output); len(lost) > 0 {
		return fmt.Sprintf("comments are lost: %q\n%s", lost, res.Output)
	}
	if before, after := readByKubectl(src), readByKubectl(res.Output); before != after {
		return fmt.Sprintf("kubectl reads %s, and read %s\n%s", after, before, res.Output)
	}
	if problem := othersStay(path, src, res); problem != "" {
		return problem
	}
	if !bytes.Contains(bytes.ReplaceAll(src, []byte("\r\n"), nil), []byte("\n")) && bytes.Contains(bytes.ReplaceAll(res.Output, []byte("\r\n"), nil), []byte("\n")) {
		return fmt.Sprintf("lines end in another way\n%q", res.Output)
	}
	again, err := convert.File(path, res.Output, opt)
	if err != nil || !bytes.Equal(again.Output, res.Output) {
		return fmt.Sprintf("a second run changes it (%v):\n%s", err, difference(res.Output, again.Output))
	}
	return ""
}

// count notes what became of a case.
func (s *styleTally) count(res *convert.Result, made []string) {
	s.Lock()
	defer s.Unlock()
	s.cases++
	for _, m := range made {
		s.made[m]++
	}
	for _, c := range res.CRDs {
		if c.State == policy.Converted {
			s.converted++
		}
		if c.Encoded {
			s.encoded++
		}
		for _, n := range c.Notes {
			refused := n.ID == "conversion-not-written" && strings.Contains(n.Message, "this document is written in a way")
			if refused {
				s.refused++
			}
			if refused || n.ID == "conversion-reencoded" {
				_, why, _ := strings.Cut(n.Message, "line ")
				s.reasons[n.ID+": "+strings.TrimLeft(why, "0123456789 ")]++
			}
		}
	}
}

// readByKubectl returns how many documents kubectl reads, or why it rejects the file.
func readByKubectl(src []byte) string {
	if manifest.Split("", src).Documents[0].Root != nil {
		return "JSON" // of which there is one reading
	}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(src)))
	for n := 0; ; n++ {
		if _, err := reader.Read(); errors.Is(err, io.EOF) {
			return fmt.Sprintf("%d documents", n)
		} else if err != nil {
			return err.Error()
		}
	}
}

// othersStay returns which document changed that holds nothing converted.
func othersStay(path string, src []byte, res *convert.Result) string {
	converted := map[int]bool{}
	for _, c := range res.CRDs {
		converted[c.Document] = converted[c.Document] || c.State == policy.Converted
	}
	before, after := manifest.Split(path, src).Documents, manifest.Split(path, res.Output).Documents
	if len(before) != len(after) {
		return fmt.Sprintf("%d documents became %d\n%s", len(before), len(after), res.Output)
	}
	for i, d := range before {
		if !converted[i] && !bytes.Equal(d.Text(), after[i].Text()) {
			return fmt.Sprintf("document %d was\n%s\nand is\n%s", i, d.Text(), after[i].Text())
		}
	}
	return ""
}
