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
		{Name: "kubebuilder:validation:Optional", Doc: "fields of the package are optional unless they say otherwise", Usual: true},
		{Name: "kubebuilder:validation:Required", Doc: "fields of the package are required unless they say otherwise", Usual: true},
	}
	ofTypes = []marker.Description{
		{Name: "kubebuilder:object:root", Doc: "the type is one of objects, and DeepCopyObject is written for it", Takes: "a value", Values: []string{"true", "false"}, Usual: true},
		{Name: "kubebuilder:object:generate", Doc: "whether DeepCopy is written for the type", Takes: "a value", Values: []string{"true", "false"}, Usual: true},
	}
)

// known are the markers that controller-gen takes above a declaration.
func (m *GoMarker) known() (all []marker.Description) {
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
func (m *GoMarker) described() (is *marker.Description) {
	for _, d := range m.known() {
		rest, begins := strings.CutPrefix(m.Text[1:], d.Name)
		if begins && (rest == "" || strings.ContainsAny(rest[:1], ":= \t")) && (is == nil || len(d.Name) > len(is.Name)) {
			is = &d
		}
	}
	return is
}

// markerAt is the marker of a Go file that an offset is in, behind its plus sign; nil for none.
func markerAt(src []byte, offset int) (at *GoMarker, all []GoMarker) {
	all, _ = GoMarkers(src)
	for i, m := range all {
		if m.Start < offset && offset <= m.End {
			return &all[i], all
		}
	}
	return nil, all
}

// Markers are what may be written at an offset of a Go file, in a comment that begins with a plus sign: names of markers, their
// arguments, and values where these are known.
func Markers(src []byte, offset int) (items []Item) {
	m, others := markerAt(src, offset)
	if m == nil {
		return nil
	}
	is, typed, rest := m.described(), m.Text[1:offset-m.Start], m.Text[offset-m.Start:]
	if is == nil || len(typed) <= len(is.Name) {
		return m.names(others, offset, is)
	}
	word := rest[:len(rest)-len(strings.TrimLeft(rest, wordLetters))]
	offer := func(typed, label, insert, doc string) {
		items = append(items, Item{Label: label, Kind: Choice, Start: offset - len(typed), End: offset + len(word), Insert: insert, Doc: doc})
	}
	values, written := is.Values, typed[len(is.Name)+1:]
	if len(is.Arguments) > 0 {
		before, _ := marker.Parse(typed)
		given, _ := marker.Parse(m.Text)
		if len(before.Arguments) == 0 {
			return nil
		}
		last := before.Arguments[len(before.Arguments)-1]
		values, written = nil, last[1]
		isName := last[1] == "" && !strings.HasSuffix(typed, "=")
		for _, a := range is.Arguments {
			switch {
			case !isName && a.Name == last[0]:
				values = a.Values
			case isName && strings.HasPrefix(rest[len(word):], "="):
				offer(last[0], a.Name, a.Name, text.Capital(a.Doc)+".")
			case isName && !given.Has(a.Name):
				offer(last[0], a.Name, a.Name+"=", text.Capital(a.Doc)+".")
			}
		}
	}
	for _, value := range values {
		offer(written, value, value, "")
	}
	return items
}

// wordLetters are those of names of arguments, and of values.
const wordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// names are the names of markers, but for those that the declaration has already and those that are for other types than its own.
func (m *GoMarker) names(all []GoMarker, offset int, is *marker.Description) (items []Item) {
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
		item := Item{Label: "+" + d.Name, Kind: Marker, Start: m.Start, End: m.Start + end, Insert: "+" + d.Name, Detail: d.Takes, Doc: explain(d)}
		if end == len(m.Text) { // else its value is there
			item.Insert, item.Snippet = form(d)
		}
		switch {
		case !d.Usual:
			item.Rank = 3
		case strings.Contains(d.Name, ":items:"):
			item.Rank = 2
		case d.For == "" && d.Row.Keyword != marker.Optional && d.Row.Keyword != marker.Required:
			item.Rank = 1
		}
		items = append(items, item)
	}
	return items
}

// has reports whether the declaration has a marker besides this one that says what another one would.
func (m *GoMarker) has(all []GoMarker, d marker.Description) bool {
	return !d.Row.Repeats() && d.Name != "listMapKey" && slices.ContainsFunc(all, func(other GoMarker) bool {
		if other.Symbol != m.Symbol || other.Start == m.Start {
			return false
		}
		is := other.described()
		return is != nil && (is.Name == d.Name || is.Row.Keyword == d.Row.Keyword && is.Row.Keyword != "" && is.For == d.For)
	})
}

// form is a marker up to its value, and a snippet with places for the value or for the arguments that it needs; "" where that says no more.
func form(d marker.Description) (insert, snippet string) {
	name := "+" + d.Name
	place := func(n int, values []string) string {
		if len(values) > 0 {
			return fmt.Sprintf("${%d|%s|}", n, strings.Join(values, ","))
		}
		return fmt.Sprintf(`"${%d}"`, n)
	}
	switch {
	case len(d.Values) > 0:
		return name + "=", name + "=" + place(1, d.Values)
	case d.Takes == "":
		return name, ""
	case len(d.Arguments) == 0:
		return name + "=", ""
	}
	var needed []string
	for _, a := range d.Arguments {
		if a.Required {
			needed = append(needed, a.Name+"="+place(len(needed)+1, a.Values))
		}
	}
	if needed != nil {
		snippet = name + ":" + strings.Join(needed, ",")
	}
	return name + ":", snippet
}

// schemaType is the type of the schema that controller-gen makes of a type of Go; "" where that is not to be seen.
func schemaType(of string) string {
	of = strings.TrimLeft(of, "*")
	switch name := strings.TrimRight(of, "0123456789"); {
	case of == "string" || of == "[]byte":
		return "string"
	case strings.HasPrefix(of, "[]"):
		return "array"
	case strings.HasPrefix(of, "map["):
		return "object"
	case name == "int" || name == "uint" || name == "float":
		return "number"
	case of == "bool":
		return "boolean"
	case strings.HasPrefix(of, "struct"):
		return "object"
	}
	return ""
}

// MarkerNote is what is said about the marker at an offset of a Go file: what is wrong with it, and what it writes into the CRD. It is nil
// for what is no marker of controller-gen.
func MarkerNote(src []byte, offset int) *Note {
	m, _ := markerAt(src, offset)
	if m == nil {
		return nil
	}
	var parts []string
	if why := marker.Reject(m.Text, m.Above, nil); m.Symbol != "" && why.Fault != marker.None {
		parts = append(parts, text.Capital(why.Sentence(m.Text, m.Symbol).Brief())+".")
	}
	if d := m.described(); d != nil {
		parts = append(parts, explain(*d))
		for _, a := range d.Arguments {
			parts = append(parts, fmt.Sprintf("- `%s`: %s", a.Name, a.Doc))
		}
	}
	if parts == nil {
		return nil
	}
	return &Note{m.Start, m.End, strings.Join(parts, "\n\n")}
}

// explain says what a marker writes, in Markdown.
func explain(d marker.Description) string {
	said := text.Capital(d.Doc) + "."
	if d.Writes != "" {
		said = fmt.Sprintf("Writes %s: %s.", d.Writes, d.Doc)
	}
	said += " [Documentation](https://book.kubebuilder.io/reference/markers)"
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
func MarkerFaults(src []byte, generator *version.Version) (faults []MarkerFault) {
	if !bytes.Contains(src, []byte("+kubebuilder:")) {
		return nil
	}
	all, _ := GoMarkers(src)
	for _, m := range all {
		if why := marker.Reject(m.Text, m.Above, generator); m.Symbol != "" && !m.Detached && why.Fault != marker.None {
			faults = append(faults, MarkerFault{m, why})
		}
	}
	return faults
}
