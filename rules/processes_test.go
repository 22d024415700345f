package rules

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// toldTo is the variable that has TestEveryProcess write what is said of all fixtures into a file.
const toldTo = "CRDLIFT_TEST_TOLD_TO"

// TestEveryProcess has eight processes, with one processor and with more, report on every fixture: all say the same. What Go
// chooses anew in a process, and in each walk through a map, must not be seen.
func TestEveryProcess(t *testing.T) {
	if path := os.Getenv(toldTo); path != "" {
		if err := os.WriteFile(path, tellAll(t), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Parallel()
	processes := 8
	if testing.Short() {
		processes = 2
	}
	var first []byte
	for i := range processes {
		path := filepath.Join(t.TempDir(), "told")
		cmd := exec.Command(os.Args[0], "-test.run=^TestEveryProcess$")
		cmd.Env = append(os.Environ(), toldTo+"="+path, fmt.Sprintf("GOMAXPROCS=%d", []int{1, 2, 4, 8}[i%4]))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		told, err := os.ReadFile(path)
		switch {
		case err != nil:
			t.Fatal(err)
		case i == 0:
			first = told
		case !bytes.Equal(told, first):
			t.Fatalf("process %d of %d says something else:\n%s", i+1, processes, cmp.Diff(strings.Split(string(first), "\n"), strings.Split(string(told), "\n")))
		}
	}
	if len(first) < 1<<20 {
		t.Errorf("little is said of the fixtures: %d bytes", len(first))
	}
}

// tellAll is what is said of all fixtures, of several at a time. Those of webhooks are asked elsewhere: they answer slowly.
func tellAll(t *testing.T) []byte {
	all := slices.DeleteFunc(fixtures(t), func(f fixture) bool { return f.conversions(t) != nil })
	texts := make([]string, len(all))
	InParallel(len(all), func(i int) {
		var out bytes.Buffer
		l := all[i].linter(t)
		if err := Write(&out, "json", l.Report([]*engine.FileReport{l.File(all[i].path, all[i].src)})); err != nil {
			t.Error(err)
		}
		texts[i] = out.String()
	})
	return []byte(strings.Join(texts, "\n"))
}

// inOrder are the fixtures in which the order of keys has a meaning.
var inOrder = map[string]string{
	"testdata/document/schema-wrapper-missing/want.yaml": "the finding is about the first of the keys that stand too high",
	"testdata/pruning/schema-required/ok-wrapper.yaml":   "the same",
	"testdata/document/wrong-type/want-versions.yaml":    "the keys are the versions of a list",
}

// TestOrderOfKeys shuffles the keys of the mappings of fixtures. YAML gives that order no meaning, and what is said does not
// depend on it, but for positions and for the order in which a message lists several things.
func TestOrderOfKeys(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(corpus.Seed(t), 1))
	compared := 0
	for _, f := range fixtures(t) {
		l := f.linter(t)
		if l.Kind != nil || l.Conversions != nil || l.Go != nil || inOrder[f.path] != "" || strings.Contains(string(f.src), "crdlift:ignore") {
			continue
		}
		doc, err := yaml.Parse(string(f.src))
		if err != nil || bytes.Contains(f.src, []byte("\n---")) || !isPlainTree(doc.YNode()) {
			continue
		}
		say := func() []string {
			dropComments(doc.YNode())
			text, err := doc.String()
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, one := range l.Report([]*engine.FileReport{l.File(f.path, []byte(text))}).Findings {
				words := strings.Fields(strings.NewReplacer(",", "", ";", "").Replace(one.Message)) // as they stand after the last of a list
				slices.Sort(words)
				all = append(all, fmt.Sprintf("%s %v %s", one.Rule.ID, one.Severity, words))
			}
			slices.Sort(all)
			return all
		}
		before := say()
		shuffle(r, doc.YNode())
		if diff := cmp.Diff(before, say()); diff != "" {
			t.Errorf("%s: another order of keys, and the findings differ; CRDLIFT_SEED=%d shuffles them again:\n%s", f.path, corpus.Seed(t), diff)
		}
		compared++
	}
	if compared < 300 {
		t.Errorf("%d fixtures are compared", compared)
	}
}

// TestOrderOfFiles reports on files in one order and in the other: findings are in that of the files, and otherwise the same.
func TestOrderOfFiles(t *testing.T) {
	t.Parallel()
	var all []fixture
	for i, f := range fixtures(t) {
		if i%3 == 0 && !strings.Contains(f.path, "/object/") && !strings.Contains(f.path, "/tested/") {
			all = append(all, f)
		}
	}
	say := func() map[string][]string {
		l := &Linter{}
		var files []*FileReport
		for _, f := range all {
			files = append(files, l.File(f.path, f.src))
		}
		said, order := map[string][]string{}, []string{}
		for _, one := range l.Report(files...).Findings {
			if len(order) == 0 || order[len(order)-1] != one.Pos.File {
				order = append(order, one.Pos.File)
			}
			said[one.Pos.File] = append(said[one.Pos.File], fmt.Sprintf("%d:%d %s %s", one.Pos.Line, one.Pos.Column, one.Rule.ID, one.Message))
		}
		at := func(path string) int { return slices.IndexFunc(all, func(f fixture) bool { return f.path == path }) }
		if !slices.IsSortedFunc(order, func(a, b string) int { return at(a) - at(b) }) {
			t.Error("findings are not in the order of the files")
		}
		return said
	}
	before := say()
	slices.Reverse(all)
	if diff := cmp.Diff(before, say()); diff != "" {
		t.Error(diff)
	}
	if len(before) < 100 {
		t.Errorf("findings in %d files", len(before))
	}
}

// isPlainTree reports whether the order of a tree's keys has no meaning: no key twice, no anchors.
func isPlainTree(n *yaml.Node) bool {
	keys := map[string]bool{}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if keys[child.Value] {
				return false
			}
			keys[child.Value] = true
		}
		if !isPlainTree(child) {
			return false
		}
	}
	return n.Anchor == "" && n.Kind != yaml.AliasNode
}

func dropComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		dropComments(child)
	}
}

func shuffle(r *rand.Rand, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		r.Shuffle(len(n.Content)/2, func(i, j int) {
			n.Content[2*i], n.Content[2*j] = n.Content[2*j], n.Content[2*i]
			n.Content[2*i+1], n.Content[2*j+1] = n.Content[2*j+1], n.Content[2*i+1]
		})
	}
	for _, child := range n.Content {
		shuffle(r, child)
	}
}
