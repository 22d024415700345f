package e2e

import (
	"encoding/json"
	"strings"
)

// create sends a new object: one that is valid by all means, or any.
func (w *writer) create(k plural, version string, valid bool) step {
	about := "create"
	o := w.object(k, version, w.name())
	for range w.random.IntN(3) {
		w.edit(k, version, valid).do(o)
	}
	metadata := o["metadata"].(map[string]any)
	namespace := "{ns}"
	path := k.path(version, "", "")
	if !valid {
		switch w.random.IntN(16) {
		case 0:
			about = "create with generateName"
			delete(metadata, "name")
			metadata["generateName"] = string(rune('m'+w.generated)) + "gen-"
			w.generated++
		case 1:
			about = "create with a resourceVersion"
			metadata["resourceVersion"] = pick(w.random, []string{"1", "0", "x", "{rv:" + k.name + "/a:0}"})
		case 2:
			about = "create in a wrong namespace"
			namespace = pick(w.random, []string{"elsewhere", ""})
			metadata["namespace"] = namespace
		case 3:
			about = "create with a wrong name"
			metadata["name"] = pick(w.random, []string{"", "Upper", "with space", "a/b", "..", "a..b", "-a", strings.Repeat("n", 254),
				"never"})
		case 4:
			about = "create with a wrong apiVersion or kind"
			o[pick(w.random, []string{"apiVersion", "kind"})] = pick(w.random, []any{"{group}/v1beta1", "{group}/v2", "other/v1", "v1",
				"Gadget", "", nil, 7, "a/b/c"})
		case 5:
			about = "create with a uid"
			metadata["uid"] = "11111111-2222-3333-4444-555555555555"
		case 6:
			about = "create without metadata"
			o["metadata"] = pick(w.random, []any{nil, map[string]any{}, "x", []any{}, 1})
		case 7:
			about = "create with metadata of wrong types"
			metadata[pick(w.random, []string{"labels", "annotations", "finalizers", "ownerReferences", "name", "generation",
				"creationTimestamp", "managedFields"})] =
				pick(w.random, []any{"x", 1, []any{1}, map[string]any{"a": 1}, true, nil})
		case 8:
			about = "create by path of an object"
			path = k.path(version, w.name(), "")
		}
	}
	query := w.writing(&about)
	s := w.to(about, "POST", path, query...)
	s.body = asJSON(o)
	if !valid {
		w.garble(&s)
	}
	return s
}

// garble makes the body another than JSON, now and then.
func (w *writer) garble(s *step) {
	if !w.chance(20) {
		return
	}
	switch w.random.IntN(9) {
	case 0:
		s.about += ", malformed"
		s.body = pick(w.random, []string{"", "{", "null", "[]", `"x"`, "{}", "{}}", "{\"a\":1,}", s.body + "x", strings.TrimSuffix(s.body,
			"}"), "\xff\xfe", " "})
	case 1, 2:
		s.about += ", with duplicate fields"
		s.body = strings.TrimSuffix(s.body, "}") + pick(w.random, []string{`,"kind":"Widget"}`, `,"spec":{"size":"M","size":"S"}}`,
			`,"spec":{"size":"L","x":1,"x":2},"x":1}`, `,"metadata":{"name":"a"}}`})
	case 3:
		s.about += ", as YAML"
		s.contentType = "application/yaml"
	case 4:
		s.about += ", as YAML"
		s.contentType = "application/yaml"
		s.body = pick(w.random, []string{"kind: Widget\napiVersion: {group}/v1\nmetadata:\n  name: a\nspec:\n  size: M\n  size: S\n",
			"a: b: c", "- 1",
			"metadata: {name: b}\nkind: Widget\napiVersion: {group}/v1\nspec: {size: M, y: on, n: 0x10, when: 2020-01-01}\n", "---\n"})
	case 5:
		s.about += ", with another content type"
		// not application/vnd.kubernetes.protobuf: the real server panics in schemaCoercingDecoder and breaks off
		s.contentType = pick(w.random, []string{"", "text/plain", "application/cbor", "application/json; charset=utf-8",
			"application/json-patch+json", "nonsense;;", "application/merge-patch+json", "application/json;stream=watch"})
	case 6:
		s.about += ", with another kind of JSON"
		s.body = pick(w.random, []string{`{"kind":"WidgetList","apiVersion":"{group}/v1","items":[]}`,
			`{"kind":"DeleteOptions","apiVersion":"v1"}`, `{"kind":"Widget","apiVersion":"{group}/v1"}`,
			`{"kind":"Widget","apiVersion":"{group}/v1","metadata":{"name":"a"},"spec":{"size":"M","extra":{"n":1e400}}}`,
			`{"kind":"Widget","apiVersion":"{group}/v1","metadata":{"name":"c"},"spec":{"size":"M","max":1e1,"ratio":1e2,"extra":{"n":1.0,"m":12345678901234567890}}}`})
	case 7:
		s.about += ", with members in other cases"
		s.body = strings.NewReplacer(`"metadata"`, `"Metadata"`, `"spec"`, `"Spec"`).Replace(s.body)
	case 8:
		s.about += ", deep"
		s.body = strings.TrimSuffix(s.body, "}") + `,"deep":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + "}"
	}
}

func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// update sends an object as it was seen, with changes.
func (w *writer) update(k plural, version string) step {
	name := w.name()
	s := w.to("update", "PUT", k.path(version, name, ""))
	s.path = withQuery(s.path, w.writing(&s.about)...)
	s.base = w.base(k, version, name, 1+w.random.IntN(2))
	switch w.random.IntN(14) {
	case 0:
		s.about = "update of an earlier state"
		s.base.back = 1 + w.random.IntN(2)
	case 1, 2:
		s.about = "update without a resourceVersion"
		s.base.edits = append(s.base.edits, edit{at: []string{"metadata", "resourceVersion"}, unset: true})
	case 3:
		s.about = "update with another uid"
		s.base.edits = append(s.base.edits, edit{at: []string{"metadata", "uid"}, value: pick(w.random,
			[]any{"11111111-2222-3333-4444-555555555555", ""})})
	case 4:
		s.about = "update of a name that is missing"
		s.base = nil
		s.path = k.path(version, "missing", "")
		o := w.object(k, version, "missing")
		if w.chance(30) {
			o["metadata"].(map[string]any)[pick(w.random, []string{"uid", "resourceVersion"})] = "77"
		}
		s.body = asJSON(o)
	case 5:
		s.about = "update by another name, namespace or kind"
		s.base.edits = append(s.base.edits, pick(w.random, []edit{{at: []string{"metadata", "name"}, value: "z"},
			{at: []string{"metadata", "name"}, unset: true}, {at: []string{"metadata", "namespace"}, value: "other"},
			{at: []string{"metadata", "namespace"}, unset: true}, {at: []string{"kind"}, value: "Other"}, {at: []string{"kind"},
				unset: true}, {at: []string{"apiVersion"}, value: "{group}/v1beta1"}, {at: []string{"apiVersion"}, unset: true}}))
	case 6:
		s.about = "update without changes"
		s.base.edits = nil
	case 7:
		s.about = "update without managedFields"
		s.base.edits = append(s.base.edits, edit{at: []string{"metadata", "managedFields"}, value: pick(w.random, []any{[]any{},
			[]any{map[string]any{}}, nil, []any{map[string]any{"manager": "x", "operation": "Wrong"}}})})
	case 8:
		s.about = "update with garbage as the resourceVersion"
		s.base.edits = append(s.base.edits, edit{at: []string{"metadata", "resourceVersion"}, value: pick(w.random, []any{"x", "0", "1",
			5})})
	case 9:
		w.garbleObject(&s, k, version, name)
	}
	return s
}

// garbleObject sends a body that is no object as it was seen.
func (w *writer) garbleObject(s *step, k plural, version, name string) {
	s.base, s.body = nil, asJSON(w.object(k, version, name))
	w.garble(s)
}

func (w *writer) base(k plural, version, name string, edits int) *base {
	b := &base{seen: version + "/" + k.name + "/" + name}
	for range edits {
		b.edits = append(b.edits, w.edit(k, version, w.chance(60)))
	}
	return b
}
