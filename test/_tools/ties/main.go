// Command ties counts in which ways the files of a package depend on each other. `make ties` runs it.
//
//	go run ./test/_tools/ties [-list] [PACKAGE...]
//
// A file has a tie to another of its package if it uses something that the other declares: a type, a field or method of
// one, a function, a variable or a constant. The files are put in an order in which as few ties as possible lead up: none
// do if the files of a package depend one way. Its floors are the longest way along the ties that lead down.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/testing/checked"
)

func main() {
	list := flag.Bool("list", false, "list the ties that lead up, with what is used")
	flag.Parse()
	if err := run(os.Stdout, *list, flag.Args()...); err != nil {
		fmt.Fprintln(os.Stderr, "ties:", err)
		os.Exit(1)
	}
}

// run prints a line for each package that the patterns of go list name.
func run(w io.Writer, list bool, patterns ...string) error {
	packages, err := checked.Load(patterns...)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%-50s %6s %6s %6s %6s\n", "package", "files", "floors", "ties", "up")
	for _, p := range packages {
		uses := usesOf(p)
		floors, up := build(p.GoFiles, uses)
		fmt.Fprintf(w, "%-50s %6d %6d %6d %6d\n", p.ImportPath, len(p.GoFiles), floors, len(uses), len(up))
		for i := 0; list && i < len(up); i++ {
			fmt.Fprintf(w, "\t%s -> %s: %s\n", up[i].from, up[i].to, strings.Join(slices.Sorted(maps.Keys(uses[up[i]])), ", "))
		}
	}
	return nil
}

// A tie leads from a file to one that declares something it uses.
type tie struct{ from, to string }

// usesOf finds the names behind each tie of a package.
func usesOf(p *checked.Package) map[tie]map[string]bool {
	uses := map[tie]map[string]bool{}
	for ident, object := range p.Info.Uses {
		if object.Pkg() != p.Types || object.Parent() != p.Types.Scope() && object.Parent() != nil { // methods and fields have no parent
			continue
		}
		t := tie{p.At(ident.Pos()), p.At(object.Pos())}
		if t.from != t.to {
			if uses[t] == nil {
				uses[t] = map[string]bool{}
			}
			uses[t][object.Name()] = true
		}
	}
	return uses
}

// build orders files so that few ties lead up: it moves one file at a time to where the fewest do, as long as that helps.
// The fewest of all are out of reach (it is the minimum feedback arc set); this comes close, and is always the same.
func build[V any](files []string, uses map[tie]V) (floors int, up []tie) {
	// From the lowest; at first what uses little and is used much.
	weight := map[string]int{}
	for t := range uses {
		weight[t.from]++
		weight[t.to]--
	}
	order := slices.SortedFunc(slices.Values(files), func(a, b string) int {
		return cmp.Or(cmp.Compare(weight[a], weight[b]), cmp.Compare(a, b))
	})
	up = leadUp(order, uses)
	for moved := true; moved; {
		moved = false
		for _, file := range files {
			rest := slices.DeleteFunc(slices.Clone(order), func(f string) bool { return f == file })
			for i := range files {
				other := slices.Insert(slices.Clone(rest), i, file)
				if fewer := leadUp(other, uses); len(fewer) < len(up) {
					order, up, moved = other, fewer, true
				}
			}
		}
	}
	floor := map[string]int{}
	for _, file := range order {
		floor[file] = 1
		for t := range uses {
			if t.from == file && !slices.Contains(up, t) {
				floor[file] = max(floor[file], floor[t.to]+1)
			}
		}
		floors = max(floors, floor[file])
	}
	return floors, up
}

// leadUp are the ties of a file to one that comes later in an order, sorted.
func leadUp[V any](order []string, uses map[tie]V) []tie {
	place := map[string]int{}
	for i, file := range order {
		place[file] = i
	}
	var up []tie
	for t := range uses {
		if place[t.to] > place[t.from] {
			up = append(up, t)
		}
	}
	return slices.SortedFunc(slices.Values(up), func(a, b tie) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
}
