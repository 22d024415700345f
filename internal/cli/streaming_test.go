package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/run"
)

const laddersCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ladders.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Ladder, listKind: LadderList, plural: ladders, singular: ladder}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              steps: {type: integer, maximum: 9}
              note: {type: string}
`

// ladder is an item of a list.
func ladder(number int, spec string) string {
	return fmt.Sprintf("- apiVersion: example.com/v1\n  kind: Ladder\n  metadata:\n    name: ladder-%d\n    namespace: barn\n    uid: u-%d\n  spec:\n%s", number, number, spec)
}

// ladders is a list of so many, of which each tenth has two mistakes.
func ladders(count int) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nitems:\n")
	for i := range count {
		if i%10 == 9 {
			b.WriteString(ladder(i, "    steps: 12\n    stesp: 1\n"))
		} else {
			b.WriteString(ladder(i, "    steps: 3\n    note: |\n      - apiVersion: example.com/v1\n"))
		}
	}
	b.WriteString("kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	return b.String()
}

// A streamed is what the program said.
type streamed struct {
	code           int
	stdout, stderr string
}

// inPieces runs the program such that lists of a size are judged in pieces of 300 bytes.
func inPieces(from int64, stdin string, args ...string) streamed {
	var stdout, stderr bytes.Buffer
	s := &session{run.NewSession(struct{ *strings.Reader }{strings.NewReader(stdin)}, &stdout, &stderr)}
	s.StreamFrom, s.PieceSize = from, 300
	code := s.run(append([]string{"validate", "--config", "off"}, args...))
	return streamed{code, stdout.String(), stderr.String()}
}

const wholly = 1 << 40

// barn is a folder with the CRD, and a list.
func barn(t *testing.T, list string) (crd, dump string) {
	t.Helper()
	dir := t.TempDir()
	crd, dump = filepath.Join(dir, "crd.yaml"), filepath.Join(dir, "dump.yaml")
	for path, text := range map[string]string{crd: laddersCRD, dump: list} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return crd, dump
}

// TestStreamedIsWhole: what is said of a list in pieces is what is said of it as a whole, from a file and from a pipe, in all
// outputs.
func TestStreamedIsWhole(t *testing.T) {
	t.Parallel()
	list := ladders(60)
	crd, dump := barn(t, list)
	for _, output := range [][]string{{"--list", "-"}, {"-o", "json"}, {"-o", "junit"}, {"--output", "short", "--limit", "0"}, {"--rule", "object-unknown-field=off"}, {"--min-severity", "error"}} {
		for _, input := range []string{dump, run.Stdin} {
			args := append([]string{"--crds", crd, input}, output...)
			whole, pieces := inPieces(wholly, list, args...), inPieces(1, list, args...)
			if diff := cmp.Diff(whole, pieces, cmp.AllowUnexported(streamed{})); diff != "" {
				t.Errorf("%v (-whole +pieces):\n%s", args, diff)
			}
			if whole.code != run.ExitFindings {
				t.Errorf("%v: exit code %d: %s", args, whole.code, whole.stderr)
			}
		}
	}
}

// TestStreamedUpgrade: what becomes of the objects of a list in pieces when their CRD is replaced is what becomes of them as a
// whole.
func TestStreamedUpgrade(t *testing.T) {
	t.Parallel()
	list := ladders(60)
	crd, dump := barn(t, list)
	older := filepath.Join(filepath.Dir(dump), "older.yaml")
	took := strings.NewReplacer(", maximum: 9", "", "note: {type: string}", "note: {type: string}\n              stesp: {type: integer}").Replace(laddersCRD)
	if err := os.WriteFile(older, []byte(took), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, output := range [][]string{nil, {"--list", "-"}, {"-o", "json"}} {
		for _, input := range []string{dump, run.Stdin} {
			args := append([]string{"--crds", crd, "--against", older, input}, output...)
			whole, pieces := inPieces(wholly, list, args...), inPieces(1, list, args...)
			if diff := cmp.Diff(whole, pieces, cmp.AllowUnexported(streamed{})); diff != "" {
				t.Errorf("%v (-whole +pieces):\n%s", args, diff)
			}
			if want := "60 objects (Ladder 60): 54 survive, 6 lose fields\n"; pieces.stderr != want {
				t.Errorf("%v: got %s, want %s", args, pieces.stderr, want)
			}
		}
	}
}

// TestStreamedCounts: beyond the first hundred objects that the same is said of, findings are counted. Totals have them all, and
// the list has every object.
func TestStreamedCounts(t *testing.T) {
	t.Parallel()
	list := ladders(2000) // 200 with mistakes
	crd, dump := barn(t, list)
	verdicts := filepath.Join(filepath.Dir(dump), "verdicts.tsv")
	got := inPieces(1, "", "--crds", crd, "--list", verdicts, dump)
	for _, want := range []string{
		":100:12: error: Ladder barn/ladder-9: spec.steps must be at most 9 (and 199 more) [object-constraint]\n",
		" and 197 more\n", ": error: Ladder barn/ladder-9: spec.stesp is not declared and is dropped (and 199 more) [object-unknown-field]\n",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("want %q in\n%s", want, got.stdout)
		}
	}
	if want := "400 errors in 200 of 2000 objects (Ladder 2000)\n"; !strings.HasPrefix(got.stderr, want) || got.code != run.ExitFindings {
		t.Errorf("got %d %q, want %q", got.code, got.stderr, want)
	}
	whole := filepath.Join(filepath.Dir(dump), "whole.tsv")
	inPieces(wholly, "", "--crds", crd, "--list", whole, dump)
	if diff := cmp.Diff(fileText(t, whole), fileText(t, verdicts)); diff != "" {
		t.Errorf("the verdicts differ (-whole +pieces):\n%s", diff)
	}
	if json := inPieces(1, "", "--crds", crd, "-o", "json", dump).stdout; strings.Count(json, `"rule": "object-constraint"`) != 100 || strings.Count(json, `"count": 101`) != 2 || !strings.Contains(json, `"errors": 400`) {
		t.Errorf("got %.2000s", json)
	}
}

// TestStreamedBaseline: a baseline has every finding, also those that are alike.
func TestStreamedBaseline(t *testing.T) {
	t.Parallel()
	crd, dump := barn(t, ladders(2000))
	baseline := filepath.Join(filepath.Dir(dump), "baseline.yaml")
	if got := inPieces(1, "", "--crds", crd, "--write-baseline", baseline, dump); got.code != 0 || !strings.HasPrefix(got.stderr, "wrote 400 findings ") {
		t.Errorf("got %v", got)
	}
	if got := inPieces(1, "", "--crds", crd, "--baseline", baseline, dump); got.code != 0 || got.stdout != "" || !strings.HasPrefix(got.stderr, "no findings (400 ignored) ") {
		t.Errorf("got %v", got)
	}
}

// TestStreamedCRDs: a list may have the CRDs that its objects, or others, are judged by.
func TestStreamedCRDs(t *testing.T) {
	t.Parallel()
	list := ladders(20)
	crds := "apiVersion: v1\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(laddersCRD), "\n", "\n  ") + "\n" + strings.TrimPrefix(list, "apiVersion: v1\nitems:\n")
	whole, pieces := inPieces(wholly, crds, "-o", "json", run.Stdin), inPieces(1, crds, "-o", "json", run.Stdin)
	if diff := cmp.Diff(whole, pieces, cmp.AllowUnexported(streamed{})); diff != "" || whole.code != run.ExitFindings {
		t.Errorf("exit code %d (-whole +pieces):\n%s", whole.code, diff)
	}
}

// TestStreamedBroken: what cannot be read of a list that is too large for the whole of it is a finding at its line. The rest is
// judged, and what is not is counted.
func TestStreamedBroken(t *testing.T) {
	t.Parallel()
	list := strings.Replace(ladders(40), "name: ladder-20\n", "name: ladder-20\n   secret: x\n", 1)
	crd, dump := barn(t, list)
	got := inPieces(1, "", "--crds", crd, "--max-file-size", "2KiB", dump)
	if !strings.Contains(got.stdout, ":205:4: error: does not parse: message withheld") {
		t.Errorf("got %s", got.stdout)
	}
	if strings.Contains(got.stdout+got.stderr, "secret") {
		t.Errorf("shows text of the list: %s%s", got.stdout, got.stderr)
	}
	if want := "9 errors in 4 of 38 objects (Ladder 38), 2 not read"; !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, "cannot be read and are not checked") {
		t.Errorf("got %s", got.stderr)
	}
	whole := inPieces(wholly, "", "--crds", crd, dump)
	if small := inPieces(1, "", "--crds", crd, dump); whole != small {
		t.Errorf("of a list that can be read as a whole, pieces say %v, not %v", small, whole)
	}
}

// TestStreamedWhole: a line that only looks like the beginning of an item makes the whole of a list be read, and its objects are
// listed once.
func TestStreamedWhole(t *testing.T) {
	t.Parallel()
	list := strings.Replace(ladders(20), "- apiVersion: example.com/v1\n  kind: Ladder\n  metadata:\n    name: ladder-13\n",
		"- text: \"\n- a\n"+strings.Repeat("  a long line that goes on and on\n", 12)+"- b\"\n- apiVersion: example.com/v1\n  kind: Ladder\n  metadata:\n    name: ladder-13\n", 1)
	crd, dump := barn(t, list)
	whole, pieces := inPieces(wholly, "", "--crds", crd, "--list", "-", dump), inPieces(1, "", "--crds", crd, "--list", "-", dump)
	if diff := cmp.Diff(whole, pieces, cmp.AllowUnexported(streamed{})); diff != "" || strings.Count(pieces.stdout, "ladder-1\t") != 1 {
		t.Errorf("(-whole +pieces):\n%s", diff)
	}
}

// TestStreamedTooLarge: what cannot be cut into pieces and is too large is not judged, and the error says why.
func TestStreamedTooLarge(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ list, want string }{
		"cut off":         {strings.Split(ladders(20), "kind: List")[0], "line 201: the text ends without the kind of the list; it may be cut off"},
		"other documents": {ladders(20) + "---\nkind: Other\n", "line 204: this is not the layout of a list from kubectl"},
	} {
		crd, dump := barn(t, test.list)
		for _, input := range []string{dump, run.Stdin} {
			got := inPieces(1, test.list, "--crds", crd, "--max-file-size", "2KiB", input)
			if want := ": larger than --max-file-size=2KiB, and cannot be read in pieces: " + test.want + "\n"; got.code != run.ExitTrouble || !strings.Contains(got.stderr, want) {
				t.Errorf("%s: %d: got %s, want %s", name, got.code, got.stderr, want)
			}
		}
	}
}

// TestStreamedSecrets: a list in pieces shows no more than one as a whole.
func TestStreamedSecrets(t *testing.T) {
	t.Parallel()
	f := &flock{rand.New(rand.NewPCG(rand.Uint64(), 16)), map[string]bool{}}
	var list strings.Builder
	list.WriteString("apiVersion: v1\nitems:\n")
	for i := range canaryObjects {
		list.WriteString(asItem(f.cage(i, "")))
	}
	list.WriteString("kind: List\n")
	crd, dump := barn(t, list.String())
	if err := os.WriteFile(crd, []byte(canaryCRD), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, output := range [][]string{{"--list", "-"}, {"-o", "json"}, {"-o", "sarif"}, {"--limit", "0"}, {"-o", "markdown"}} {
		for _, input := range []string{dump, run.Stdin} {
			got := inPieces(1, list.String(), append([]string{"--crds", crd, "--max-file-size", "6KiB", input}, output...)...)
			if leak := f.leaks(got.stdout + got.stderr); leak != "" {
				t.Errorf("%v: shows %s", output, leak)
			}
			if got.code != run.ExitFindings {
				t.Errorf("%v: %d: %s", output, got.code, got.stderr)
			}
		}
	}
}

// fileText is the text of a file.
func fileText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
