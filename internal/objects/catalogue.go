package objects

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Catalogue has the CRDs that objects are checked with. It is filled by one goroutine, and then serves any number.
type Catalogue struct {
	// Deployed says that a cluster has the CRDs already: whether it would accept them today does not matter.
	Deployed bool
	Mutating []*Webhook // those that may change objects before they are validated

	groups map[string]map[string]*kind   // by group and kind
	known  map[string]func() *kindNames  // by group
	kinds  map[string][]string           // the groups that have one, by kind
	alike  map[string]func() *text.Words // the same
	count  int                           // of those that can be read
	closed bool                          // see Settle
	unread []*Definition                 // the others
	kept   servers
}

// Told is what a report says about the CRDs that count for objects anywhere, with what the earlier form of each, nil for none, says
// of its versions. CRDs in templates are left out.
func (c *Catalogue) Told(earlier func(d *Definition) *Definition) (all []lint.CRD) {
	for _, d := range c.Kinds() {
		if d.told.File == "" {
			continue
		}
		told := d.told
		if was := earlier(d); was != nil && was.unread == "" {
			told.Before = was.told.Versions
		}
		all = append(all, told)
	}
	return all
}

// Settle has CRDs that are added from now on count only for kinds that have none yet.
func (c *Catalogue) Settle() {
	if c.closed {
		return
	}
	c.closed = true
	for _, kinds := range c.groups {
		for _, k := range kinds {
			k.closed = true
		}
	}
}

// Add adds CRDs. Copies have one server, and each counts where it stands.
func (c *Catalogue) Add(all ...*Definition) {
	if c.groups == nil {
		c.groups, c.known = map[string]map[string]*kind{}, map[string]func() *kindNames{}
		c.kinds, c.alike = map[string][]string{}, map[string]func() *text.Words{}
	}
	for _, d := range all {
		group, name := d.Hub.Spec.Group, d.Hub.Spec.Names.Kind
		if k := c.groups[group][name]; k != nil && k.closed || c.Deployed && d.stored {
			continue
		}
		d.kept, d.deployed, d.Further = &c.kept, c.Deployed, c.closed
		if d.unread == "" {
			c.count++
		} else {
			c.unread = append(c.unread, d)
		}
		if group == "" || name == "" {
			continue
		}
		if c.groups[group] == nil {
			c.groups[group] = map[string]*kind{}
		}
		if c.groups[group][name] == nil {
			c.groups[group][name] = &kind{first: map[content]*Definition{}}
			c.kinds[name] = append(c.kinds[name], group)
			c.alike[name] = sync.OnceValue(func() *text.Words { return text.NewWords(c.kinds[name]) })
		}
		c.groups[group][name].add(d)
		c.known[group] = sync.OnceValue(func() *kindNames { return namesIn(c.groups[group]) })
	}
}

// Count is the number of CRDs that were added and can be read.
func (c *Catalogue) Count() int { return c.count }

// Versions are the names of the versions that the CRDs have, sorted.
func (c *Catalogue) Versions() []string {
	names := map[string]bool{}
	for _, kinds := range c.groups {
		for _, k := range kinds {
			for _, d := range k.all {
				for _, v := range d.Hub.Spec.Versions {
					names[v.Name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// MayDefine reports whether a text could hold an object of one of the CRDs: whether it names one of their groups, if need be
// in UTF-16.
func (c *Catalogue) MayDefine(src []byte) bool {
	src = text.WithoutNULs(src)
	for group := range c.groups {
		if bytes.Contains(src, []byte(group)) {
			return true
		}
	}
	return false
}

// Kinds lists one CRD for each kind, in the order of their paths and texts: the first of those that apply to objects anywhere.
func (c *Catalogue) Kinds() (all []*Definition) {
	for _, kinds := range c.groups {
		for _, k := range kinds {
			if found, _ := k.candidates(""); len(found) > 0 && found[0].unread == "" {
				all = append(all, found[0])
			}
		}
	}
	slices.SortFunc(all, inOrder)
	return all
}

// Served are the CRDs that define each kind, in the order of Kinds: of several that differ the one of the lowest rank. The second of a pair
// is one that differs and has the same rank; nil for none.
func (c *Catalogue) Served(rankOf func(path, crd string) int) (all [][2]*Definition) {
	for _, kinds := range c.groups {
		for _, k := range kinds {
			found, _ := k.candidates("")
			rank := func(d *Definition) int { return rankOf(d.Path, d.Name) }
			slices.SortStableFunc(found, func(a, b *Definition) int { return cmp.Compare(rank(a), rank(b)) })
			if len(found) == 0 || found[0].unread != "" {
				continue
			}
			pair := [2]*Definition{found[0]}
			if len(found) > 1 && rank(found[0]) == rank(found[1]) {
				pair[1] = found[1]
			}
			all = append(all, pair)
		}
	}
	slices.SortFunc(all, func(a, b [2]*Definition) int { return inOrder(a[0], b[0]) })
	return all
}

// inOrder orders CRDs by their paths and texts.
func inOrder(a, b *Definition) int {
	return cmp.Or(strings.Compare(a.Document.File.Path, b.Document.File.Path), a.Document.Index-b.Document.Index, strings.Compare(a.Name, b.Name))
}

// Unread are the CRDs that cannot be read. Their objects cannot be checked, and are not to be taken for those of somebody else.
func (c *Catalogue) Unread() []*Definition { return c.unread }

// unreadOf returns a CRD that cannot be read, of unknown group or kind, whose text has the group and kind of an object; nil for
// none. One that was named comes first.
func (c *Catalogue) unreadOf(o *Object) (found *Definition) {
	for _, d := range c.unread {
		if d.standing() == within {
			continue
		}
		if d.Hub.Spec.Group == "" || d.Hub.Spec.Names.Kind == "" {
			words := bytes.FieldsFunc(text.WithoutNULs(d.Document.Text()), func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '-'
			})
			has := func(word string) bool {
				return slices.ContainsFunc(words, func(w []byte) bool { return string(w) == word })
			}
			if (found == nil || d.Given && !found.Given) && has(o.Group) && has(o.Kind) {
				found = d
			}
		}
	}
	return found
}

// Of are the CRDs that apply to objects of a kind in the file at a path, the first of which counts most.
func (c *Catalogue) Of(group, name, path string) []*Definition {
	k := c.groups[group][name]
	if k == nil {
		return nil
	}
	found, _ := k.candidates(path)
	return found
}
