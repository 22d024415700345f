package complete

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/crdlift/crdlift/internal/marker"
)

// types has a marker at each kind of place; ^ is where a test writes.
const types = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

// Widget is a thing.
// +kubebuilder:resource:shortName=w
type Widget struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	// +optional
	Spec WidgetSpec ` + "`json:\"spec,omitempty\"`" + ` // +trailing
}

type (
	// +a
	Colour string

	// +b
	Part struct {
		// +c
		*other.Named
		// +d
		Inner struct {
			// +e
			Deep []string
			// +dangling
		}
	}
)

// +f
func (w *Widget) f() {
	// +g
	type local struct {
		// +h
		X int
	}
	_ = struct {
		// +i
		Y int
	}{}
}

// +j
type Generic[T interface{ ~int }] struct {
	// +k
	Items map[string]T
}

var _ = "// +no"

/* +no */
// +last
`

// TestGoMarkers finds markers with what they stand above, also where Go is broken in the middle.
func TestGoMarkers(t *testing.T) {
	t.Parallel()
	want := []string{
		"+groupName=example.com", "+kubebuilder:object:root=true kind Widget struct {, detached", "+kubebuilder:resource:shortName=w kind Widget struct {",
		"+optional field Widget.Spec WidgetSpec", "+a type Colour string", "+b type Part struct {", "+c field Part.Named *other.Named",
		"+d field Part.Inner struct {", "+e field Part.Inner.Deep []string", "+dangling", "+f", "+g", "+h", "+i", "+j type Generic",
		"+k field Generic.Items map[string]T", "+last",
	}
	for name, src := range map[string]string{
		"whole": types, "broken": strings.Replace(types, "type (\n", "type (\n\tBroken [\n]\n", 1), "CRLF": strings.ReplaceAll(types, "\n", "\r\n"),
	} {
		var got []string
		all, declared := GoMarkers([]byte(src))
		for symbol, at := range declared {
			if !strings.HasPrefix(src[at:], symbol[strings.LastIndexByte(symbol, '.')+1:]) {
				t.Errorf("%s: %s is not declared at %d", name, symbol, at)
			}
		}
		if len(declared) != 11 && name != "broken" {
			t.Errorf("%s: %v", name, declared)
		}
		for _, m := range all {
			one := m.Text
			if m.Symbol != "" {
				one += " " + []string{"field", "type", "kind"}[m.Above] + " " + m.Symbol
			}
			if m.Type != "" {
				one += " " + m.Type
			}
			if m.Detached {
				one += ", detached"
			}
			got = append(got, one)
			if src[m.Start:m.End] != m.Text {
				t.Errorf("%s: %q is not at %d", name, m.Text, m.Start)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nnot\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// writeGo completes a marker, with the cursor at ^, and returns what may be written: the lines after each choice.
func writeGo(src string) map[string]string {
	offset := strings.IndexByte(src, '^')
	src = src[:offset] + src[offset+1:]
	out := map[string]string{}
	for _, item := range Markers([]byte(src), offset) {
		after := src[:item.Start] + item.Insert + src[item.End:]
		begin := strings.LastIndexByte(after[:item.Start], '\n') + 1
		line, _, _ := strings.Cut(after[begin:], "\n")
		out[item.Label] = strings.TrimSpace(line)
	}
	return out
}

// above puts a comment above a field, a type, a kind or a package.
func above(what, comment string) string {
	for marker, of := range map[string]string{"string": "+optional", "type": "+b", "kind": "+kubebuilder:resource:shortName=w", "list": "+e", "map": "+k", "package": "+last"} {
		if what == marker {
			return strings.Replace(strings.Replace(types, "Spec WidgetSpec", "Spec string", 1), "// "+of+"\n", "// "+comment+"\n", 1)
		}
	}
	panic(what)
}

// TestMarkers completes names, arguments and values, with what the rest of the line needs.
func TestMarkers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ where, comment, label, want string }{
		{"string", "+^", "+optional", "// +optional"},
		{"string", "+kube^", "+kubebuilder:validation:MaxLength", "// +kubebuilder:validation:MaxLength="},
		{"string", "+kube^", "+kubebuilder:validation:MaxItems", ""},
		{"string", "+kube^", "+kubebuilder:validation:items:MaxLength", ""},
		{"string", "+kube^", "+kubebuilder:validation:XIntOrString", "// +kubebuilder:validation:XIntOrString"},
		{"string", "+^", "+kubebuilder:printcolumn", ""},
		{"string", "+kubebuilder:validation:Min^=3", "+kubebuilder:validation:MaxLength", "// +kubebuilder:validation:MaxLength=3"},
		{"string", "+kubebuilder:val^idation:MinLength=3", "+kubebuilder:validation:MaxLength", "// +kubebuilder:validation:MaxLength=3"},
		{"string", "+kub^ebuilder:validation:XValidation:rule=\"a\"", "+kubebuilder:default", "// +kubebuilder:default:rule=\"a\""},
		{"string", "+op^ and more", "+optional", "// +optional and more"},
		{"list", "+^", "+kubebuilder:validation:MaxItems", "// +kubebuilder:validation:MaxItems="},
		{"list", "+^", "+kubebuilder:validation:items:MaxLength", "// +kubebuilder:validation:items:MaxLength="},
		{"list", "+^", "+kubebuilder:validation:MaxLength", ""},
		{"list", "+listType=^", "map", "// +listType=map"},
		{"list", "+listType=s^et", "atomic", "// +listType=atomic"},
		{"map", "+^", "+mapType", "// +mapType="},
		{"map", "+^", "+listType", ""},
		{"type", "+^", "+kubebuilder:object:generate", "// +kubebuilder:object:generate="},
		{"type", "+^", "+optional", ""},
		{"type", "+^", "+kubebuilder:subresource:status", ""},
		{"kind", "+^", "+kubebuilder:subresource:status", "// +kubebuilder:subresource:status"},
		{"kind", "+^", "+kubebuilder:printcolumn", "// +kubebuilder:printcolumn:"},
		{"kind", "+kubebuilder:printcolumn:^", "JSONPath", "// +kubebuilder:printcolumn:JSONPath="},
		{"kind", "+kubebuilder:printcolumn:name=\"A,B\",ty^", "type", "// +kubebuilder:printcolumn:name=\"A,B\",type="},
		{"kind", "+kubebuilder:printcolumn:name=\"A,B\",ty^", "name", ""},
		{"kind", "+kubebuilder:printcolumn:name=\"A,^", "type", ""},
		{"kind", "+kubebuilder:printcolumn:name=a,typ^e=date", "type", "// +kubebuilder:printcolumn:name=a,type=date"},
		{"kind", "+kubebuilder:printcolumn:name=a,typ^e=date", "priority", "// +kubebuilder:printcolumn:name=a,priority=date"},
		{"kind", "+kubebuilder:printcolumn:name=a,type=^", "integer", "// +kubebuilder:printcolumn:name=a,type=integer"},
		{"kind", "+kubebuilder:printcolumn:name=^,type=date", "integer", ""},
		{"kind", "+kubebuilder:resource:scope=Na^", "Cluster", "// +kubebuilder:resource:scope=Cluster"},
		{"kind", "+kubebuilder:object:root=^", "true", "// +kubebuilder:object:root=true"},
		{"package", "+^", "+versionName", "// +versionName="}, {"package", "+^", "+groupName", ""},
		{"package", "+^", "+optional", ""},
		{"package", "^+last", "+groupName", ""},
	} {
		if got := writeGo(above(test.where, test.comment))[test.label]; got != test.want {
			t.Errorf("%s above a %s: %s becomes %q, not %q", test.comment, test.where, test.label, got, test.want)
		}
	}
	if got := writeGo("// ^+optional, as prose has it\npackage v1\n"); len(got) > 0 {
		t.Errorf("before the sign: %v", got)
	}
}

// TestNoSecondMarker offers none that the declaration has, in any of its names, unless it may have several.
func TestNoSecondMarker(t *testing.T) {
	t.Parallel()
	has := "+kubebuilder:validation:Optional\n\t// +listMapKey=a\n\t// +kubebuilder:validation:XValidation:rule=\"true\"\n\t// +kubebuilder:validation:items:MaxLength=3\n\t// +^"
	got := writeGo(above("list", has))
	for label, want := range map[string]bool{
		"+optional": false, "+kubebuilder:validation:Optional": false, "+listMapKey": true, "+kubebuilder:validation:XValidation": true,
		"+kubebuilder:validation:items:MaxLength": false, "+kubebuilder:validation:MaxItems": true, "+required": true, "+kubebuilder:title": true,
	} {
		if _, offered := got[label]; offered != want {
			t.Errorf("%s is offered: %v", label, offered)
		}
	}
}

// TestEveryMarker that is offered is one that controller-gen takes there.
func TestEveryMarker(t *testing.T) {
	t.Parallel()
	for where, target := range map[string]marker.Target{"string": marker.AboveField, "list": marker.AboveField, "type": marker.AboveType, "kind": marker.AboveKind} {
		src := above(where, "+^")
		offset := strings.IndexByte(src, '^')
		items := Markers([]byte(src[:offset]+src[offset+1:]), offset)
		if len(items) < 20 {
			t.Errorf("%s: there are %d", where, len(items))
		}
		for _, item := range items {
			if item.Doc == "" || item.Kind != Marker {
				t.Errorf("%+v", item)
			}
			name := strings.TrimRight(item.Label, "=:")
			if why := marker.Reject(name, target, nil); !strings.HasPrefix(name, "+kubebuilder:object:") && why.Fault != marker.None && why.Fault != marker.Refused {
				t.Errorf("%s above a %s: %+v", name, where, why)
			}
		}
	}
}

// TestSnippets have places for what has to be chosen, and the likely markers come first.
func TestSnippets(t *testing.T) {
	t.Parallel()
	item := func(where, label string) Item {
		src := above(where, "+^")
		offset := strings.IndexByte(src, '^')
		items := Markers([]byte(src[:offset]+src[offset+1:]), offset)
		return items[slices.IndexFunc(items, func(i Item) bool { return i.Label == label })]
	}
	for label, want := range map[string]string{
		"+kubebuilder:printcolumn":       `+kubebuilder:printcolumn:name="${1}",type=${2|string,integer,number,boolean,date|},JSONPath="${3}"`,
		"+kubebuilder:resource":          "",
		"+kubebuilder:object:root":       "+kubebuilder:object:root=${1|true,false|}",
		"+kubebuilder:subresource:scale": `+kubebuilder:subresource:scale:specpath="${1}",statuspath="${2}"`,
	} {
		where := "kind"
		if label == "+kubebuilder:object:root" { // which the kind has
			where = "type"
		}
		if got := item(where, label).Snippet; got != want {
			t.Errorf("%s: %s", label, got)
		}
	}
	for label, want := range map[string]int{
		"+optional": 0, "+listType": 0, "+kubebuilder:validation:MaxItems": 0, "+kubebuilder:default": 1, "+nullable": 1,
		"+kubebuilder:validation:items:MaxLength": 2, "+kubebuilder:validation:Optional": 3, "+k8s:optional": 3,
	} {
		if got := item("list", label).Rank; got != want {
			t.Errorf("%s has rank %d", label, got)
		}
	}
}

// TestMarkerNote says what a marker writes, and what is wrong with one, and nothing of what is none of controller-gen.
func TestMarkerNote(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ where, comment, want string }{
		{"string", "+kubebuilder:validation:Max^Length=3", "Writes `maxLength` into the schema: a value has at most so many characters. [Documentation](https://book.kubebuilder.io/reference/markers)\n\ncontroller-gen v0.2.0 and newer"},
		{"string", "+opt^ional", "The field may be left out. [Documentation]"},
		{"string", "+null^able", "Writes `nullable` into the schema: null"},
		{"list", "+listType^=map", "Writes `x-kubernetes-list-type` into the schema: how server-side apply joins lists: by their keys (map), as sets of scalars (set), or not at all (atomic). [Documentation](https://book.kubebuilder.io/reference/markers)"},
		{"map", "+mapType^=atomic", "Writes `x-kubernetes-map-type` into the schema"},
		{"list", "+kubebuilder:validation:items:Pattern^=`a`", "Writes `pattern` into the schema of its items: a regular"},
		{"kind", "+kubebuilder:subresource:status^", "Writes `subresources.status` into the version: status is written by itself, at /status. [Documentation](https://book.kubebuilder.io/reference/markers)"},
		{"kind", "+kubebuilder:printcolumn:na^me=A", "\n\n- `priority`: 1 and more: with kubectl get -o wide only"},
		{"kind", "+kubebuilder:resource:scope=Clus^ter", "Writes `spec.names` and `spec.scope` of the CRD: names"},
		{"kind", "+kubebuilder:metadata:labels=\"a=b\"^", "Writes `metadata` of the CRD"},
		{"kind", "+kubebuilder:skipversion^", "The CRD does not have the version."},
		{"kind", "+kubebuilder:object:root^=true", "DeepCopyObject is written for it. [Documentation](https://book.kubebuilder.io/reference/markers)"},
		{"string", "+kubebuilder:validation:MaxLenght^=3", "Controller-gen ignores +kubebuilder:validation:MaxLenght=3 above Widget.Spec; write +kubebuilder:validation:MaxLength=3."},
		{"string", "+kubebuilder:validation:MaxLength^=x", "Controller-gen fails at +kubebuilder:validation:MaxLength=x above Widget.Spec; this marker takes an integer: correct it.\n\nWrites `maxLength` into"},
		{"string", "+build^", ""}, {"string", "+kubebuilder:rbac:groups^=a", ""}, {"string", "^+optional", ""},
	} {
		src := above(test.where, test.comment)
		offset := strings.IndexByte(src, '^')
		src = src[:offset] + src[offset+1:]
		note := MarkerNote([]byte(src), offset)
		if (note == nil) != (test.want == "") {
			t.Errorf("%s: %+v", test.comment, note)
			continue
		}
		if note != nil && (!strings.Contains(note.Text, test.want) || src[note.Start:note.End] != strings.Replace(test.comment, "^", "", 1)) {
			t.Errorf("%s: %q of %q", test.comment, note.Text, src[note.Start:note.End])
		}
	}
}

// TestMarkerFaults are about markers of types alone, by the controller-gen that makes the CRDs.
func TestMarkerFaults(t *testing.T) {
	t.Parallel()
	old := version.MustParseGeneric("v0.14.0")
	for _, test := range []struct {
		where, comment string
		generator      *version.Version
		want           string
	}{
		{"string", "+kubebuilder:validation:MaxLenght=3", nil, "above Widget.Spec; write +kubebuilder:validation:MaxLength=3"},
		{"string", "+required - by all", nil, "write +required on a line of its own"},
		{"kind", "+kubebuilder:storageversion:false", nil, "remove it"},
		{"list", "+kubebuilder:validation:items:MaxLength=3", old, "before v0.15.0; upgrade controller-gen, or remove the marker"},
		{"list", "+kubebuilder:validation:items:MaxLength=3", nil, ""},
		{"type", "+kubebuilder:validation:Optional\n", nil, ""}, // apart from it, and so for the package
		{"package", "+kubebuilder:default=3", nil, ""},
		{"string", "+mylinter:skip", nil, ""},
	} {
		got := ""
		for _, f := range MarkerFaults([]byte(above(test.where, test.comment)), test.generator) {
			got += f.Why.Sentence(f.Text, f.Symbol).String()
		}
		if !strings.HasSuffix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: %q", test.comment, got)
		}
	}
	if all := MarkerFaults([]byte("package a\n\n// +optional\ntype T int\n"), nil); len(all) > 0 {
		t.Errorf("in a file without markers of kubebuilder: %+v", all)
	}
}

// FuzzMarkers never fails, and what it offers fits into the text.
func FuzzMarkers(f *testing.F) {
	f.Add(types, 10)
	f.Add("package v1\ntype T struct {\n// +\n", 30)
	f.Add("type T struct{T struct{// +", 27)
	f.Add("x\x91// +", 4)
	f.Fuzz(func(t *testing.T, src string, offset int) {
		for _, item := range Markers([]byte(src), offset) {
			if item.Start > offset || item.End < offset || item.Start < 0 || item.End > len(src) {
				t.Errorf("%+v at %d of %d", item, offset, len(src))
			}
		}
		MarkerNote([]byte(src), offset)
		MarkerFaults([]byte(src), nil)
	})
}
