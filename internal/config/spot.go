package config

import (
	"bytes"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/skeleton"
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
	for _, at := range skeleton.Of(text, offset).Spots(text, offset) {
		described, key := describedBy(at.In)
		s := &Spot{Start: at.Start, End: at.End, schema: described, taken: map[string]bool{}}
		rest := lines.Text(text[at.End:])
		s.whole = hasColon().Match(rest)
		if written := text[at.Start:at.End]; len(written) > 0 && (written[0] == '"' || written[0] == '\'') {
			s.whole = true
			s.Start++
			s.End = s.Start + len(bytes.TrimSuffix(written[1:], written[:1]))
		}
		s.atEnd = len(bytes.TrimSpace(rest)) == 0
		switch {
		case at.Key && described.is("object"):
			s.IsKey, s.IsRule = true, key == "rules"
			for _, c := range at.In.Children {
				s.taken[c.Key] = c != at.Written
			}
			return s
		case at.Value && len(described) > 0:
			s.IsRule = key == "rule"
			return s
		}
	}
	return nil
}

// hasColon matches what follows a key that has its colon.
var hasColon = text.Pattern(`^["']?[ \t]*:([ \t]|$)`)

// describedBy is what describes a value, and the key of the value or of the list that it is in.
func describedBy(n *skeleton.Node) (described schemas, key string) {
	if n.Parent == nil {
		return fileSchema().all(), ""
	}
	around, key := describedBy(n.Parent)
	if n.Parent.Kind == skeleton.Sequence {
		return around.items(), key
	}
	return around.below(n.Key), n.Key
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
