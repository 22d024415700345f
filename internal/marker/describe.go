package marker

import (
	_ "embed" // words.txt
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/text"
)

// A Description is what editors show for a marker.
type Description struct {
	Name, Doc string
	Writes    string // what and where: "`maxItems` into the schema"; "" for what Doc says
	Since     string // the first controller-gen that takes it; "" for one that other generators take, too
	Takes     string // "an integer", and "arguments" for those below; "" for one without a value
	Values    []string
	Arguments []Argument
	Row       Row    // that makes a part of the manifest; the zero Row for none
	Usual     bool   // of several names for the same, the one to write
	For       string // the type of schemas that it is for alone; "" for any
}

// An Argument is one of a marker.
type Argument struct {
	Name, Doc string
	Values    []string
	Required  bool
}

//go:embed words.txt
var wordsText string

// said is what the text has of markers, by the last part of their names.
var said = sync.OnceValue(func() map[string]*Description {
	all, d := map[string]*Description{}, (*Description)(nil)
	for line := range strings.Lines(wordsText) {
		cells := strings.Split(line, "|")
		if strings.HasPrefix(line, "#") || len(cells) != 3 {
			continue
		}
		names, values, doc := strings.Fields(cells[0]), strings.Fields(cells[1]), strings.TrimSpace(cells[2])
		if strings.HasPrefix(line, " ") {
			name, required := strings.CutSuffix(names[0], "*")
			d.Arguments = append(d.Arguments, Argument{name, doc, values, required})
			continue
		}
		d = &Description{Doc: doc, Values: values}
		for _, name := range names {
			all[name] = d
		}
	}
	return all
})

// Describe describes a marker above a target by its name; ok is false for one that controller-gen does not accept there.
func Describe(name string, above Target) (d Description, ok bool) {
	r := registered(name)
	if r == nil || r.since(above) == "" {
		return d, false
	}
	if of := said()[name[strings.LastIndexByte(name, ':')+1:]]; of != nil {
		d = *of
	}
	d.Name, d.Usual = name, true
	if r.takes != takesNothing {
		d.Takes = forms[r.takes].words
	}
	if !r.ofKubernetes {
		d.Since = r.since(above)
	}
	var p Marker
	if !p.find(name) {
		return d, true
	}
	d.Row, d.Usual, d.For = p.Row, p.Row.Name == name || p.Items, typeOf(p.Row.Keyword)
	keyword, _, _ := strings.Cut(p.Row.Keyword, " ") // of a map
	switch {
	case keyword == Optional || keyword == Required || keyword == Skipped:
	case strings.HasPrefix(keyword, "spec."):
		d.Writes = "`spec.names` and `spec.scope` of the CRD"
	case strings.HasPrefix(keyword, "metadata."):
		d.Writes = "`metadata` of the CRD"
	case p.Row.Place == Kind:
		d.Writes = "`" + keyword + "` into the version"
	case p.Items:
		d.Writes, d.For = "`"+keyword+"` into the schema of its items", "array"
	default:
		d.Writes = "`" + keyword + "` into the schema"
	}
	return d, true
}

// typeOf is the type of schemas that a keyword is for alone, since controller-gen stops at it in others; "" for any.
func typeOf(keyword string) string {
	switch keyword {
	case "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "maxItems", "minItems", "uniqueItems":
		return "array"
	case mapOfMaps, "maxProperties", "minProperties":
		return "object"
	case "maxLength", "minLength", "pattern":
		return "string"
	case "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf":
		return "number"
	}
	return ""
}

// Names are the markers that controller-gen accepts above a target, with those for the items of lists.
func Names(above Target) (all []string) {
	for _, r := range registrations {
		for _, name := range slices.Compact([]string{r.name, ofItems(r.name)}) {
			if of := registered(name); of != nil && of.since(above) != "" {
				all = append(all, name)
			}
		}
	}
	return all
}

// Repeats reports whether a declaration may have several markers of a row, each by itself.
func (r Row) Repeats() bool {
	return slices.Contains([]string{"x-kubernetes-validations", "additionalPrinterColumns", "selectableFields", "metadata.annotations", "metadata.labels"}, r.Keyword)
}

// Sentence says why controller-gen makes nothing of a marker above a declaration, and what to write.
func (r Rejection) Sentence(marker, symbol string) text.Text {
	name, above := text.Foreign(marker), text.Foreign(symbol)
	switch r.Fault {
	case Denied:
		return text.Sprintf("controller-gen ignores %s above %s, because this marker takes no value; remove it", name, above)
	case Misspelt:
		if r.Prose {
			return text.Sprintf("controller-gen ignores %s above %s; write %s on a line of its own", name, above, text.Foreign(r.Instead))
		}
		return text.Sprintf("controller-gen ignores %s above %s; write %s", name, above, text.Foreign(r.Instead))
	case TooNew:
		return text.Sprintf("controller-gen ignores %s above %s before %s; upgrade controller-gen, or remove the marker", name, above, r.Since)
	case Refused:
		return text.Sprintf("controller-gen fails at %s above %s; this marker takes %s: correct it", name, above, r.Takes)
	case Misplaced:
		return text.Sprintf("controller-gen ignores %s above %s; move it %s", name, above, r.places())
	}
	return text.Sprintf("controller-gen ignores %s above %s, because no marker has that name; correct or remove it", name, above)
}

// places say where a marker counts.
func (r Rejection) places() string {
	var all []string
	for _, t := range r.Targets {
		all = append(all, []string{AboveField: "above a field", AboveType: "above a type", AboveKind: "above the struct of a kind"}[t])
	}
	if slices.Contains(r.Targets, AboveType) {
		all = []string{"above a type"} // of which kinds are some
	}
	if r.Package {
		all = append(all, "in a comment apart from declarations, for all of the package")
	}
	return strings.Join(all, " or ")
}
