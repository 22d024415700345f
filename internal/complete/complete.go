package complete

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/skeleton"
)

// At lists what may be written at an offset of a text.
func (t *Text) At(offset int) (all []Item) {
	root := skeleton.Of(t.Source, offset)
	for _, spot := range root.Spots(t.Source, offset) {
		if patch := t.patch(spot.In, offset); patch != nil {
			return patch.At(offset)
		}
		w := t.writer(root, spot)
		switch {
		case w.completeCRD(offset):
		case w.completeType():
		case w.completeCase(offset):
		case spot.In.Parent == nil || isListed(spot.In) || t.PlaceOf(spot.In) != nil:
			w.completeObject(t.PlaceOf(spot.In))
		}
		all = append(all, w.items...)
	}
	return all
}

// patch is the text with nothing in it but the lines of a patch that a kustomization has in itself, at their places; nil for another value.
func (t *Text) patch(n *skeleton.Node, offset int) *Text {
	if !n.Block || n.Key != "patch" && (n.Parent == nil || n.Parent.Key != "patchesStrategicMerge") {
		return nil
	}
	src := bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return ' '
	}, t.Source[:n.Start])
	src = append(src, bytes.Repeat([]byte(" "), n.Start-len(src))...)
	lines := t.Source[n.Start:max(n.End, offset)]
	header := max(bytes.IndexByte(lines, '\n'), 0)
	src = append(append(src, bytes.Repeat([]byte(" "), header)...), lines[header:]...)
	return &Text{Path: t.Path, Source: src, CRDs: t.CRDs}
}

// isListed reports whether a node is an object in a list of objects.
func isListed(n *skeleton.Node) bool {
	return n.Parent.Kind == skeleton.Sequence && n.Parent.Key == "items" && strings.HasSuffix(n.Parent.Parent.Said("kind"), "List")
}

// A writer makes the items of one spot.
type writer struct {
	skeleton.Spot
	text  *Text
	root  *skeleton.Node // of the document
	json  bool           // the document is JSON
	width int            // of an indentation
	flush bool           // dashes are in the column of the key that they belong to
	items []Item
}

func (t *Text) writer(root *skeleton.Node, spot skeleton.Spot) *writer {
	w := &writer{Spot: spot, text: t, root: root, json: root.Kind == skeleton.Mapping && root.Flow, width: 2}
	var measured, dashed bool
	var measure func(n *skeleton.Node)
	measure = func(n *skeleton.Node) { // the first of each that there is
		for _, c := range n.Children {
			switch {
			case n.Kind != skeleton.Mapping || n.Flow || c.Flow:
			case c.Kind == skeleton.Mapping && !measured && c.Column > n.Column:
				w.width, measured = c.Column-n.Column, true
			case c.Kind == skeleton.Sequence && !dashed:
				w.flush, dashed = c.Column == n.Column, true
			}
			if !measured || !dashed {
				measure(c)
			}
		}
	}
	measure(root)
	return w
}

// completeObject offers the keys and values of a place in an object; nil is one in a document that says not yet what it is.
func (w *writer) completeObject(p *Place) {
	switch {
	case p == nil:
		if w.Key && w.Written == nil {
			w.newObjects()
		}
		if w.Key {
			w.typeKeys()
		}
	case w.Key && (p.is() == "object" || p.is() == ""):
		w.keys(p)
	case w.Value && p.is() == "object" && w.inFlow():
		d := &draft{}
		d.text("{")
		w.members(d, p, p.required(), 0, 1)
		d.text("}")
		w.add(Item{Label: "{}", Kind: Value, Detail: "an object", Insert: "{}", Snippet: d.String()})
	default:
		w.firstItem(p)
	}
	if w.Value && p != nil {
		w.values(p)
	}
}

// A target is a value that may be written: one of an object, or of a CRD.
type target interface {
	is() string         // its type
	required() []string // the members that it has to have
	isHead() bool       // it is the apiVersion or the kind of an object
	values() []value
	member(name string) target
	item() target
}

// firstItem offers to begin a list.
func (w *writer) firstItem(p target) {
	if p.is() == "array" && w.OwnLine && !w.inFlow() {
		d := &draft{}
		w.item(d, p.item(), w.relative())
		w.add(Item{Label: "-", Kind: Value, Detail: "a first item", Insert: "- ", Snippet: d.String()})
	}
}

func (w *writer) inFlow() bool { return w.In.Flow || w.In.Parent != nil && w.In.Parent.Flow }

// add adds an item that replaces what is written.
func (w *writer) add(i Item) {
	i.Start, i.End = w.Start, w.End
	if w.Dash && i.Label != "-" {
		i.Insert, i.Snippet = "- "+i.Insert, "- "+i.Snippet
	}
	if w.Start > 0 && w.text.Source[w.Start-1] == ':' { // a value without a space before it
		i.Insert, i.Snippet = " "+i.Insert, " "+i.Snippet
	}
	if strings.TrimSpace(i.Snippet) == i.Insert || strings.TrimSpace(i.Snippet) == "" {
		i.Snippet = ""
	}
	w.items = append(w.items, i)
}

// keys offers the members of a place that are not there yet.
func (w *writer) keys(p *Place) {
	if s := p.main(); s != nil && s.MaxProperties != nil && int64(w.others()) >= *s.MaxProperties {
		return
	}
	for _, k := range p.keys() {
		below := p.below(request.Key(k.name))
		w.key(Item{Label: k.name, Kind: Field, Rank: k.rank, Detail: below.Line(), Doc: below.description(), Deprecated: k.rank == rankDeprecated}, below)
	}
}

// key offers a member, the label of an item, if it is not there yet.
func (w *writer) key(item Item, below target) {
	name := item.Label
	if there := w.In.Child(name); there != nil && there != w.Written {
		return
	}
	item.Insert = w.name(name)
	if w.Written == nil || !w.Written.Colon {
		d := &draft{}
		w.member(d, name, below, w.relative(), 0)
		item.Insert, item.Snippet = w.begin(name, below.is()), d.String()
	}
	w.add(item)
}

// others is how many members there are beside the one that is written.
func (w *writer) others() (n int) {
	for _, c := range w.In.Children {
		if c != w.Written {
			n++
		}
	}
	return n
}

// name is the name of a member as the document writes them.
func (w *writer) name(name string) string {
	if start := w.text.Source[w.Start:w.End]; w.json || len(start) > 0 && start[0] == '"' {
		return write(name, true)
	}
	return write(name, false)
}

// relative is how much further in what is written stands than the line begins that it is in: editors add the rest to each line of
// a snippet.
func (w *writer) relative() int {
	line := w.text.Source[lines.Start(w.text.Source, w.Start):w.Start]
	indent := w.Column - (len(line) - len(bytes.TrimLeft(line, " ")))
	return indent + w.dashes()
}

// begin is a member as it begins, for editors that take no snippets.
func (w *writer) begin(name, is string) string {
	key := w.name(name) + ":"
	column := w.Column + w.dashes()
	switch {
	case w.inFlow() || w.json || is != "object" && is != "array":
		return key + " "
	case is == "array":
		return key + "\n" + strings.Repeat(" ", column+w.dash()) + "- "
	}
	return key + "\n" + strings.Repeat(" ", column+w.width)
}

// dashes is the length of the dash that an item has yet to get.
func (w *writer) dashes() int {
	if w.Dash {
		return len("- ")
	}
	return 0
}

// dash is how much further in a dash stands than its key.
func (w *writer) dash() int {
	if w.flush {
		return 0
	}
	return w.width
}

// maxDepth is how deep a snippet goes.
const maxDepth = 8

// member writes a member with all that it has to have below it; indent is that of its key from its line's.
func (w *writer) member(d *draft, name string, p target, indent, depth int) {
	d.text(w.name(name) + ":")
	required := p.required()
	switch flow := w.inFlow() || w.json; {
	case p.is() == "object" && flow:
		d.text(" {")
		w.members(d, p, required, indent, depth+1)
		d.text("}")
	case p.is() == "array" && flow:
		d.text(" [")
		d.stop("", nil)
		d.text("]")
	case p.is() == "object":
		d.line(indent + w.width)
		w.members(d, p, required, indent+w.width, depth+1)
	case p.is() == "array":
		d.line(indent + w.dash())
		w.item(d, p.item(), indent+w.dash())
	default:
		d.text(" ")
		w.scalar(d, p)
	}
}

// item writes an item with all that it has to have.
func (w *writer) item(d *draft, p target, indent int) {
	d.text("- ")
	if p.is() == "object" {
		w.members(d, p, p.required(), indent+len("- "), 1)
		return
	}
	w.scalar(d, p)
}

func (w *writer) members(d *draft, p target, names []string, indent, depth int) {
	if len(names) == 0 || depth > maxDepth {
		d.stop("", nil)
		return
	}
	for i, name := range names {
		switch {
		case i > 0 && (w.inFlow() || w.json):
			d.text(", ")
		case i > 0:
			d.line(indent)
		}
		w.member(d, name, p.member(name), indent, depth)
	}
}

// required are the members that a value has to have, and the server does not add.
func (p *Place) required() (names []string) {
	for _, k := range p.keys() {
		if k.rank == rankRequired {
			names = append(names, k.name)
		}
	}
	if p.isObject() { // as everybody writes them
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(headRank(a), headRank(b)) })
	}
	return names
}

func (p *Place) member(name string) target { return p.below(request.Key(name)) }
func (p *Place) item() target              { return p.below(request.Index(0)) }

// headRank orders the members that every object has.
func headRank(name string) int {
	if i := slices.Index([]string{"apiVersion", "kind", "metadata"}, name); i >= 0 {
		return i
	}
	return len("akm")
}

// scalar writes the place of a scalar.
func (w *writer) scalar(d *draft, p target) {
	var choices []string
	if p.isHead() {
		d.text(write(p.values()[0].value, w.json))
		return
	}
	for _, v := range p.values() {
		choices = append(choices, write(v.value, w.json))
	}
	if len(choices) > maxChoices {
		choices = nil
	}
	d.stop("", choices)
}

// maxChoices bounds how many values a snippet has to choose from: the paths of a CRD may be hundreds.
const maxChoices = 50

// values offers the values that the CRD names for a place.
func (w *writer) values(p target) {
	for i, v := range p.values() {
		text := write(v.value, w.json)
		if written := w.text.Source[w.Start:w.End]; len(written) > 0 && written[0] == '"' {
			if s, is := v.value.(string); is {
				text = write(s, true)
			}
		}
		label := text
		if s, is := v.value.(string); is {
			label = cmp.Or(s, text)
		}
		w.add(Item{Label: label, Kind: Choice, Rank: i, Insert: text, Detail: v.from})
	}
}
