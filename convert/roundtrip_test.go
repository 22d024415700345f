package convert_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// thereAndBack converts a text to one version and its result to the other.
func thereAndBack(t *testing.T, path string, src []byte, there, back policy.Options) (first, second *convert.Result) {
	t.Helper()
	first, err := convert.File(path, src, there)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return nil, nil
	}
	second, err = convert.File(path, first.Output, back)
	if err != nil {
		t.Errorf("%s: back: %v", path, err)
		return nil, nil
	}
	return first, second
}

// checkRoundTrip asserts that every CRD which was converted there and back has the same meaning, except for the
// differences in the notes of both conversions.
func checkRoundTrip(t *testing.T, path string, src []byte, first, second *convert.Result) {
	t.Helper()
	if template.Recognise(path, src) != template.None { // test/helm renders them
		if before, after := actionsOf(src), actionsOf(second.Output); !slices.Equal(before, after) {
			t.Errorf("%s: the actions %q became %q", path, before, after)
		}
		return
	}
	before, after := crd.Parse(src), crd.Parse(second.Output)
	if len(before) != len(after) || len(before) != len(first.CRDs) {
		t.Errorf("%s: %d CRDs became %d", path, len(before), len(after))
		return
	}
	for i := range before {
		if first.CRDs[i].State != policy.Converted || second.CRDs[i].State != policy.Converted {
			continue
		}
		notes := append(slices.Clone(first.CRDs[i].Notes), second.CRDs[i].Notes...)
		if err := convert.SameMeaning(before[i], after[i], notes); err != nil {
			t.Errorf("%s:%d: %s: %v", path, first.CRDs[i].Line, first.CRDs[i].Name, err)
		}
	}
}

// actionsOf are the actions of a template, sorted.
func actionsOf(src []byte) (all []string) {
	actions, _ := template.Scan(string(src))
	for _, a := range actions {
		all = append(all, strings.Join(strings.Fields(string(src[a.Start:a.End])), " "))
	}
	slices.Sort(all)
	return all
}

var (
	up   = policy.Options{UnapprovedAPI: true}
	down = policy.Options{To: policy.V1beta1, OnLoss: policy.DropLoss}
)

func TestRoundTrips(t *testing.T) {
	inputs, err := filepath.Glob("../testdata/convert/*/input.*")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, path := range inputs {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range [][2]policy.Options{{up, down}, {down, up}} {
			first, second := thereAndBack(t, path, src, way[0], way[1])
			if first != nil {
				checkRoundTrip(t, path, src, first, second)
			}
		}
	}
}

// checkNothingRepaired asserts that a conversion back to v1 repairs no schema: a schema that a v1 server accepted is
// structural.
func checkNothingRepaired(t *testing.T, path string, there, back *convert.Result) {
	t.Helper()
	for i, c := range back.CRDs {
		if there.CRDs[i].State != policy.Converted {
			continue
		}
		for _, n := range c.Notes {
			if n.Class != policy.Report && strings.HasPrefix(n.ID, "schema-") {
				t.Errorf("%s: %s: repaired on the way back to v1: %s", path, c.Name, show(n))
			}
		}
	}
}

func TestNothingToRepairOnTheWayBack(t *testing.T) {
	for _, f := range fixtures(t) {
		if first, second := thereAndBack(t, f.name, f.input, down, up); first != nil {
			checkNothingRepaired(t, f.name, first, second)
		}
	}
}

// reasons are the notes of a conversion to v1 after which a text cannot come back as it was.
var reasons = map[string]string{
	"server-field-removed":    "a field of the server's was removed",
	"default-written-out":     "a default of v1beta1 was written out",
	"unknown-field-removed":   "an unknown field was removed",
	"field-respelled":         "a field was respelled",
	"aliases-written-out":     "aliases were written out",
	"annotated-as-unapproved": "the API was annotated as unapproved",
	"version-field-removed":   "the version field was replaced by versions",
	"version-became-versions": "the version field was replaced by versions",
}

// whyNotIdentical names the reasons for which a text came back other than it was; none is a fault.
func whyNotIdentical(src []byte, first, second *convert.Result) []string {
	found := map[string]bool{}
	for _, c := range first.CRDs {
		if c.State != policy.Converted {
			found["a CRD needs a person, or was v1 already"] = true
		}
		for _, n := range c.Notes {
			switch {
			case reasons[n.ID] != "":
				found[reasons[n.ID]] = true
			case n.ID == "preserve-unknown-fields-removed" && n.Path == "spec":
				found["unknown fields were kept by default"] = true
			case strings.HasPrefix(n.ID, "schema-") || n.ID == "unknown-fields-pruned":
				found["the schema was repaired"] = true
			}
		}
	}
	for _, c := range second.CRDs {
		for _, n := range c.Notes {
			if n.Class == policy.Changes {
				found["a default, which v1beta1 servers reject, was left out"] = true
			}
		}
	}
	if len(found) == 0 && sameLines(src, second.Output) {
		found["preserveUnknownFields or a lifted field came back in another place"] = true
	}
	var why []string
	for r := range found {
		why = append(why, r)
	}
	sort.Strings(why)
	return why
}

// sameLines reports whether two texts have the same lines, but for their order and indentation.
func sameLines(a, b []byte) bool {
	lines := func(text []byte) []string {
		all := strings.Split(string(text), "\n")
		for i := range all {
			all[i] = strings.TrimSpace(all[i])
		}
		sort.Strings(all)
		return all
	}
	return slices.Equal(lines(a), lines(b))
}

func lineSet(text []byte) map[string]bool {
	set := map[string]bool{}
	for line := range strings.SplitSeq(string(text), "\n") {
		set[strings.TrimSpace(line)] = true
	}
	return set
}

func TestCorpusRoundTripV1beta1(t *testing.T) {
	var mu sync.Mutex
	var files, identical, clean, cleanIdentical int
	why := map[string]int{}
	forEach(corpus.Sample(t, corpus.Files(t, "v1beta1"), 8), func(path string) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			return
		}
		first, second := thereAndBack(t, path, src, up, down)
		if first == nil || len(first.CRDs) == 0 {
			return
		}
		checkRoundTrip(t, path, src, first, second)
		mu.Lock()
		defer mu.Unlock()
		files++
		reasons := whyNotIdentical(src, first, second)
		moved := len(reasons) == 1 && reasons[0] == "preserveUnknownFields or a lifted field came back in another place"
		if len(reasons) == 0 || moved {
			clean++
		}
		if bytes.Equal(src, second.Output) && !bytes.Equal(src, first.Output) {
			identical++
			if len(reasons) == 0 || moved {
				cleanIdentical++
			}
			return
		}
		for _, r := range reasons {
			why[r]++
		}
		if moved {
			t.Logf("%s: %s", path, reasons[0])
		}
		if len(reasons) == 0 && !bytes.Equal(src, second.Output) {
			t.Errorf("%s did not come back as it was, for no reason that has a name:\n%s", path, difference(src, second.Output))
		}
	})
	t.Logf("%d files: %d came back byte for byte; of %d that needed no repair and lost no default, %d did", files, identical, clean, cleanIdentical)
	for r, n := range why {
		t.Logf("  %4d files: %s", n, r)
	}
}

func TestCorpusRoundTripV1(t *testing.T) {
	var mu sync.Mutex
	var crds, older, converted, back, person int
	losses := map[string]int{}
	forEach(corpus.Sample(t, corpus.Files(t, "v1"), 8), func(path string) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			return
		}
		first, second := thereAndBack(t, path, src, down, up)
		if first == nil {
			return
		}
		checkRoundTrip(t, path, src, first, second)
		checkNothingRepaired(t, path, first, second)
		out := lineSet(first.Output)
		lost := slices.DeleteFunc(lostLines(src, first), func(line string) bool {
			return strings.HasPrefix(line, "#") && out[line] // copies of an entry were merged into one
		})
		if len(lost) > 0 {
			t.Errorf("%s: lines lost that no change names: %.300q", path, lost)
		}
		mu.Lock()
		defer mu.Unlock()
		for i, c := range first.CRDs {
			crds++
			switch {
			case c.State == policy.AlreadyThere:
				older++
			case c.State == policy.NeedsPerson:
				person++
				for _, n := range c.Notes {
					losses["needs a person: "+n.ID]++
				}
			case c.State == policy.Converted && second.CRDs[i].State == policy.Converted:
				converted++
				back++
				for _, n := range c.Notes {
					if n.Class == policy.Changes {
						losses["left out: "+n.ID]++
					}
				}
			default:
				converted++
				t.Errorf("%s:%d: %s is v1beta1 now, and does not go back: %v", path, c.Line, c.Name, second.CRDs[i].Notes)
			}
		}
	})
	t.Logf("%d CRDs: %d were v1beta1, %d converted to v1beta1, %d of them back to v1, %d need a person", crds, older, converted, back, person)
	for r, n := range losses {
		t.Logf("  %5d times %s", n, r)
	}
}

func FuzzRoundTrip(f *testing.F) {
	inputs, _ := filepath.Glob("../testdata/convert/*/input.*")
	for _, path := range inputs {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, way := range [][2]policy.Options{{up, down}, {down, up}} {
			first, err := convert.File("fuzz.yaml", src, way[0])
			if err != nil {
				continue
			}
			second, err := convert.File("fuzz.yaml", first.Output, way[1])
			if err != nil {
				t.Fatal(err)
			}
			checkRoundTrip(t, "fuzz.yaml", src, first, second)
		}
	})
}
