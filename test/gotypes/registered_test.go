package gotypes

import (
	"maps"
	"testing"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	upstream "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/crdlift/crdlift/internal/marker"
)

// targets are what markers stand above, in the words of both sides. Above the struct of a kind, controller-tools has no
// registrations of their own.
var targets = map[marker.Target]upstream.TargetType{marker.AboveField: upstream.DescribesField, marker.AboveKind: upstream.DescribesType}

// ofOthers are the registrations that are about no schema and no kind.
var ofOthers = map[string]bool{"groupName": true, "versionName": true, "kubebuilder:skip": true}

// TestRegistered compares which markers controller-gen takes, and above what, with its own registry: all that it has, and
// each in spellings that people write.
func TestRegistered(t *testing.T) {
	registry := &upstream.Registry{}
	if err := crdmarkers.Register(registry); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, d := range registry.AllDefinitions() {
		names[d.Name] = !ofOthers[d.Name]
	}
	if len(names) < 60 {
		t.Fatalf("there are %d markers", len(names))
	}
	for name, ours := range names {
		if !ours {
			continue
		}
		for above, theirs := range targets {
			for _, form := range []string{"", "=", "=1", ":=1", ":1", " 1", " = 1", ":a=1", "s=1", ":", "=true", "=a;b", "=0.5", "={}", "=null"} {
				text := "+" + name + form
				d := registry.Lookup(text, theirs)
				if takes := marker.Since(text, above) != ""; takes != (d != nil) {
					t.Errorf("%s above a %s: controller-gen takes it: %v, the table says %v", text, theirs, d != nil, takes)
				}
				if d != nil {
					checkRefused(t, d, text, above)
				}
			}
		}
	}
}

// TestDescribed compares what editors offer as the arguments of markers with what controller-gen reads.
func TestDescribed(t *testing.T) {
	registry := &upstream.Registry{}
	if err := crdmarkers.Register(registry); err != nil {
		t.Fatal(err)
	}
	for above, theirs := range targets {
		for _, name := range marker.Names(above) {
			described, _ := marker.Describe(name, above)
			d := registry.Lookup("+"+name, theirs)
			required := map[string]bool{}
			for argument, of := range d.Fields {
				if argument != "" && name != "default" { // which has one name for its value as well
					required[argument] = !of.Optional
				}
			}
			ours := map[string]bool{}
			for _, a := range described.Arguments {
				ours[a.Name] = a.Required
			}
			if !maps.Equal(ours, required) {
				t.Errorf("%s: arguments, and whether they are required: %v, those of controller-gen %v", name, ours, required)
			}
		}
	}
}

// checkRefused expects a marker to be rejected for its value if controller-gen rejects it. Of lists, texts and arguments, not
// every mistake is known.
func checkRefused(t *testing.T, d *upstream.Definition, text string, above marker.Target) {
	t.Helper()
	_, err := d.Parse(text)
	refused := marker.Reject(text, above, nil).Fault == marker.Refused
	simple := d.Empty()
	if argument, only := d.Fields[""]; only {
		simple = argument.Type == upstream.IntType || argument.Type == upstream.NumberType || argument.Type == upstream.BoolType
	}
	if refused && err == nil || simple && err != nil && !refused {
		t.Errorf("%s: controller-gen says %v, and we say that it is rejected: %v", text, err, refused)
	}
}
