package complete

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/internal/text"
)

// These are markers that make no part of a CRD: of packages, and of types besides. controller-gen takes them in any version.
var (
	ofPackages = []marker.Description{
		{Name: "groupName", Doc: "the API group of the package", Takes: "a value", Usual: true},
		{Name: "versionName", Doc: "the API version, where it is not the name of the package", Takes: "a value", Usual: true},
		{Name: "kubebuilder:object:generate", Doc: "whether DeepCopy is written for the types of the package", Takes: "a value", Values: []string{"true", "false"}, Usual: true},
		{Name: "kubebuilder:skip", Doc: "no CRD is made of the package", Usual: true},
		{Name: "kubebuilder:validation:Optional", Doc: "fields of the package may be left out unless they say otherwise", Usual: true},
		{Name: "kubebuilder:validation:Required", Doc: "fields of the package have to be there unless they say otherwise", Usual: true},
	}
	ofTypes = []marker.Description{
		{Name: "kubebuilder:object:root", Doc: "the type is one of objects, and DeepCopyObject is written for it", Takes: "a value", Values: []string{"true", "false"}, Usual: true},
		{Name: "kubebuilder:object:generate", Doc: "whether DeepCopy is written for the type", Takes: "a value", Values: []string{"true", "false"}, Usual: true},
	}
)

// known are the markers that controller-gen takes above a declaration.
func (m GoMarker) known() (all []marker.Description) {
	switch {
	case m.Symbol == "":
		return ofPackages
	case m.Above != marker.AboveField:
		all = slices.Clone(ofTypes)
	}
	for _, name := range marker.Names(m.Above) {
		d, _ := marker.Describe(name, m.Above)
		all = append(all, d)
	}
	return all
}

// described is the description of the marker, the one with the longest name that it begins with; nil for none.
func (m GoMarker) described() (is *marker.Description) {
	for _, d := range m.known() {
		rest, begins := strings.CutPrefix(m.Text[1:], d.Name)
		if begins && (rest == "" || strings.ContainsAny(rest[:1], ":= \t")) && (is == nil || len(d.Name) > len(is.Name)) {
			is = &d
		}
	}
	return is
}

// markerAt is the marker of a Go file that an offset is in, behind its plus sign, and all of its file.
func markerAt(src []byte, offset int) (at GoMarker, all []GoMarker, ok bool) {
	all = GoMarkers(src)
	i := slices.IndexFunc(all, func(m GoMarker) bool { return m.Start < offset && offset <= m.End })
	if i < 0 {
		return at, all, false
	}
	return all[i], all, true
}

// Markers are what may be written at an offset of a Go file, in a comment that begins with a plus sign: names of markers, their
// arguments, and values where these are known.
func Markers(src []byte, offset int) (items []Item) {
	m, others, ok := markerAt(src, offset)
	if !ok {
		return nil
	}
	is, typed := m.described(), m.Text[1:offset-m.Start]
	if is == nil || len(typed) <= len(is.Name) {
		return m.names(others, offset, is)
	}
	if len(is.Arguments) == 0 {
		return m.values(is.Values, typed[len(is.Name)+1:], offset)
	}
	all, _ := marker.Parse(m.Text)
	before, _ := marker.Parse(typed)
	if len(before.Arguments) == 0 {
		return nil
	}
	last := before.Arguments[len(before.Arguments)-1]
	for _, a := range is.Arguments {
		word := m.word(offset)
		switch {
		case last[1] != "" || strings.HasSuffix(typed, "="):
			if a.Name == last[0] {
				return m.values(a.Values, last[1], offset)
			}
		case !all.Has(a.Name) || a.Name == last[0]+word:
			items = append(items, Item{Label: a.Name, Kind: Marker, Start: offset - len(last[0]), End: offset + len(word), Insert: a.Name, Doc: text.Capital(a.Doc) + "."})
			if !strings.HasPrefix(m.Text[offset+len(word)-m.Start:], "=") {
				items[len(items)-1].Insert += "="
			}
		}
	}
	return items
}

// word is what of a word follows an offset.
func (m GoMarker) word(offset int) string {
	rest := m.Text[offset-m.Start:]
	return rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"))]
}

// values are those of a marker, or of an argument, of which some is written before an offset.
func (m GoMarker) values(all []string, before string, offset int) (items []Item) {
	for i, value := range all {
		items = append(items, Item{Label: value, Kind: Choice, Start: offset - len(before), End: offset + len(m.word(offset)), Insert: value, Rank: i})
	}
	return items
}

// names are the names of markers, but for those that the declaration has already and those that are for other types than its own.
func (m GoMarker) names(all []GoMarker, offset int, is *marker.Description) (items []Item) {
	end := len(m.Text)
	if is != nil {
		end = 1 + len(is.Name)
	} else if i := strings.IndexAny(m.Text, "= \t"); i >= 0 {
		end = max(i, offset-m.Start)
	}
	schema := schemaType(m.Type)
	for _, d := range m.known() {
		if schema != "" && d.For != "" && d.For != schema || m.has(all, d) {
			continue
		}
		item := Item{Label: "+" + d.Name, Kind: Marker, Start: m.Start, End: m.Start + end, Insert: "+" + d.Name, Detail: d.Takes, Doc: explain(d, m, "")}
		if end == len(m.Text) { // else its value is there
			item.Insert += suffix(d)
			item.Snippet = snippet(d)
		}
		switch ofItems := strings.Contains(d.Name, ":items:"); {
		case !d.Usual:
			item.Rank = 3
		case ofItems:
			item.Rank = 2
		case d.For == "" && d.Row.Keyword != marker.Optional && d.Row.Keyword != marker.Required:
			item.Rank = 1
		}
		items = append(items, item)
	}
	return items
}

// has reports whether the declaration has a marker besides this one that says what another one would.
func (m GoMarker) has(all []GoMarker, d marker.Description) bool {
	if d.Row.Repeats() || d.Name == "listMapKey" {
		return false
	}
	return slices.ContainsFunc(all, func(other GoMarker) bool {
		if other.Symbol != m.Symbol || other.Decl != m.Decl || other.Start == m.Start {
			return false
		}
		is := other.described()
		return is != nil && (is.Name == d.Name || is.Row.Keyword == d.Row.Keyword && is.Row.Keyword != "" && is.For == d.For)
	})
}

// suffix is what leads from the name of a marker to its value.
func suffix(d marker.Description) string {
	switch {
	case len(d.Arguments) > 0:
		return ":"
	case d.Takes != "":
		return "="
	}
	return ""
}

// snippet is a marker with places for its value, or for the arguments that it needs; "" where that says no more.
func snippet(d marker.Description) string {
	place := func(n int, values []string) string {
		if len(values) > 0 {
			return fmt.Sprintf("${%d|%s|}", n, strings.Join(values, ","))
		}
		return fmt.Sprintf(`"${%d}"`, n)
	}
	if len(d.Values) > 0 {
		return "+" + d.Name + "=" + place(1, d.Values)
	}
	var arguments []string
	for _, a := range d.Arguments {
		if a.Required {
			arguments = append(arguments, a.Name+"="+place(len(arguments)+1, a.Values))
		}
	}
	if arguments == nil {
		return ""
	}
	return "+" + d.Name + ":" + strings.Join(arguments, ",")
}

// schemaType is the type of the schema that controller-gen makes of a type of Go; "" where that is not to be seen.
func schemaType(of string) string {
	of = strings.TrimLeft(of, "*")
	switch {
	case of == "string" || of == "[]byte":
		return "string"
	case strings.HasPrefix(of, "[]"):
		return "array"
	case strings.HasPrefix(of, "map["):
		return "object"
	case of == "bool":
		return "boolean"
	case slices.Contains([]string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}, of):
		return "number"
	}
	return ""
}

// MarkerNote is what is said about the marker at an offset of a Go file: what it writes into the CRD, and what is wrong with it.
// It is nil for what is no marker of controller-gen.
func MarkerNote(src []byte, offset int) *Note {
	m, _, ok := markerAt(src, offset)
	if !ok {
		return nil
	}
	var parts []string
	if why := marker.Reject(m.Text, m.Above, nil); m.Symbol != "" && why.Fault != marker.None {
		parts = append(parts, text.Capital(why.Sentence(m.Text, m.Symbol).Brief())+".")
	}
	if d := m.described(); d != nil {
		parts = append(parts, explain(*d, m, m.Text[1+len(d.Name):]))
		for _, a := range d.Arguments {
			parts = append(parts, fmt.Sprintf("- `%s`: %s", a.Name, a.Doc))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &Note{Start: m.Start, End: m.End, Text: strings.Join(parts, "\n\n")}
}

// explain says what a marker writes, with its value as it follows its name, in Markdown.
func explain(d marker.Description, m GoMarker, value string) string {
	said := text.Capital(d.Doc) + "."
	keyword, _, _ := strings.Cut(d.Row.Keyword, " ") // of maps
	switch {
	case keyword == "" || keyword == marker.Optional || keyword == marker.Required || keyword == marker.Skipped:
	case strings.HasPrefix(keyword, "spec."):
		said = "Writes `spec.names` and `spec.scope` of the CRD: " + d.Doc + "."
	case strings.HasPrefix(keyword, "metadata."):
		said = "Writes `metadata` of the CRD: " + d.Doc + "."
	default:
		if given, has := strings.CutPrefix(value, "="); has && len(given) <= 40 && !strings.Contains(given, "`") {
			keyword += ": " + given
		}
		said = fmt.Sprintf("Writes `%s` into the %s: %s.", keyword, map[bool]string{true: "version", false: "schema"}[d.Row.Place == marker.Kind], d.Doc)
	}
	page := "crd-validation"
	switch {
	case strings.HasPrefix(d.Name, "kubebuilder:object:"):
		page = "object"
	case m.Symbol == "" || m.Above == marker.AboveKind && d.Row.Place == marker.Kind:
		page = "crd"
	case d.Name == "listType" || d.Name == "listMapKey" || d.Name == "mapType" || d.Name == "structType":
		page = "crd-processing"
	}
	said += fmt.Sprintf(" [Documentation](https://book.kubebuilder.io/reference/markers/%s)", page)
	if d.Since != "" {
		said += "\n\ncontroller-gen " + d.Since + " and newer"
	}
	return said
}

// A MarkerFault is a marker that controller-gen makes nothing of.
type MarkerFault struct {
	GoMarker
	Why marker.Rejection
}

// MarkerFaults finds the markers above declarations of a Go file of which a controller-gen, nil for the newest, makes nothing. There are
// none in a file without a marker of kubebuilder, which others are for.
func MarkerFaults(src []byte, generator *version.Version) (all []MarkerFault) {
	if !bytes.Contains(src, []byte("+kubebuilder:")) {
		return nil
	}
	for _, m := range GoMarkers(src) {
		if why := marker.Reject(m.Text, m.Above, generator); m.Symbol != "" && !m.Detached && why.Fault != marker.None {
			all = append(all, MarkerFault{m, why})
		}
	}
	return all
}
