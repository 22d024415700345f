package before

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
)

// A content is the text of a file of the old side, split into documents. Trees take many times the room of their text,
// so that a document is parsed when someone asks for one of its CRDs, and only one with several is kept.
type content struct {
	known     *names
	documents []*document
	mentions  mentions                     // of the documents; nil for a single one
	broken    func(error)                  // told of a document that may hold a CRD and does not parse
	misspelt  func(name string, err error) // told of what was meant to be a CRD
}

// A document is one document of the old side, in YAML without its tree.
type document struct {
	*manifest.Document

	mu   sync.Mutex
	kept *found // when there are several CRDs: others will be asked for
}

// What is found in a document.
type found struct {
	crds   []engine.OldCRD // in the order of the text
	byName map[string][]engine.OldCRD
}

// newContent splits a file. What is known of its names may be from an earlier time; that the text is another one now is
// an error.
func newContent(label string, text []byte, known *names, broken func(error), misspelt func(string, error)) (*content, error) {
	c := &content{known: known, broken: broken, misspelt: misspelt}
	for _, d := range manifest.Split(label, text).Documents {
		c.documents = append(c.documents, &document{Document: d})
	}
	if !known.areOf(text, len(c.documents)) {
		return nil, fmt.Errorf("%s was changed meanwhile", label)
	}
	if len(c.documents) > 1 {
		c.mentions = mentions{}
	}
	for i, d := range c.documents {
		if d.Err != nil && crd.MayHold(d.Text()) {
			broken(d.Err)
		}
		switch {
		case d.Err != nil || !mayHold(d.Text()):
			known.set(i, nil)
		case c.mentions != nil:
			c.mentions.add(i, d.Text())
		}
	}
	return c, nil
}

// mentioning lists the documents that may hold a CRD of a name.
func (c *content) mentioning(name string) []int {
	if c.mentions != nil {
		return c.mentions.of(name)
	}
	return []int{0}[:len(c.documents)]
}

// find gives the CRD of a name with as many above it as nth says, or else the last; nil when there is none.
func (c *content) find(name string, nth int) *engine.OldCRD {
	last := -1
	for _, i := range c.mentioning(name) {
		n, known := c.known.count(i, name)
		if !known || nth < n {
			all := c.look(i).byName[name]
			if nth < len(all) {
				return &all[nth]
			}
			n = len(all)
		}
		if nth -= n; n > 0 {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	all := c.look(last).byName[name]
	return &all[len(all)-1]
}

// look parses a document. One that does not parse holds nothing.
func (c *content) look(i int) *found {
	d := c.documents[i]
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kept != nil {
		return d.kept
	}
	out := &found{byName: map[string][]engine.OldCRD{}}
	parsed := d.Document
	if parsed.Root == nil {
		if parsed = d.Parsed(); parsed.Err != nil {
			c.broken(parsed.Err)
		}
	}
	if parsed.Root != nil {
		crds, _ := crd.Find(parsed.Root.YNode())
		for _, c := range crds {
			if c.IsPart() {
				continue // a patch, say, which is at most a part of what the CRD was, or tellMeant has it
			}
			old, name := engine.OldCRD{CRD: c, Document: parsed}, c.Name()
			out.crds = append(out.crds, old)
			out.byName[name] = append(out.byName[name], old)
		}
	}
	if parsed.Root != nil {
		c.tellMeant(parsed)
	}
	c.known.set(i, out)
	if len(out.crds) > 1 {
		d.kept = out
	}
	return out
}

// tellMeant tells of the objects of a document whose head, or the key of whose spec, is misspelt.
func (c *content) tellMeant(d *manifest.Document) {
	found, _ := crd.Find(d.Root.YNode())
	found = slices.DeleteFunc(found, func(one *crd.CRD) bool { return !one.IsPart() })
	for _, meant := range append(found, crd.Meant(d.Root.YNode())...) {
		if slips := meant.Slips(); len(slips) > 0 && meant.Name() != "" {
			line, column := d.Begin(slips[0].Place.Node)
			c.misspelt(meant.Name(), fmt.Errorf("%s:%d:%d: %s", d.File.Path, line, column, slips[0].Message().Brief()))
		}
	}
}

// mayHold reports whether a text may hold a CRD, or what was meant to be one.
func mayHold(text []byte) bool {
	return bytes.Contains(text, []byte(crd.Kind)) || bytes.Contains(text, []byte(crd.Group)) || isVeiled(text)
}

// A names is which CRDs a file has, as far as its documents have been parsed. It stays when the text is gone.
type names struct {
	mu        sync.Mutex
	text      uint64           // its hash
	documents []map[string]int // how many there are of each name; nil where nobody has looked
	unknown   int              // documents that nobody has looked into; -1 before the file was read
	all       map[string]bool
}

func newNames() *names { return &names{unknown: -1, all: map[string]bool{}} }

// areOf says whether the names are those of a text, which has so many documents.
func (n *names) areOf(text []byte, documents int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	hash := maphash.Bytes(seed, text)
	if n.unknown < 0 {
		n.text, n.documents, n.unknown = hash, make([]map[string]int, documents), documents
	}
	return n.text == hash
}

// set notes what a document has; nil for nothing.
func (n *names) set(document int, f *found) {
	counts := map[string]int{}
	if f != nil {
		for name, crds := range f.byName {
			counts[name] = len(crds)
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.documents[document] == nil {
		n.unknown--
	}
	n.documents[document] = counts
	for name := range counts {
		n.all[name] = true
	}
}

// count says how many CRDs of a name a document has.
func (n *names) count(document int, name string) (count int, known bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	counts := n.documents[document]
	return counts[name], counts != nil
}

// mayHave says whether the file may have a CRD of a name.
func (n *names) mayHave(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.unknown != 0 || n.all[name]
}

// mayHaveOthers says whether a file may have CRDs of other names than some, and whether one of its documents may.
func (n *names) mayHaveOthers(than map[string]bool) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.unknown != 0 || hasOthers(n.all, than)
}

func (n *names) mayHaveOthersIn(document int, than map[string]bool) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.documents[document] == nil || hasOthers(n.documents[document], than)
}

func hasOthers[V any](names map[string]V, than map[string]bool) bool {
	for name := range names {
		if !than[name] {
			return true
		}
	}
	return false
}
