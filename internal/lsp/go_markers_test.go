package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const writing = "Write +listType=map +listMapKey=type above GadgetStatus.Conditions (unsafe)"

// TestWriteMarkers writes the markers that a finding needs into Go, from the manifest as from the Go file, saved or not, and shows the
// change before where the client can.
func TestWriteMarkers(t *testing.T) {
	t.Parallel()
	want := changed(t, gadget, "\tConditions", "\t// +listType=map\n\t// +listMapKey=type\n\tConditions")
	c := gadgetsWith(t, editor)
	c.open(bases, gadgets)
	c.diagnostics(bases, "29:14-29:24 warning schema-conditions-list-map")
	one := c.chosen(c.actions(bases, "29:0-29:0", ""), writing)
	if got := c.apply(one.Edit, types, gadget); got != want {
		t.Errorf("from the manifest:\n%s", got)
	}
	if a := one.Edit.ChangeAnnotations["crdlift"]; a.Label != "Markers in Go" || !a.NeedsConfirmation || a.Description != "The manifests change when controller-gen v0.14.0 runs again." {
		t.Errorf("%+v", a)
	}
	if v := one.Edit.DocumentChanges[0].TextDocument.Version; v != nil {
		t.Errorf("it is of version %d of a file that is not open", *v)
	}
	if all := titles(c.actions(bases, "29:16-29:16", "")); all[0] != writing || all[len(all)-1] != "Ignore schema-conditions-list-map here, in .crdlift.yaml" {
		t.Errorf("%q", all)
	}
	for _, at := range []string{"28:0-28:99", "30:0-30:0"} {
		if all := titles(c.actions(bases, at, "quickfix")); len(all) > 0 {
			t.Errorf("at %s: %q", at, all)
		}
	}
	c.open(types, gadget)
	c.diagnostics(types, conditions)
	const comment = "// Here begins the file.\n\n"
	c.edit(types, 2, "0:0-0:0 "+comment)
	for name, at := range map[string]string{types: "18:0-18:0", bases: "29:30-29:30"} {
		one := c.chosen(c.actions(name, at, "quickfix"), writing)
		if got := c.apply(one.Edit, types, comment+gadget); got != comment+want {
			t.Errorf("from %s:\n%s", name, got)
		}
		if v := one.Edit.DocumentChanges[0].TextDocument.Version; v == nil || *v != 2 {
			t.Errorf("it is of version %v", v)
		}
	}
	if all := titles(c.actions(types, "18:0-18:0", "source")); len(all) > 0 {
		t.Errorf("asked for others: %q", all)
	}
	c.edit(types, 3, "18:1-18:11 Another")
	if all := c.actions(types, "0:0-99:0", ""); len(all) > 0 {
		t.Errorf("of another field: %q", titles(all))
	}
	c = gadgetsWith(t, "{}") // takes what is done at once
	c.open(bases, gadgets)
	if got := c.choose(c.actions(bases, "29:0-29:0", ""), writing, types, gadget); got != want {
		t.Errorf("for a simple client:\n%s", got)
	}
}

// TestCorrectMarkers replaces and removes markers that controller-gen ignores, and leaves those alone that a person has to correct.
func TestCorrectMarkers(t *testing.T) {
	t.Parallel()
	wrong := changed(t, gadget, "\tStatus", "\t// +nullable:false\n\t// +kubebuilder:validation:Nonsense=1\n\t// +optional:\n\tStatus")
	c := gadgetsWith(t, editor, types, wrong, ".crdlift.yaml", "rules:\n  schema-conditions-list-map: off\n")
	c.open(types, wrong)
	c.diagnostics(types, "11:4-11:19 warning marker-ignored", "12:4-12:38 warning marker-ignored", "13:4-13:14 warning marker-ignored")
	all := c.actions(types, "0:0-30:0", "")
	remove, replace := "Remove +nullable:false above Gadget.Status", "Replace +optional: by +optional above Gadget.Status"
	if got := titles(all); !slices.Equal(got, []string{remove, replace}) {
		t.Errorf("%q", got)
	}
	if got := c.choose(all, remove, types, wrong); got != changed(t, wrong, "\t// +nullable:false\n", "") {
		t.Errorf("%s", got)
	}
	if got := c.choose(all, replace, types, wrong); got != changed(t, wrong, "+optional:", "+optional") {
		t.Errorf("%s", got)
	}
}

// TestMarkersInSeveralFiles are written together: what is about all versions stands above the struct of each.
func TestMarkersInSeveralFiles(t *testing.T) {
	t.Parallel()
	doubled := changed(t, gadget, "// +kubebuilder:subresource:status\n", "// +kubebuilder:subresource:status\n// +kubebuilder:resource:shortName=g;g\n")
	older := strings.Replace(doubled, "package v1", "package v1beta1", 1)
	doubled = changed(t, doubled, "// +kubebuilder:subresource:status\n", "// +kubebuilder:storageversion\n// +kubebuilder:subresource:status\n")
	version := gadgets[strings.Index(gadgets, "  - name: v1\n"):]
	manifest := changed(t, gadgets, "    singular: gadget\n", "    shortNames:\n    - g\n    - g\n    singular: gadget\n") +
		strings.Replace(strings.Replace(version, "name: v1\n", "name: v1beta1\n", 1), "storage: true", "storage: false", 1)
	files := []string{types, doubled, "api/v1beta1/types.go", older, bases, manifest, ".crdlift.yaml", "rules: {schema-conditions-list-map: off, names-duplicate: warning}\n"}
	const title = "Replace +kubebuilder:resource:shortName=g;g by +kubebuilder:resource:shortName=g above Gadget and in 1 other place"
	for _, capabilities := range []string{editor, "{}"} {
		c := gadgetsWith(t, capabilities, files...)
		c.open(bases, manifest)
		c.published(bases, func(p clientDiagnostics) bool {
			return strings.Contains(strings.Join(p.lines(), " "), "names-duplicate")
		})
		all := c.actions(bases, "12:0-14:0", "")
		i := slices.IndexFunc(all, func(a clientAction) bool { return strings.HasPrefix(a.Title, title) })
		if i < 0 {
			t.Fatalf("%q", titles(all))
		}
		one := c.chosen(all, all[i].Title)
		for name, text := range map[string]string{types: doubled, "api/v1beta1/types.go": older} {
			if got := c.apply(one.Edit, name, text); got != changed(t, text, "=g;g", "=g") {
				t.Errorf("%s:\n%s", name, got)
			}
		}
		c.open(types, doubled)
		c.diagnostics(types, "9:5-9:11 warning names-duplicate")
		c.edit(types, 2, "all "+changed(t, doubled, "=g;g\n", "=g;g\n// +kubebuilder:resource:shortName=g\n"))
		c.edit(types, 3, "0:0-0:0 \n")
		c.diagnostics(types, "11:5-11:11 warning names-duplicate") // while the wrong one is there, too
		c.edit(types, 4, "all "+changed(t, doubled, "=g;g", "=g"))
		c.open("api/v1beta1/types.go", changed(t, older, "=g;g", "=g"))
		c.edit(types, 5, "0:0-0:0 \n")
		c.diagnostics(types) // once both are written
	}
}

// TestMarkersOfBrokenGo are not written, which says so: where they would come to stand is not sure.
func TestMarkersOfBrokenGo(t *testing.T) {
	t.Parallel()
	c := gadgetsWith(t, editor)
	c.open(types, gadget)
	c.diagnostics(types, conditions)
	c.edit(types, 2, "all "+gadget+"\nfunc (\n")
	all := c.actions(types, "16:0-16:0", "")
	if got := titles(all); !slices.Equal(got, []string{writing}) {
		t.Fatalf("%q", got)
	}
	answer := c.call("codeAction/resolve", fmt.Sprintf(`{"title": %q, "data": %s}`, writing, all[0].Data))
	if answer.Error == nil || !strings.HasPrefix(answer.Error.Message, "there is nothing to change") {
		t.Errorf("%+v", answer)
	}
	c.await("the reason", func(m message) bool {
		return m.Method == "window/logMessage" && strings.Contains(string(m.Params), "types.go: the markers are not written: its Go is broken")
	})
	c.edit(types, 3, "all "+strings.Replace(gadget, "Conditions", "Others", 1))
	if answer := c.call("codeAction/resolve", fmt.Sprintf(`{"title": %q, "data": %s}`, writing, strings.Replace(string(all[0].Data), `"version":2`, `"version":3`, 1))); answer.Error == nil || !strings.HasPrefix(answer.Error.Message, "there is nothing") {
		t.Errorf("of a field that is gone: %+v", answer)
	}
	c.open(bases, gadgets)
	c.diagnostics(bases, "29:14-29:24 warning schema-conditions-list-map")
	one := c.actions(bases, "29:0-29:0", "")[0]
	if answer := c.call("codeAction/resolve", fmt.Sprintf(`{"title": %q, "data": %s}`, writing, one.Data)); answer.Error == nil || !strings.HasPrefix(answer.Error.Message, "there is nothing") {
		t.Errorf("of a field that is gone, from the manifest: %+v", answer)
	}
}

// TestMarkersOfProgram are not written into a file that a program writes, which would undo it.
func TestMarkersOfProgram(t *testing.T) {
	t.Parallel()
	written := "// Code generated by gadgetgen. DO NOT EDIT.\n\n" + gadget
	c := gadgetsWith(t, editor, types, written)
	c.open(bases, gadgets)
	c.open(types, written)
	c.diagnostics(bases, "29:14-29:24 warning schema-conditions-list-map")
	for _, name := range []string{types, bases} {
		if got := titles(c.actions(name, "0:0-99:0", "")); slices.Contains(got, writing) {
			t.Errorf("in %s: %q", name, got)
		}
	}
}

// TestMarkerAssistance completes and explains markers in Go, and nothing else there.
func TestMarkerAssistance(t *testing.T) {
	t.Parallel()
	text := changed(t, gadget, "\tConditions", "\t// 😀 then\n\t// +kubebuilder:validation:MaxI\n\t// +listType=\n\tConditions")
	c := gadgetsWith(t, `{"textDocument": {"hover": {"contentFormat": ["markdown"]}, "completion": {"completionItem": {"snippetSupport": true, "documentationFormat": ["markdown"]}}}}`)
	c.open(types, text)
	find := func(line, character int, label string) *item {
		all := c.complete(types, line, character)
		if i := slices.IndexFunc(all, func(one item) bool { return one.Label == label }); i >= 0 {
			return &all[i]
		}
		return nil
	}
	one := find(17, 32, "+kubebuilder:validation:MaxItems")
	if one == nil || one.TextEdit.Range.Start != (place{17, 4}) || one.TextEdit.Range.End != (place{17, 32}) || one.TextEdit.NewText != "+kubebuilder:validation:MaxItems=" ||
		one.Detail != "an integer" || one.Documentation.Kind != "markdown" || !strings.HasPrefix(one.Documentation.Value, "Writes `maxItems`") {
		t.Errorf("%+v", one)
	}
	if one := find(17, 5, "+kubebuilder:default"); one == nil || one.InsertTextFormat != 1 {
		t.Errorf("%+v", one)
	}
	if one := find(5, 5, "+kubebuilder:resource"); one != nil {
		t.Errorf("in prose: %+v", one)
	}
	if one := find(18, 14, "map"); one == nil || one.TextEdit.NewText != "map" {
		t.Errorf("%+v", one)
	}
	c.edit(types, 2, "18:4-18:14 +")
	if one := find(18, 5, "+listType"); one == nil || one.TextEdit.NewText != "+listType=${1|map,set,atomic|}" || one.InsertTextFormat != 2 {
		t.Errorf("a snippet: %+v", one)
	}
	c.edit(types, 3, "5:0-5:0 // # crdlift:ignore s\n")
	if all := c.complete(types, 5, 21); len(all) > 0 {
		t.Errorf("what ignores in YAML, in Go: %+v", all)
	}
	c.edit(types, 4, "5:0-6:0 ")
	got := c.hover(types, 6, 10)
	if got == nil || got.Range == nil || got.Range.Start != (place{6, 3}) || got.Range.End != (place{6, 34}) || !strings.HasPrefix(got.Contents.Value, "Writes `subresources.status`") {
		t.Errorf("%+v", got)
	}
	for line := range 30 {
		if got := c.hover(types, line, 3); got != nil && line != 0 && line != 6 {
			t.Errorf("line %d: %+v", line, got)
		}
	}
}
