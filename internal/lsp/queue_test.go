package lsp

import (
	"fmt"
	"slices"
	"testing"

	"go.lsp.dev/uri"
)

// TestQueue takes files by how urgent they are, each once, and those that were put off when no others wait.
func TestQueue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fill func(q *queue)
		want []string // files, with the lists that they are taken from
	}{
		"by lists":       {func(q *queue) { q.putOff("a"); q.add("b", false); q.add("c", true) }, []string{"c 0", "b 1", "a 2"}},
		"in their order": {func(q *queue) { q.add("b", false); q.add("a", false); q.putOff("d"); q.putOff("c") }, []string{"b 1", "a 1", "d 2", "c 2"}},
		"once":           {func(q *queue) { q.add("a", false); q.add("a", false); q.putOff("a") }, []string{"a 1"}},
		"sooner":         {func(q *queue) { q.putOff("a"); q.add("b", false); q.add("b", true); q.add("a", false) }, []string{"b 0", "a 1"}},
		"not any more":   {func(q *queue) { q.add("a", false); q.add("b", false); q.skip("a") }, []string{"b 1"}},
		"one is busy":    {func(q *queue) { q.add("a", true); q.add("b", false); q.claim("a") }, []string{"b 1"}},
	} {
		var q queue
		q.init()
		test.fill(&q)
		var got []string
		for range test.want {
			doc, list, ok := q.take()
			if !ok {
				t.Fatalf("%s: closed", name)
			}
			got = append(got, fmt.Sprintf("%s %d", doc, list))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		q.close()
		if doc, _, ok := q.take(); ok || doc != uri.URI("") {
			t.Errorf("%s: %q is taken of a closed queue", name, doc)
		}
	}
}
