package objects

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A kind has the CRDs of one kind, with all the places that each of them is in.
type kind struct {
	all   []*Definition // the first of each that says something else
	first map[content]*Definition
	in    [standings]places

	closed bool // to further ones
}

// A content tells CRDs from their copies: all that a server asks about one, or why it cannot be read.
type content struct {
	says   [sha256.Size]byte
	unread string
}

func (d *Definition) content() content { return content{d.says, d.unread} }

// IsCopy reports whether two CRDs say the same.
func (d *Definition) IsCopy(of *Definition) bool { return d.content() == of.content() }

// A standing says before which others a CRD judges objects: only those of the first that has any are asked.
type standing int

const (
	named      standing = iota // as the ones to judge by
	namedLast                  // the same, of those that would not judge if they were found
	within                     // of a test or an older release, for what is in the folder of that
	live                       // installed: sources, and what is made of them
	spare                      // not installed as they are, such as bundles
	foreignOne                 // those of other projects
	standings
)

func (d *Definition) standing() standing {
	at := live
	switch d.Role {
	case lint.RoleTest, lint.RoleOld:
		at = within
	case lint.RoleBundle, lint.RoleDocs, lint.RoleSample:
		at = spare
	case lint.RoleForeign:
		at = foreignOne
	}
	switch {
	case d.Given && at == live:
		return named
	case d.Given:
		return namedLast
	}
	return at
}

// places are the CRDs in a folder and anywhere below it, of copies the first by compare: by the folder, which ends in a slash. An
// object is looked up in the folders around it, however many CRDs there are.
type places map[string]map[content]*Definition

// add adds a CRD. A copy shares the decoded form of the first that says the same, and what judges by it.
func (k *kind) add(d *Definition) {
	switch first := k.first[d.content()]; {
	case first == nil:
		k.all, k.first[d.content()] = append(k.all, d), d
	case d.unread == "":
		if d.judge = first.judge; d.bare == first.bare {
			shared := *first.Hub
			shared.Status = d.Hub.Status // of its own cluster
			d.Hub = &shared
		}
	}
	at, from := d.standing(), ""
	if at == within {
		from = slashed(cmp.Or(d.Below, path.Dir(d.Path)))
	}
	for folder := range foldersAround(d.Path) {
		if !strings.HasPrefix(folder, from) {
			continue
		}
		if k.in[at][folder] == nil {
			if k.in[at] == nil {
				k.in[at] = places{}
			}
			k.in[at][folder] = map[content]*Definition{}
		}
		if was := k.in[at][folder][d.content()]; was == nil || d.compare(was) < 0 {
			k.in[at][folder][d.content()] = d
		}
	}
}

// candidates are the CRDs that may judge the objects in the file at a path, of copies the nearest, in an order that does not depend on
// the one in which they were added: the nearest first. More is the number of those above limit.Variants.
func (k *kind) candidates(file string) (all []*Definition, more int) {
	around := slices.Collect(foldersAround(file))
	for _, in := range k.in {
		said := map[content]bool{}
		for _, folder := range slices.Backward(around) {
			var here []*Definition
			for what, d := range in[folder] {
				if !said[what] {
					said[what], here = true, append(here, d)
				}
			}
			slices.SortFunc(here, (*Definition).compare)
			all = append(all, here...)
		}
		if len(all) > 0 {
			break
		}
	}
	keep := min(len(all), limit.Variants)
	return all[:keep], len(all) - keep
}

// counts is the same of one kind.
func (k *kind) counts(file string) bool {
	found, _ := k.candidates(file)
	return len(found) > 0
}

// compare orders CRDs that stand as near to an object: what others are made from is before these, and what needs rendering last.
func (d *Definition) compare(other *Definition) int {
	rendered := func(d *Definition) int { return map[bool]int{true: 1}[d.IsTemplate()] }
	return cmp.Or(cmp.Compare(madeAfter(d.Role), madeAfter(other.Role)), rendered(d)-rendered(other), strings.Compare(d.Path, other.Path),
		d.Document.Index-other.Document.Index, d.Nth-other.Nth)
}

func madeAfter(r lint.Role) int {
	return slices.Index([]lint.Role{lint.RoleBuilt, lint.RoleChart}, r)
}

// foldersAround are the folders around a file, the outermost first. All have slashes at their ends. They are counted from the root,
// however the path is written, and the last is for the files beside it alone.
func foldersAround(file string) func(yield func(folder string) bool) {
	return func(yield func(folder string) bool) {
		dir := slashed(path.Dir(file)) + "./"
		for at := 0; yield(dir[:at]) && at < len(dir); {
			at += strings.IndexByte(dir[at:], '/') + 1
		}
	}
}

// slashed is a folder from the root, with a slash at its end.
func slashed(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil { // there may be no working directory
		dir = filepath.ToSlash(abs)
	}
	return strings.TrimSuffix(dir, "/") + "/"
}

// kindNames are the kinds of a group, and what else its CRDs call them, in lower case: objects may ask for many that it does not have.
type kindNames struct {
	kinds  *text.Words
	called map[string]string
}

func namesIn(kinds map[string]*kind) *kindNames {
	names := slices.Sorted(maps.Keys(kinds))
	k := &kindNames{text.NewWords(names), map[string]string{}}
	for _, name := range names {
		for _, d := range kinds[name].all {
			names := d.Hub.Spec.Names
			for _, other := range append([]string{names.Plural, names.Singular, names.ListKind}, names.ShortNames...) {
				if other = strings.ToLower(other); k.called[other] == "" {
					k.called[other] = name
				}
			}
		}
	}
	return k
}

// meant returns the kind whose plural, singular, short name or list a word is or, if it is none, that is near it; "" for none.
func (k *kindNames) meant(word string) string {
	if name := k.called[strings.ToLower(word)]; name != "" {
		return name
	}
	near := k.kinds.Nearest(word)
	return append(near, "")[0]
}
