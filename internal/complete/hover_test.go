package complete

import (
	"testing"
)

// TestNotes shows what is said about what is written at ‸.
func TestNotes(t *testing.T) {
	crds := garden(t)
	tests := []struct{ name, text, written, want string }{
		{"the kind", "apiVersion: garden.example.com/v1\nkind: B‸ed\n", "Bed", "**Bed** object\n\nA Bed is where plants grow."},
		{"a version that is deprecated", "apiVersion: garden.example.com/v1alpha1‸\nkind: Bed\n", "garden.example.com/v1alpha1",
			"**Bed** object\n\ngarden.example.com/v1alpha1 Bed is deprecated; use garden.example.com/v1 Bed"},
		{"a field", head + "spec:\n  len‸gth: 3\n", "length", "**spec.length** integer, 1 to 20, required, default 3\n\nHow long it is.\n\n" +
			"- a bed is not as deep as it is long: `!has(self.depth) || self.depth < self.length` (spec)\n\nIn v1; not in v1alpha1."},
		{"its value", head + "spec:\n  soil: clay‸\n", "clay", "**spec.soil** string, one of \"clay\", \"loam\", \"sand\", required\n\nThe soil of the bed.\n\n" +
			"- It cannot be changed once it is set: the soil stays (spec.soil)\n\nIn v1; not in v1alpha1."},
		{"bounds that are excluded", head + "spec: {de‸pth: 1}\n", "depth", "**spec.depth** integer, at least 0, the least excluded\n\n" +
			"- a bed is not as deep as it is long: `!has(self.depth) || self.depth < self.length` (spec)\n\nIn v1; not in v1alpha1."},
		{"a list", head + "spec:\n  plants‸: []\n", "plants", "**spec.plants** array of object, list of type map by name\n\nIn v1; not in v1alpha1."},
		{"an item", head + "spec:\n  tools: [sp‸ade]\n", "spade", "**spec.tools[0]** string, matches `^[a-z]+$`\n\nIn v1; not in v1alpha1."},
		{"how many there may be", head + "spec:\n  tools‸: []\n", "tools", "**spec.tools** array of string, at most 5 items\n\nIn v1; not in v1alpha1."},
		{"a map", head + "spec:\n  notes‸:\n    a: b\n", "notes", "**spec.notes** map of string, at most 1 member\n\nIn v1; not in v1alpha1."},
		{"a key of a map", head + "spec:\n  notes:\n    a‸: b\n", "a", "**spec.notes.a** string, at most 80 characters\n\nIn v1; not in v1alpha1."},
		{"either type", head + "spec:\n  plants:\n  - water:\n      lit‸res: 1\n", "litres", "**spec.plants[0].water.litres** integer or string, required\n\nIn v1; not in v1alpha1."},
		{"a field in a case of a suite", suiteHead + "- set: {spec.tools‸: []}\n", "spec.tools", "**spec.tools** array of string, at most 5 items\n\nIn v1; not in v1alpha1."},
		{"metadata", head + "metadata:\n  na‸me: a\n", "name", "**metadata.name** string\n\nName must "},
		{"nothing declared", head + "spec:\n  no‸: 1\n", "", ""},
		{"no kind", "a‸: 1\n", "", ""},
		{"a space", head + "spec: ‸\n", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, offset := at(t, test.text, crds)
			note := text.NoteAt(offset)
			switch {
			case note == nil && test.want == "":
			case note == nil:
				t.Error("there is no note")
			case test.name == "metadata" && len(note.Text) > len(test.want):
				if got := note.Text[:len(test.want)]; got != test.want {
					t.Errorf("got\n%s\nwant\n%s", got, test.want)
				}
			case note.Text != test.want || string(text.Source[note.Start:note.End]) != test.written:
				t.Errorf("of %q:\n%s\nwant\n%s", text.Source[note.Start:note.End], note.Text, test.want)
			}
		})
	}
}
