package webhook

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	kjson "sigs.k8s.io/json"
)

// disks are properties whose objects may be empty, and solid the same whose objects may not.
const disks = `disk: {type: object, properties: {size: {type: integer}, files: {type: array, items: {type: string}},
      layout: {type: object, properties: {tables: {type: array, items: {type: string}}, notes: {type: object, additionalProperties: {type: string}}}}}}`

var solid = strings.ReplaceAll(disks, "{type: object, properties:", "{type: object, minProperties: 1, properties:")

// These are types as those of cluster-api: what is a pointer at v1 is none at v2, where it is left out when it has nothing.
type (
	layout struct {
		Tables []string          `json:"tables,omitempty"`
		Notes  map[string]string `json:"notes,omitempty"`
	}
	diskV1 struct {
		Size   *int64   `json:"size,omitempty"`
		Files  []string `json:"files,omitempty"`
		Layout *layout  `json:"layout,omitempty"`
	}
	diskV2 struct {
		Size   *int64   `json:"size,omitempty"`
		Files  []string `json:"files,omitempty"`
		Layout layout   `json:"layout,omitzero"`
	}
	specV1 struct {
		Disk *diskV1 `json:"disk,omitempty"`
	}
	specV2 struct {
		Disk diskV2 `json:"disk,omitzero"`
	}
)

// convertDisk converts between these types, and takes an empty list for something (reflect.DeepEqual).
func convertDisk(spec map[string]any, to string) {
	text, _ := json.Marshal(spec) // it comes from JSON
	var out any
	if to == "v1" {
		var in specV2
		if json.Unmarshal(text, &in) != nil {
			return
		}
		there := specV1{}
		if !reflect.DeepEqual(in.Disk, diskV2{}) {
			there.Disk = &diskV1{Size: in.Disk.Size, Files: in.Disk.Files}
			if !reflect.DeepEqual(in.Disk.Layout, layout{}) {
				there.Disk.Layout = &in.Disk.Layout
			}
		}
		out = there
	} else {
		var in specV1
		if json.Unmarshal(text, &in) != nil {
			return
		}
		there := specV2{}
		if in.Disk != nil {
			there.Disk = diskV2{Size: in.Disk.Size, Files: in.Disk.Files}
			if in.Disk.Layout != nil {
				there.Disk.Layout = *in.Disk.Layout
			}
		}
		out = there
	}
	text, _ = json.Marshal(out)
	converted := map[string]any{}
	if kjson.UnmarshalCaseSensitivePreserveInts(text, &converted) == nil {
		clear(spec)
		maps.Copy(spec, converted)
	}
}

// TestHollow tells no loss of a struct with nothing in it where the version takes only one with something, and tells it where a struct
// may be empty: there it may be a pointer.
func TestHollow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ v2, want string }{
		"not empty": {solid, "write-lost spec.disk.layout: lost"},
		"empty":     {disks, "data-lost spec.disk.layout: lost"},
	} {
		all := slices.DeleteFunc(told(t, versions(disks, c.v2), convertDisk, 60), func(f string) bool { return !strings.Contains(f, "-lost ") })
		if is := strings.Join(all, ", "); is != c.want {
			t.Errorf("%s: %s, want %s", name, is, c.want)
		}
	}
}

// TestIsHollow has every member of a struct be one that Go leaves out.
func TestIsHollow(t *testing.T) {
	t.Parallel()
	s := func(properties string) *request.Version {
		return serverOf(t, versions(disks, properties)).Version("v2")
	}
	required := strings.Replace(solid, "minProperties: 1,", "minProperties: 1, required: [files],", 1)
	for _, c := range []struct {
		properties, disk string
		want             bool
	}{
		{solid, `{"files":[]}`, true},
		{solid, `{"layout":{"notes":{}}}`, true},
		{solid, `{"files":[],"layout":{"notes":{},"tables":[]}}`, true},
		{solid, `{"layout":{}}`, false},
		{solid, `{}`, false},
		{solid, `{"files":["a"]}`, false},
		{solid, `{"layout":{"notes":{"a":""}}}`, false},
		{solid, `{"size":0}`, false},
		{solid, `{"files":[],"size":0}`, false},
		{disks, `{"files":[]}`, false},
		{strings.Replace(solid, "minProperties: 1", "minProperties: 0", 1), `{"files":[]}`, false},
		{required, `{"files":[]}`, false},
		{required, `{"layout":{"notes":{}}}`, true},
	} {
		v := s(c.properties)
		if v.Err() != nil {
			t.Fatal(v.Err())
		}
		if is := isHollow(v.Declared(request.Keys("spec", "disk")), map[string]any(object(t, c.disk))); is != c.want {
			t.Errorf("%s of %s: %t", c.disk, c.properties, is)
		}
	}
}
