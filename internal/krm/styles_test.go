package krm

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/styles"
)

// TestStyles calls the function with lists that are written in other ways: items that are not CRDs are unchanged,
// whether the CRDs are converted or rejected.
func TestStyles(t *testing.T) {
	t.Parallel()
	all := fixtures(t)
	lists := 600
	if testing.Short() {
		lists = 100
	}
	called, kept := 0, 0
	for seed := range uint64(lists) {
		r := rand.New(rand.NewPCG(seed, 34))
		varied, made := styles.Vary([]byte(newCall(r, all).text), r, 1+r.IntN(4))
		in, err := readList(varied)
		if err != nil {
			continue // more than one document by now
		}
		out, _, err := call(t, string(varied))
		if err != nil && !errors.Is(err, ErrFindings) {
			if strings.Contains(err.Error(), "functionConfig") || strings.Contains(err.Error(), "results cannot be added") {
				continue
			}
			t.Fatalf("seed %d, %q: %v\n%s", seed, made, err, varied)
		}
		called++
		rest := out
		for _, text := range othersIn(in) {
			_, behind, found := strings.Cut(rest, text)
			if !found {
				t.Fatalf("seed %d, %q: an item changed:\n%s\n%s\n%s", seed, made, text, varied, out)
			}
			rest = behind
			kept++
		}
	}
	t.Logf("%d of %d lists were answered, %d items that are no CRDs are in them", called, lists, kept)
	if called*2 < lists || kept < lists/4 {
		t.Error("too few lists or items to tell")
	}
}

// othersIn are the lines of the items of a list in block style that are not CRDs, each up to the line of the next item.
func othersIn(l *resourceList) (all []string) {
	if list := l.field("items"); list == nil || list.Style&yaml.FlowStyle != 0 {
		return nil
	}
	lines := strings.SplitAfter(string(l.text), "\n")
	for i := 0; i+1 < len(l.items); i++ {
		found, _ := crd.Find(crd.Deref(l.items[i].node))
		from, _ := l.document.Begin(l.items[i].node)
		to, _ := l.document.Begin(l.items[i+1].node)
		if len(found) == 0 && from < to {
			all = append(all, strings.Join(lines[from-1:to-1], ""))
		}
	}
	return all
}
