package repository

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// A spot is a document of a file.
type spot struct {
	file  string
	index int
}

// Same tells the CRDs of some files apart by their text. Templates are like no other, since what they become depends on their chart, nor
// is what has a comment for crdlift. It also counts, by file, the documents of which others are copies.
func (r *Repository) Same(files []string) (same func(file string, document int) lint.Sameness, judged map[string]int) {
	judged = map[string]int{}
	alike, crowded := map[string][]*Document{}, map[spot]int{}
	for _, file := range files {
		for _, d := range r.in[file] {
			if crowded[spot{file, d.Index}]++; d.text != "" {
				alike[d.text] = append(alike[d.text], d)
			}
		}
	}
	all := map[spot]lint.Sameness{}
	for text, docs := range alike {
		docs = slices.DeleteFunc(docs, func(d *Document) bool { return crowded[spot{d.File, d.Index}] > 1 })
		if len(docs) < 2 {
			continue
		}
		first := slices.MinFunc(docs, func(a, b *Document) int {
			return cmp.Or(a.Rank-b.Rank, compareFiles(a.File, b.File), a.Index-b.Index)
		})
		judged[first.File]++
		for _, d := range docs {
			all[spot{d.File, d.Index}] = lint.Sameness{Text: text, Judge: d == first, Written: d.Role == lint.RoleSource, Line: d.Line}
		}
	}
	return func(file string, document int) lint.Sameness { return all[spot{file, document}] }, judged
}
