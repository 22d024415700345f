// Package styles writes manifests in other ways without changing what they say, for tests of what reads and writes text:
// comments anywhere, every style of scalars and collections, other indentation and line ends, anchors and tags, ends of
// documents and directives, other documents around.
package styles

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Vary makes a number of random changes to how a file of manifests is written; made names them. What the documents say
// stays, and their order; there may be more of them. Where a change would say something else, it is not made.
func Vary(src []byte, r *rand.Rand, changes int) (varied []byte, made []string) {
	said := sayings(src)
	for tries := 0; len(made) < changes && tries < 4*changes; tries++ {
		c := all[r.IntN(len(all))]
		text := &text{src: src, r: r}
		to := c.change(text)
		if to == nil || bytes.Equal(to, src) {
			continue
		}
		if now := sayings(to); now != nil && holds(now, said) {
			src, said, made = to, now, append(made, c.name)
		}
	}
	return src, made
}

// Random returns the random numbers of the n-th of so many cases. Half of them are the same in every run, so that what was
// found is found again; the others are new every day, so that more is. The seed is for messages.
func Random(n, cases int) (r *rand.Rand, seed uint64) {
	seed = uint64(n)
	if n >= cases/2 {
		seed += uint64(time.Now().Unix()/int64(24*time.Hour/time.Second)) << 32
	}
	return rand.New(rand.NewPCG(seed, 0)), seed
}

// sayings are the documents of a file that say something, as JSON; nil when not all can be read.
func sayings(src []byte) []string {
	said := []string{}
	for _, d := range manifest.Parse("", src).Documents {
		if d.Err != nil {
			return nil
		}
		if d.Root == nil {
			continue
		}
		raw, err := yaml11.ToJSON(d.Root.YNode())
		if err != nil {
			return nil
		}
		said = append(said, string(raw))
	}
	return said
}

// holds reports whether all sayings of before are among those of now, in their order.
func holds(now, before []string) bool {
	for _, s := range now {
		if len(before) > 0 && s == before[0] {
			before = before[1:]
		}
	}
	return len(before) == 0
}

// A change writes a text in another way; nil when it finds no place for that.
type change struct {
	name   string
	change func(t *text) []byte
}

var all = slices.Concat(ofLines, ofDocuments, ofValues)

// A text is a file that is being changed.
type text struct {
	src []byte
	r   *rand.Rand
}

// one picks one of some texts.
func (t *text) one(of ...string) string { return pick(t, of) }

// lines are those of the text, with their ends.
func (t *text) lines() [][]byte { return bytes.SplitAfter(t.src, []byte("\n")) }

// with returns the text with a range replaced.
func (t *text) with(start, end int, by string) []byte {
	return slices.Concat(t.src[:start], []byte(by), t.src[end:])
}

// An entry is a key and its value, with what a change has to know of their places.
type entry struct {
	key, value       *yaml.Node
	column           int // of the key
	keyStart, keyEnd int
	start, end       int
	onLine           bool // the value begins on the line of the key
	onlyOne          bool // the value is on one line
}

// entry picks an entry of a mapping that is written as a block.
func (t *text) entry(fits func(e *entry) bool) *entry {
	var found []*entry
	for _, d := range manifest.Parse("", t.src).Documents {
		if d.Root == nil {
			continue
		}
		var visit func(n *yaml.Node)
		visit = func(n *yaml.Node) {
			if n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 {
				for i := 0; i+1 < len(n.Content); i += 2 {
					if e := t.entryOf(d, n.Content[i], n.Content[i+1]); e != nil && fits(e) {
						found = append(found, e)
					}
				}
			}
			for _, c := range n.Content {
				visit(c)
			}
		}
		visit(d.Root.YNode())
	}
	return pick(t, found)
}

// pick picks one of several; it is the zero value for none.
func pick[T any](t *text, of []T) (one T) {
	if len(of) == 0 {
		return one
	}
	return of[t.r.IntN(len(of))]
}

func (t *text) entryOf(d *manifest.Document, key, value *yaml.Node) *entry {
	e := &entry{key: key, value: value}
	var ok, there bool
	e.keyStart, e.keyEnd, ok = d.Span(key)
	e.start, e.end, there = d.Span(value)
	if !ok || !there || e.start < e.keyEnd || e.end <= e.start || value.Kind == yaml.AliasNode {
		return nil
	}
	e.column = e.keyStart - 1 - bytes.LastIndexByte(t.src[:e.keyStart], '\n')
	e.onLine = bytes.IndexByte(t.src[e.keyEnd:e.start], '\n') < 0
	e.onlyOne = bytes.IndexByte(t.src[e.start:e.end], '\n') < 0
	return e
}
