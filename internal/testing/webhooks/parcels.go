package webhooks

import (
	_ "embed" // for the CRD
	"fmt"
	"maps"
	"net/http"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// ParcelCRD is the manifest of the CRD that the webhooks of parcels convert.
//
//go:embed parcels.yaml
var ParcelCRD []byte

// Parcels is a webhook with a mistake of a name, and for "" a correct one. It panics for a name that no mistake has.
func Parcels(name string) http.Handler {
	for _, m := range append([]Mistake{{}}, Mistakes...) {
		if m.Name == name {
			return parcels(convertParcel, m.Fault)
		}
	}
	panic(fmt.Sprintf("no mistake is called %q", name))
}

func parcels(convert func(object map[string]any, to string), f Fault) http.Handler {
	return &webhook{kind: "Parcel", versions: []string{"v1", "v2"}, convert: convert, Fault: f}
}

// CorrectParcels are webhooks that are right, each in another way of writing them.
var CorrectParcels = map[string]http.Handler{
	"fields":           parcels(convertParcel, Fault{}),
	"types":            parcels(convertTypes, Fault{}),
	"a copy":           parcels(convertByCopy, Fault{}),
	"no empty":         parcels(convertWithoutEmpty, Fault{}),
	"nulls":            parcels(convertParcel, Fault{Object: addNulls}),
	"its order":        parcels(convertParcel, Fault{Object: sortMaps}),
	"a copy and zeros": parcels(convertParcel, Fault{Object: addZeros}),
}

// The annotations in which a parcel carries what its version has no field for.
const (
	codeAnnotation  = "parcels.example.com/legacy-code"
	holdAnnotation  = "parcels.example.com/hold"
	copyAnnotation  = "parcels.example.com/copy"
	shelfAnnotation = "parcels.example.com/shelves"
)

// urgencies are the words of v2 for those of v1.
var urgencies = map[any]any{"Low": "Whenever", "Normal": "Usual", "High": "Soon"}

// convertParcel moves the fields, and keeps in annotations what the other version lacks.
func convertParcel(object map[string]any, to string) {
	moveFields(object, to)
	spec, _ := object["spec"].(map[string]any)
	if to == "v2" {
		stash(object, spec, "legacyCode", codeAnnotation)
		stashShelves(object, spec["contents"])
		unstash(object, "hold", holdAnnotation)
	} else {
		stash(object, spec, "hold", holdAnnotation)
		unstash(object, "legacyCode", codeAnnotation)
		unstashShelves(object, spec["items"])
	}
}

func moveFields(object map[string]any, to string) {
	object["apiVersion"] = "example.com/" + to
	member(object, "metadata")
	spec, _ := object["spec"].(map[string]any)
	if to == "v2" {
		for _, name := range []string{"address", "recipient"} {
			if value, found := spec[name]; found {
				delete(spec, name)
				member(spec, "destination")[name] = value
			}
		}
		rename(spec, "items", "contents")
		rename(spec, "priority", "urgency")
		if word, found := urgencies[spec["urgency"]]; found {
			spec["urgency"] = word
		}
		return
	}
	destination := of(spec, "destination")
	for _, name := range []string{"address", "recipient"} {
		if value, found := destination[name]; found {
			spec[name] = value
		}
	}
	delete(spec, "destination")
	rename(spec, "contents", "items")
	rename(spec, "urgency", "priority")
	for word, other := range urgencies {
		if spec["priority"] == other {
			spec["priority"] = word
			break
		}
	}
}

// convertByCopy keeps a copy of the spec in an annotation where its version has a field that the other one lacks, and takes from such
// a copy what that one lacked.
func convertByCopy(object map[string]any, to string) {
	annotations := member(member(object, "metadata"), "annotations")
	var before map[string]any
	if former, ok := annotations[copyAnnotation].(string); ok && utiljson.Unmarshal([]byte(former), &before) == nil {
		delete(annotations, copyAnnotation)
	}
	own, lacking := "legacyCode", "hold"
	if to == "v2" {
		own, lacking = lacking, own
	}
	if spec := of(object, "spec"); spec[lacking] != nil || to == "v2" && len(shelves(spec["items"])) > 0 {
		text, _ := utiljson.Marshal(spec) // it comes from JSON
		annotations[copyAnnotation] = string(text)
		delete(spec, lacking)
	}
	if moveFields(object, to); to == "v2" {
		shelve(of(object, "spec")["contents"], nil)
	} else {
		shelve(of(object, "spec")["items"], shelves(before["items"]))
	}
	if value, found := before[own]; found {
		member(object, "spec")[own] = value
	}
}

// convertWithoutEmpty leaves out what is empty, as Go types do that have no pointers there. Entries of maps stay, and what has a
// default.
func convertWithoutEmpty(object map[string]any, to string) {
	leaveOut(of(object, "spec"))
	leaveOut(of(object, "status"))
	convertParcel(object, to)
}

func leaveOut(object map[string]any) {
	pointers := []string{"insured", "copies", "fragile", "limit", "share", "selector", "counters", "extra", "name", "type", "status"}
	maps.DeleteFunc(object, func(name string, value any) bool {
		switch value := value.(type) {
		case map[string]any:
			if name == "destination" {
				leaveOut(value)
			}
		case []any:
			for _, item := range value {
				if item, ok := item.(map[string]any); ok {
					leaveOut(item)
				}
			}
			return len(value) == 0
		case string, int64, float64:
			return !slices.Contains(pointers, name) && (value == "" || value == int64(0) || value == 0.0)
		}
		return false
	})
}

// addNulls has nulls and empty values where there is nothing, as Go types without omitempty have.
func addNulls(c *Conversion) {
	metadata(c)["creationTimestamp"] = nil
	for _, name := range []string{"stops", "selector", "legs"} {
		if spec := specOf(c); spec[name] == nil {
			spec[name] = nil
		}
	}
	if _, found := c.Out["status"]; !found {
		c.Out["status"] = map[string]any{}
	}
}

// addZeros has a number where there is none, as Go types without pointers have, and a copy of the object beside it, which nobody reads.
func addZeros(c *Conversion) {
	annotations := member(metadata(c), "annotations")
	if delete(annotations, copyAnnotation); c.To == "v2" {
		text, _ := utiljson.Marshal(of(c.In, "spec")) // it comes from JSON
		annotations[copyAnnotation] = string(text)
	}
	if spec, ok := c.Out["spec"].(map[string]any); ok && spec["sequence"] == nil {
		spec["sequence"] = int64(0)
	}
}

// sortMaps has the items of lists that are maps in an order of its own, always the same.
func sortMaps(c *Conversion) {
	for _, name := range []string{"items", "contents"} {
		if all, ok := specOf(c)[name].([]any); ok {
			slices.SortStableFunc(all, func(a, b any) int { return compareTexts(a, b, "name") })
		}
	}
}
