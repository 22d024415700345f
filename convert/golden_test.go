package convert_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/rules"
)

// The folders of testdata/convert are the hand-written specification of the converter; README.md there describes the
// files of a folder.
const specification = "../testdata/convert"

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/convert; notes stay as they are")

// A fixture is one folder of the specification.
type fixture struct {
	name, dir, ext string // ext is the input's: "yaml" or "json"
	input          []byte
	options        policy.Options
}

func TestGolden(t *testing.T) {
	for _, f := range fixtures(t) {
		for _, chosen := range []policy.Policy{policy.Exact, policy.Idiomatic} {
			t.Run(f.name+"/"+string(chosen), func(t *testing.T) {
				if !*update { // the idiomatic output is written where it differs from the exact one
					t.Parallel()
				}
				f := f
				f.options.Policy = chosen
				result := f.convert(t, f.input)
				if *update {
					f.rewrite(t, result.Output)
				}
				f.checkOutput(t, result.Output)
				if err := convert.Verify(f.name, f.input, result); err != nil {
					t.Error(err)
				}
				f.checkNotes(t, result)
				f.checkSecondRun(t, result.Output)
				f.checkLineEnds(t, result.Output)
			})
		}
	}
}

// Every row of testdata/convert/README.md that can be shown by a manifest has at least one folder.
func TestGoldenCoversTheCatalogue(t *testing.T) {
	covered := map[string]bool{}
	for _, f := range fixtures(t) {
		row, _, _ := strings.Cut(f.name, "-")
		covered[row] = true
	}
	for _, rows := range []struct {
		letter string
		last   int
	}{{"t", 20}, {"d", 10}, {"h", 31}} {
		for n := 1; n <= rows.last; n++ {
			if row := fmt.Sprintf("%s%02d", rows.letter, n); !covered[row] {
				t.Errorf("no folder for row %s", row)
			}
		}
	}
}

func fixtures(t *testing.T) []fixture {
	t.Helper()
	inputs, err := filepath.Glob(filepath.Join(specification, "*", "input.*"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no fixtures in %s: %v", specification, err)
	}
	var all []fixture
	for _, path := range inputs {
		dir := filepath.Dir(path)
		f := fixture{name: filepath.Base(dir), dir: dir, ext: strings.TrimPrefix(filepath.Ext(path), ".")}
		f.input, _ = read(t, path)
		if options, ok := read(t, filepath.Join(dir, "options.json")); ok {
			d := json.NewDecoder(bytes.NewReader(options))
			d.DisallowUnknownFields()
			if err := d.Decode(&f.options); err != nil {
				t.Fatalf("%s/options.json: %v", f.name, err)
			}
		}
		all = append(all, f)
	}
	return all
}

func (f fixture) convert(t *testing.T, src []byte) *convert.Result {
	t.Helper()
	defer func() { // a panic fails its own folder only
		if r := recover(); r != nil {
			t.Fatalf("convert.File panics: %v\n%s", r, debug.Stack())
		}
	}()
	result, err := convert.Explained(f.name+"/input."+f.ext, src, f.options, rules.Explainer())
	if err != nil {
		t.Fatalf("convert.File: %v", err)
	}
	return result
}

// want returns the expected bytes, or with same the text that the output must mean the same as.
func (f fixture) want(t *testing.T) (text []byte, same bool) {
	t.Helper()
	policies := []policy.Policy{policy.Exact}
	if f.options.Policy == policy.Idiomatic {
		policies = []policy.Policy{policy.Idiomatic, policy.Exact}
	}
	for _, chosen := range policies {
		if text, ok := read(t, f.path(chosen, "."+f.ext)); ok {
			return text, false
		}
		if text, ok := read(t, f.path(chosen, ".same."+f.ext)); ok {
			return text, true
		}
	}
	return f.input, false
}

func (f fixture) path(chosen policy.Policy, suffix string) string {
	return filepath.Join(f.dir, string(chosen)+suffix)
}

func (f fixture) checkOutput(t *testing.T, got []byte) {
	t.Helper()
	want, same := f.want(t)
	if !same {
		if !bytes.Equal(got, want) {
			t.Errorf("the output is not as expected (- expected, + got):\n%s", difference(want, got))
		}
		return
	}
	var g, w any
	if err := yaml.Unmarshal(got, &g); err != nil {
		t.Errorf("the output does not parse: %v\n%s", err, got)
		return
	}
	if err := yaml.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g, w) {
		g, _ := yaml.Marshal(g)
		w, _ := yaml.Marshal(w)
		t.Errorf("the output does not mean what is expected (- expected, + got):\n%s", difference(w, g))
	}
}

// An expected note is one line of a .notes file, such as
//
//	CHANGES 12:7 schema-type-missing | object
//
// A line that starts with a question mark may be missing from the result.
type expectedNote struct {
	line, class, position, rule string
	words                       []string
	optional                    bool
}

var noteLine = regexp.MustCompile(`^(\??)(SAFE|CHANGES|REPORT) (\d+:\d+) ([a-z0-9-]+) \| (.+)$`)

func (e expectedNote) matches(n convert.Note) bool {
	if e.class != string(n.Class) || e.rule != n.ID || e.position != fmt.Sprintf("%d:%d", n.Pos.Line, n.Pos.Column) {
		return false
	}
	for _, word := range e.words {
		if !strings.Contains(strings.ToLower(n.Message), strings.ToLower(word)) {
			return false
		}
	}
	return true
}

func (f fixture) expectedNotes(t *testing.T) []expectedNote {
	t.Helper()
	text, ok := read(t, f.path(f.options.Policy, ".notes"))
	if !ok {
		text, _ = read(t, f.path(policy.Exact, ".notes"))
	}
	var notes []expectedNote
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		m := noteLine.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("this is no line of a .notes file: %q", line)
		}
		notes = append(notes, expectedNote{line, m[2], m[3], m[4], strings.Fields(m[5]), m[1] != ""})
	}
	return notes
}

// checkNotes wants a note for every expected line, and a line for every note that a user must read.
func (f fixture) checkNotes(t *testing.T, result *convert.Result) {
	t.Helper()
	var got []convert.Note
	for _, c := range result.CRDs {
		got = append(got, c.Notes...)
	}
	want := f.expectedNotes(t)
	for _, e := range want {
		found := e.optional
		for _, n := range got {
			found = found || e.matches(n)
		}
		if !found {
			t.Errorf("no note matches\n\t%s", e.line)
		}
	}
	for _, n := range got {
		found := n.Class == policy.Safe
		for _, e := range want {
			found = found || e.matches(n)
		}
		if !found {
			t.Errorf("nothing expects\n\t%s", show(n))
		}
	}
	if t.Failed() {
		for _, n := range got {
			t.Logf("got %s", show(n))
		}
	}
}

func show(n convert.Note) string {
	return fmt.Sprintf("%s %d:%d %s | %s", n.Class, n.Pos.Line, n.Pos.Column, n.ID, n.Message)
}

func (f fixture) checkSecondRun(t *testing.T, output []byte) {
	t.Helper()
	if again := f.convert(t, output); !bytes.Equal(again.Output, output) {
		t.Errorf("converting the output changes it again (- first, + second):\n%s", difference(output, again.Output))
	}
}

// checkLineEnds wants CRLF line ends and a byte order mark to make no other difference.
func (f fixture) checkLineEnds(t *testing.T, output []byte) {
	t.Helper()
	if bytes.Contains(f.input, []byte("\r\n")) || bytes.HasPrefix(f.input, []byte("\ufeff")) {
		return
	}
	for _, variant := range []struct {
		name string
		of   func([]byte) []byte
	}{
		{"CRLF line ends", func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }},
		{"a byte order mark", func(b []byte) []byte { return append([]byte("\ufeff"), b...) }},
	} {
		got, want := f.convert(t, variant.of(f.input)).Output, variant.of(output)
		if !bytes.Equal(got, want) {
			t.Errorf("with %s the output differs (- expected, + got):\n%s", variant.name, difference(want, got))
		}
	}
}

// rewrite makes the output the expected one, in as few files as can say it.
func (f fixture) rewrite(t *testing.T, output []byte) {
	t.Helper()
	if _, same := f.want(t); same {
		return
	}
	own := f.path(f.options.Policy, "."+f.ext)
	if err := os.Remove(own); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if rest, _ := f.want(t); bytes.Equal(rest, output) {
		return
	}
	if err := os.WriteFile(own, output, 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) (text []byte, ok bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return text, err == nil
}

// difference shows two texts line by line, by their longest common subsequence. White space at a line's end is made
// visible.
func difference(from, to []byte) string {
	a, b := strings.SplitAfter(string(from), "\n"), strings.SplitAfter(string(to), "\n")
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out strings.Builder
	line := func(sign, text string) {
		if text == "" {
			return // after the last line end
		}
		text, ended := strings.CutSuffix(text, "\n")
		if !ended {
			text += " (no line end)"
		}
		if visible := strings.TrimRight(text, " \t\r"); visible != text {
			text = visible + strings.Trim(fmt.Sprintf("%q", text[len(visible):]), `"`) + "$"
		}
		fmt.Fprintf(&out, "\t%s %s\n", sign, text)
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			line(" ", a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			line("-", a[i])
			i++
		default:
			line("+", b[j])
			j++
		}
	}
	return out.String()
}

// TestAdvised: a note whose message names a setting says which one it advises.
func TestAdvised(t *testing.T) {
	t.Parallel()
	met := map[policy.Choice]bool{}
	for _, f := range fixtures(t) {
		for _, chosen := range []policy.Policy{policy.Exact, policy.Idiomatic} {
			f.options.Policy = chosen
			for _, c := range f.convert(t, f.input).CRDs {
				for _, n := range c.Notes {
					if named := (strings.Contains(n.Message, "--") || strings.Contains(n.Message, "convert.")); named != (n.Advised != policy.Choice{}) || named && !strings.Contains(n.Message, n.Advised.String()) {
						t.Errorf("%s: %q advises %s", f.name, n.Message, n.Advised)
					}
					met[n.Advised] = true
				}
			}
		}
	}
	for _, choice := range []policy.Choice{{Name: "on-loss", Word: "drop"}, {Name: "unknown-fields", Word: "preserve"}, {Name: "unapproved-api"}, {Name: "policy", Word: "idiomatic"}} {
		if !met[choice] {
			t.Errorf("nothing advises %s", choice)
		}
	}
}
