package overview

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

const (
	// maxMessages bounds the messages of a rule that are kept, and maxPlaces the places of each.
	maxMessages = 50
	maxPlaces   = 10
)

// A Finding is what an overview takes of one: a part of the members that docs/schema/findings.json describes.
type Finding struct {
	Rule     string          `json:"rule"`
	Severity string          `json:"severity"`
	Message  string          `json:"message"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
	Column   int             `json:"column"`
	Document int             `json:"document"`
	Resource string          `json:"resource"`
	Field    string          `json:"field"`
	Versions []string        `json:"versions"`
	Old      json.RawMessage `json:"old"`
	New      json.RawMessage `json:"new"`
	Object   *lint.Object    `json:"object"`
	Related  []Related       `json:"related"`
	Fix      *Fix            `json:"fix"`
	Ignored  string          `json:"ignored"`
	Count    int             `json:"count"`
}

// A Related is another place that belongs to a finding.
type Related struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// A Fix is what a fix of a finding does.
type Fix struct {
	Title string `json:"title"`
	Safe  bool   `json:"safe"`
}

// A Rule is a rule with its findings.
type Rule struct {
	ID       string
	Severity lint.Severity // the highest
	Count    int
	Messages []*Message // the first ones, those alike together
	More     int        // findings with other messages

	byText map[likeness]*Message
}

// A Message is what findings of a rule say alike.
type Message struct {
	Text     string
	Severity lint.Severity
	Fix      string // what a fix does; "" for none
	Safe     bool   // whether --fix does it
	Resource string // the CRD of the first
	Field    string // of custom resources; "" for none
	Versions []string
	Old, New string // of a change, as JSON; "" for none
	OldPlace Place  // where the older CRD has it; the zero Place for nowhere
	Places   []Place
	More     int // further places
}

// A Place is where a finding is.
type Place struct {
	File     string
	Line     int
	Resource string // the CRD, or the custom resource
}

type likeness struct{ text, resource string }

// add adds a finding.
func (r *Rule) add(f *Finding, s lint.Severity, n int) {
	r.Count += n
	r.Severity = max(r.Severity, s)
	key := likeness{f.Message, ""}
	if AboutChange(f.Rule) {
		key.resource = f.Resource
	}
	m := r.byText[key]
	if m == nil {
		if len(r.Messages) >= maxMessages {
			r.More += n
			return
		}
		m = messageOf(f, s)
		r.byText[key] = m
		r.Messages = append(r.Messages, m)
	}
	place := Place{f.File, f.Line, f.Resource}
	if f.Object != nil {
		place.Resource = f.Object.ID()
	}
	if len(m.Places) < maxPlaces {
		m.Places = append(m.Places, place)
		n--
	}
	m.More += n
}

func messageOf(f *Finding, s lint.Severity) *Message {
	m := &Message{Text: f.Message, Severity: s, Resource: f.Resource, Field: f.Field, Versions: f.Versions, Old: string(f.Old), New: string(f.New)}
	if f.Fix != nil {
		m.Fix, m.Safe = f.Fix.Title, f.Fix.Safe
	}
	if len(f.Related) > 0 {
		m.OldPlace = Place{File: f.Related[0].File, Line: f.Related[0].Line}
	}
	return m
}

// AboutChange reports whether a rule of this crdlift compares with an older CRD.
func AboutChange(rule string) bool {
	known := rules.ByID(rule)
	return known != nil && known.AboutChange
}

// join adds the findings of the same rule of another run.
func (r *Rule) join(other *Rule) {
	r.Count += other.Count
	r.Severity = max(r.Severity, other.Severity)
	r.More += other.More
	for _, m := range other.Messages {
		if len(r.Messages) < maxMessages {
			r.Messages = append(r.Messages, m)
		} else {
			r.More += len(m.Places) + m.More
		}
	}
}

// Gravest are the messages, the gravest first.
func (r *Rule) Gravest() []*Message {
	return slices.SortedStableFunc(slices.Values(r.Messages), func(a, b *Message) int { return cmp.Or(int(b.Severity-a.Severity), 0) })
}

// Count is how many findings say it.
func (m *Message) Count() int { return len(m.Places) + m.More }

// In is the versions as words: "v1, v1beta1".
func (m *Message) In() string { return strings.Join(m.Versions, ", ") }
