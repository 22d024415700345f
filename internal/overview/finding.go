package overview

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

const (
	// maxMessages bounds the messages of a rule and a severity that are kept, maxChanges those of a rule about changes, of which
	// each is about one CRD, and maxPlaces the places of each.
	maxMessages = 50
	maxChanges  = 1000
	maxPlaces   = 10
)

// A finding is what an overview takes of one: a part of the members that docs/schema/findings.json describes.
type finding struct {
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
	Refused  string          `json:"refusedBy"`
	Related  []filePlace     `json:"related"`
	Fix      *struct {
		Title string `json:"title"`
		Safe  bool   `json:"safe"`
	} `json:"fix"`
	Copies  []filePlace `json:"copies"`
	Ignored string      `json:"ignored"`
	Count   int         `json:"count"`
}

// A filePlace is what an overview takes of another place of a finding.
type filePlace struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// blocks reports whether the finding keeps a manifest from being converted to v1 until somebody has mended it: it says so, or a server
// of the manifest's own version rejects that.
func (f *finding) blocks() bool {
	return f.Refused == "v1beta1" || strings.HasPrefix(f.Message, rules.WillNotConvert)
}

// A Rule is a rule with its findings.
type Rule struct {
	Tally
	Counts map[lint.Severity]int
	ByCRD  map[string]int // of a rule about changes, by metadata.name

	messages []*Message // the first ones of each severity, those alike together
	byText   map[likeness]*Message
	kept     map[lint.Severity]int
}

// A Tally is how often a rule reports something.
type Tally struct {
	ID       string
	Severity lint.Severity // the highest
	Count    int
}

// add counts findings of a severity.
func (t *Tally) add(s lint.Severity, n int) {
	t.Count += n
	t.Severity = max(t.Severity, s)
}

// before orders rules: the gravest first, then those with most findings.
func (t Tally) before(other Tally) int {
	return cmp.Or(int(other.Severity-t.Severity), other.Count-t.Count, strings.Compare(t.ID, other.ID))
}

// A Message is what findings of a rule say alike.
type Message struct {
	Text     string
	Severity lint.Severity
	Count    int    // how many findings say it
	Fix      string // what a fix does; "" for none
	Safe     bool   // whether --fix does it
	Resource string // the CRD of the first
	Field    string // of custom resources; "" for none
	Versions []string
	Old, New string  // of a change, as JSON; "" for none
	OldPlace Place   // where the older CRD has it; the zero Place for nowhere
	Places   []Found // the first ones
}

// A Place is where a finding is.
type Place struct {
	File     string
	Line     int
	Resource string // the CRD, or the custom resource
	FilesURL string // as in a Head
}

// A Found is a place of a finding, with those of copies of the CRD that have the same.
type Found struct {
	Place
	Copies []Place
}

// A likeness is what findings of a rule that are told together have in common.
type likeness struct {
	text, resource string
	severity       lint.Severity
}

// message is the one that a finding shares with those that say the same; nil where enough are kept.
func (r *Rule) message(f *finding, s lint.Severity) *Message {
	key := likeness{text: f.Message, severity: s}
	most := maxMessages
	if AboutChange(r.ID) {
		key.resource, most = f.Resource, maxChanges
	}
	known := r.byText[key]
	if known == nil && r.kept[s] < most {
		known = messageOf(f, s)
		r.byText[key] = known
		r.messages = append(r.messages, known)
		r.kept[s]++
	}
	return known
}

func messageOf(f *finding, s lint.Severity) *Message {
	m := &Message{
		Text: f.Message, Severity: s, Resource: f.Resource, Field: f.Field, Versions: f.Versions, Old: onOneLine(f.Old), New: onOneLine(f.New),
	}
	if f.Fix != nil {
		m.Fix, m.Safe = f.Fix.Title, f.Fix.Safe
	}
	if len(f.Related) > 0 {
		m.OldPlace = Place{File: f.Related[0].File, Line: f.Related[0].Line}
	}
	return m
}

// onOneLine is JSON without white space, as a report for people is indented.
func onOneLine(text json.RawMessage) string {
	var short bytes.Buffer
	_ = json.Compact(&short, text) // which was decoded, and is JSON, or nothing
	return short.String()
}

// AboutChange reports whether a rule of this crdlift compares with an older CRD.
func AboutChange(rule string) bool {
	known := rules.ByID(rule)
	return known != nil && known.AboutChange
}

// Messages are what the findings say, the gravest first: of a rule about changes all that are kept, of others not more than a
// person reads.
func (r *Rule) Messages() []*Message {
	all := slices.SortedStableFunc(slices.Values(r.messages), func(a, b *Message) int { return int(b.Severity - a.Severity) })
	if !AboutChange(r.ID) {
		all = all[:min(len(all), maxMessages)]
	}
	return all
}

// More is how many findings the message stands for besides its places.
func (m *Message) More() int { return m.Count - len(m.Places) }

// In is the versions as words: "v1, v1beta1".
func (m *Message) In() string { return strings.Join(m.Versions, ", ") }
