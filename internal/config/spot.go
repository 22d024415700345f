package config

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
)

// A Spot is a place in the text of a configuration that somebody writes at: a key or a value, which may not be written yet.
type Spot struct {
	Start, End int // of what is written, as offsets
	IsKey      bool
	IsRule     bool // the ids of rules belong here

	schema schemas         // of the mapping, or of the value
	taken  map[string]bool // the keys of the mapping
	whole  bool            // a key is written without its colon: that is there, or comes after a quote
	atEnd  bool            // of its line
}

// A Word is what may be written at a spot.
type Word struct {
	Text   string
	Insert string // with what has to follow it
	Doc    string // "" for none
}

// SpotAt finds the spot at an offset of a text, which may be unfinished there; nil where nothing of the configuration can be,
// as in a comment.
func SpotAt(text []byte, offset int) *Spot {
	start, end := offset, offset
	for start > 0 && inWord(text[start-1]) {
		start--
	}
	for end < len(text) && inWord(text[end]) {
		end++
	}
	rest := text[end:]
	line := len(lines.Text(rest))
	quoted := start > 0 && (text[start-1] == '"' || text[start-1] == '\'')
	colon := hasColon().Match(rest[:line])
	endings := []string{":", ""} // a key that is typed has no colon yet, and does not parse without one
	if colon || quoted {
		endings = endings[1:]
	}
	for _, after := range [][]byte{rest, rest[:line]} { // what follows may be unfinished as well
		for _, ending := range endings {
			src := slices.Concat(text[:start], []byte(standIn+ending), after)
			if s := find(src); s != nil {
				s.Start, s.End, s.whole = start, end, colon || quoted
				s.atEnd = len(bytes.TrimSpace(rest[:line])) == 0
				return s
			}
		}
	}
	return nil
}

// hasColon matches what follows a key that has its colon.
var hasColon = text.Pattern(`^["']?[ \t]*:([ \t]|$)`)

// standIn is written in the place of a word, to be found again in the tree.
const standIn = "crdlift0standIn"

func inWord(b byte) bool {
	return b == '-' || b == '_' || b == '.' || b == '*' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// find finds the stand-in in a text.
func find(src []byte) *Spot {
	for _, d := range manifest.Parse("", src).Documents {
		if d.Err == nil && d.Root != nil {
			if s := spotIn(d.Root.YNode(), "", fileSchema().all()); s != nil {
				return s
			}
		}
	}
	return nil
}

// spotIn finds the stand-in below the value of a key, in a tree that a schema describes.
func spotIn(n *yaml.Node, key string, described schemas) *Spot {
	switch n.Kind {
	case yaml.MappingNode:
		return spotInMapping(n, key, described)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if s := spotIn(item, key, described.items()); s != nil {
				return s
			}
		}
	case yaml.ScalarNode:
		if n.Value == standIn && len(described) > 0 {
			return &Spot{IsRule: key == "rule", schema: described}
		}
	}
	return nil
}

func spotInMapping(n *yaml.Node, key string, described schemas) *Spot {
	keys := map[string]bool{}
	var found *Spot
	for _, e := range crd.Entries(n) {
		name := e.Key.Value
		keys[name] = true
		switch {
		case found != nil:
		case name != standIn:
			found = spotIn(e.Value, name, described.below(name))
		case described.is("object"):
			found = &Spot{IsKey: true, IsRule: key == "rules", schema: described, taken: keys}
		}
	}
	return found
}

// Doc is what the schema says of what is written at the spot, in Markdown; "" for nothing.
func (s *Spot) Doc(written string) string {
	if s.IsKey {
		return s.schema.below(written).doc()
	}
	return s.schema.doc()
}

// Words are what may be written at the spot. The ids of rules are not among them.
func (s *Spot) Words() (all []Word) {
	if !s.IsKey {
		for _, value := range s.schema.words() {
			all = append(all, Word{Text: value, Insert: value})
		}
		return all
	}
	for _, key := range s.schema.keys() {
		if s.taken[key] {
			continue
		}
		below := s.schema.below(key)
		w := Word{Text: key, Insert: s.Key(key), Doc: below.doc()}
		if s.atEnd && (below.is("object") || below.is("array")) {
			w.Insert = strings.TrimSuffix(w.Insert, " ")
		}
		all = append(all, w)
	}
	return all
}

// Key is how a key is written at the spot.
func (s *Spot) Key(name string) string {
	if !s.IsKey || s.whole {
		return name
	}
	return name + ": "
}
