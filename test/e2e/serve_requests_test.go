package e2e

import (
	"reflect"
	"strings"
)

// These are the requests that change a part, remove, watch, or that servers do not know.

func (w *writer) merge(k plural, version string) step {
	name := w.name()
	s := w.to("merge patch", "PATCH", k.path(version, name, ""))
	s.path = withQuery(s.path, w.writing(&s.about)...)
	s.contentType = "application/merge-patch+json"
	o := map[string]any{}
	for range w.random.IntN(3) {
		e := w.edit(k, version, w.chance(60))
		if e.unset {
			e.unset, e.value = false, nil
		}
		e.do(o)
	}
	s.body = asJSON(o)
	switch w.random.IntN(14) {
	case 0:
		s.about = "merge patch with a resourceVersion"
		edit{at: keys("metadata", "resourceVersion"), value: pick(w.random, []any{"{rv:" + k.name + "/" + name + ":0}",
			"{rv:" + k.name + "/" + name + ":1}", "1", "x", "", nil})}.do(o)
		s.body = asJSON(o)
	case 1:
		s.about = "merge patch of what it is"
		pick(w.random, []edit{{at: keys("metadata", "name"), value: "z"}, {at: keys("metadata", "namespace"), value: "z"},
			{at: keys("kind"), value: "Other"}, {at: keys("apiVersion"), value: "{group}/v1beta1"}, {at: keys("metadata", "uid"),
				value: "x"},
			{at: keys("metadata"), value: nil}, {at: keys("kind"), value: nil}}).do(o)
		s.body = asJSON(o)
	case 2:
		s.about = "merge patch, malformed"
		s.body = pick(w.random, []string{"", "{", "[]", "null", "5", `{"spec":{"size":"S","size":"M"}}`,
			`{"spec":{"size":"S","size":"M"},"a":1,"a":2}`})
	case 3:
		s.about = "patch of another content type"
		s.contentType = pick(w.random, []string{"application/strategic-merge-patch+json", "application/json", "text/plain", "",
			"application/merge-patch+json; charset=utf-8", "application/apply-patch+json"})
	case 4:
		s.about = "merge patch with force"
		s.path = withQuery(s.path, "force="+pick(w.random, []string{"true", "false", "x"}))
	}
	return s
}

func (w *writer) jsonPatch(k plural, version string) step {
	name := w.name()
	s := w.to("JSON patch", "PATCH", k.path(version, name, ""))
	s.path = withQuery(s.path, w.writing(&s.about)...)
	s.contentType = "application/json-patch+json"
	var ops []any
	for range 1 + w.random.IntN(2) {
		e := w.edit(k, version, w.chance(60))
		op := m{"op": pick(w.random, []string{"add", "add", "add", "replace", "replace", "test"}), "path": "/" + strings.Join(e.at, "/"),
			"value": e.value}
		if e.unset || w.chance(15) {
			op = m{"op": "remove", "path": op["path"]}
		}
		ops = append(ops, op)
	}
	if w.chance(25) {
		ops = append(ops, pick(w.random, []any{
			m{"op": "test", "path": "/spec/size", "value": "M"}, m{"op": "test", "path": "/metadata/name", "value": name}, m{"op": "test",
				"path": "/spec/none", "value": nil},
			m{"op": "move", "from": "/spec/color", "path": "/spec/current"}, m{"op": "copy", "from": "/spec/size",
				"path": "/spec/color"}, m{"op": "copy", "from": "/spec/nothing", "path": "/spec/color"},
			m{"op": "add", "path": "/spec/tags/-", "value": "z"}, m{"op": "add", "path": "/spec/tags/9", "value": "z"}, m{"op": "replace",
				"path": "/spec/ports/0/port", "value": 443}, m{"op": "remove", "path": "/spec/ports/0"},
			m{"op": "nonsense", "path": "/spec"}, m{"op": "add", "path": "spec", "value": 1}, m{"op": "add",
				"path": "/spec/size"}, m{"path": "/spec"}, m{"op": "replace", "path": "", "value": m{}}, m{"op": "add",
				"path": "/metadata/labels/a~1b", "value": "x"},
			m{"op": "replace", "path": "/metadata/resourceVersion", "value": "1"}, m{"op": "replace", "path": "/metadata/name",
				"value": "z"}, m{"op": "remove", "path": "/metadata"}, m{"op": "remove", "path": "/metadata/managedFields"},
			m{"op": "test", "path": "/metadata/resourceVersion", "value": "{rv:" + k.name + "/" + name + ":0}"}, m{"op": "test",
				"path": "/metadata/uid", "value": "{uid:" + k.name + "/" + name + "}"},
			m{"op": "replace", "path": "/spec/size", "value": "S", "extra": 1}, 5, nil,
		}))
	}
	s.body = asJSON(ops)
	if w.chance(6) {
		s.about = "JSON patch, malformed"
		s.body = pick(w.random, []string{"", "{}", "[", "null", "[]", `[{"op":"add","op":"remove","path":"/spec/color"}]`, `[[]]`})
	}
	return s
}

func (w *writer) apply(k plural, version string) step {
	name := w.name()
	s := w.to("apply", "PATCH", k.path(version, name, ""))
	s.contentType = "application/apply-patch+yaml"
	manager := s.client
	if w.chance(20) {
		manager = "dave"
	}
	o := m{"apiVersion": "{group}/" + version, "kind": k.kind, "metadata": m{"name": name}}
	if w.chance(70) {
		edit{at: keys("spec", "size"), value: pick(w.random, []any{"S", "M", "L"})}.do(o)
	}
	for range w.random.IntN(3) {
		w.edit(k, version, w.chance(75)).do(o)
	}
	query := []string{"fieldManager=" + manager}
	if w.chance(35) {
		s.about = "apply with force"
		query = append(query, "force=true")
	}
	switch w.random.IntN(20) {
	case 0:
		s.about = "apply without a field manager"
		query[0] = pick(w.random, []string{"", "fieldManager="})
	case 1:
		s.about = "apply of what it is"
		pick(w.random, []edit{{at: keys("metadata", "name"), value: "z"}, {at: keys("metadata", "name"), unset: true}, {at: keys("kind"),
			value: "Other"}, {at: keys("kind"), unset: true}, {at: keys("apiVersion"), value: "{group}/v2"},
			{at: keys("apiVersion"), value: "{group}/v1beta1"}, {at: keys("metadata", "namespace"), value: "z"}, {at: keys("metadata"),
				unset: true}, {at: keys("metadata", "uid"), value: "x"}, {at: keys("metadata", "managedFields"), value: []any{m{}}},
			{at: keys("metadata", "resourceVersion"), value: "{rv:" + k.name + "/" + name + ":1}"}, {at: keys("metadata",
				"resourceVersion"), value: "1"}, {at: keys("metadata", "uid"), value: "{uid:" + k.name + "/" + name + "}"}}).do(o)
	case 2:
		s.about = "apply of nothing"
		o = m{"apiVersion": "{group}/" + version, "kind": k.kind, "metadata": m{"name": name}}
	case 3:
		s.about = "apply with dryRun"
		query = append(query, "dryRun=All")
	case 4, 5:
		s.about = "apply with fieldValidation"
		query = append(query, "fieldValidation="+pick(w.random, []string{"Ignore", "Warn", "Strict", "Strict"}))
		w.edit(k, version, false).do(o)
	}
	metadata, _ := o["metadata"].(m)
	for key, value := range metadata {
		// Servers store nothing, and what they ignore in other requests, until the next write, which is one for that reason.
		if value == nil || reflect.DeepEqual(value, m{}) || reflect.DeepEqual(value, []any{}) || key == "selfLink" || key == "creationTimestamp" {
			delete(metadata, key)
		}
	}
	s.path = withQuery(s.path, query...)
	s.body = asJSON(o)
	if w.chance(6) {
		s.about = "apply, malformed"
		s.body = pick(w.random, []string{"", "{", "[]", "null", "a: b: c", "{}",
			"spec: {size: M, size: S}\nkind: Widget\napiVersion: {group}/v1\nmetadata: {name: a}\n", s.body + "\n---\n" + s.body})
	}
	return s
}

// status writes the subresource, which rigs do not have.
func (w *writer) status(k plural, version string) step {
	name := w.name()
	path := k.path(version, name, "status")
	e := w.editOf(statusMembers, w.chance(60))
	switch w.random.IntN(5) {
	case 0:
		return w.to("get of the status", "GET", path)
	case 1:
		s := w.to("merge patch of the status", "PATCH", path)
		s.contentType = "application/merge-patch+json"
		o := m{}
		e.do(o)
		s.body = asJSON(o)
		return s
	case 2:
		s := w.to("apply of the status", "PATCH", path)
		s.path = withQuery(s.path, "fieldManager="+s.client, pick(w.random, []string{"", "force=true"}))
		s.contentType = "application/apply-patch+yaml"
		o := m{"apiVersion": "{group}/" + version, "kind": k.kind, "metadata": m{"name": name}}
		e.do(o)
		s.body = asJSON(o)
		return s
	}
	s := w.to("update of the status", "PUT", path)
	s.path = withQuery(s.path, w.writing(&s.about)...)
	s.base = &base{seen: version + "/" + k.name + "/" + name, edits: []edit{e}}
	if w.chance(20) {
		s.base.back = 1
	}
	if w.chance(20) {
		s.base.edits = append(s.base.edits, edit{at: keys("metadata", "resourceVersion"), unset: true})
	}
	return s
}

func (w *writer) scale(k plural, version string) step {
	name := w.name()
	path := k.path(version, name, "scale")
	replicas := pick(w.random, []any{0, 1, 3, 7, 12, 30, -1, "x"})
	switch w.random.IntN(5) {
	case 0:
		return w.to("get of the scale", "GET", path)
	case 1:
		s := w.to("merge patch of the scale", "PATCH", path)
		s.contentType = "application/merge-patch+json"
		s.body = asJSON(m{"spec": m{"replicas": replicas}})
		return s
	case 2:
		s := w.to("apply of the scale", "PATCH", path)
		s.path = withQuery(s.path, "fieldManager="+s.client, pick(w.random, []string{"", "force=true"}))
		s.contentType = "application/apply-patch+yaml"
		s.body = asJSON(m{"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": m{"name": name}, "spec": m{"replicas": replicas}})
		return s
	}
	s := w.to("update of the scale", "PUT", path)
	s.path = withQuery(s.path, w.writing(&s.about)...)
	o := m{"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": m{"name": name, "namespace": "{ns}"},
		"spec": m{"replicas": replicas}, "status": m{"replicas": 0}}
	switch w.random.IntN(8) {
	case 0:
		edit{at: keys("metadata", "resourceVersion"), value: pick(w.random, []any{"{rv:" + k.name + "/" + name + ":0}",
			"{rv:" + k.name + "/" + name + ":1}", "x"})}.do(o)
	case 1:
		edit{at: keys("metadata", "uid"), value: pick(w.random, []any{"{uid:" + k.name + "/" + name + "}", "x"})}.do(o)
	case 2:
		pick(w.random, []edit{{at: keys("kind"), value: "Widget"}, {at: keys("apiVersion"), value: "{group}/v1"}, {at: keys("metadata",
			"name"), value: "z"}, {at: keys("metadata", "namespace"), unset: true}, {at: keys("metadata"), unset: true},
			{at: keys("spec"), unset: true}, {at: keys("unknown"), value: 1}, {at: keys("metadata", "labels"), value: m{"a": "b"}}}).do(o)
	}
	s.body = asJSON(o)
	return s
}

func (w *writer) remove(k plural, version string) step {
	name := w.name()
	s := w.to("delete", "DELETE", k.path(version, name, ""))
	if w.chance(12) {
		s.path = withQuery(s.path, "dryRun=All")
	}
	if w.chance(20) {
		s.about = "delete with options"
		s.path = withQuery(s.path, pick(w.random, []string{"propagationPolicy=Background",
			"propagationPolicy=Background&gracePeriodSeconds=1", "propagationPolicy=Wrong", "gracePeriodSeconds=0",
			"gracePeriodSeconds=5", "gracePeriodSeconds=-1",
			"gracePeriodSeconds=x", "dryRun=Some", "orphanDependents=true&propagationPolicy=Orphan"})) // others wait for a garbage collector
	}
	if w.chance(50) {
		s.about = "delete with a body"
		s.body = asJSON(w.deletion(k.name + "/" + name))
		if w.chance(15) {
			s.body = pick(w.random, []string{"{", "null", "[]", `{"kind":"Widget","apiVersion":"{group}/v1"}`,
				`{"kind":"DeleteOptions","apiVersion":"v1beta1"}`, `{"kind":"DeleteOptions","apiVersion":"{group}/v1"}`,
				`{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/v1","propagationPolicy":"Background"}`, `{"gracePeriodSeconds":"x"}`, `{"unknown":1}`, `{"dryRun":["All"]}`, "propagationPolicy: Background"})
		}
		if w.chance(10) {
			s.contentType = pick(w.random, []string{"", "application/yaml", "text/plain"})
		}
	}
	return s
}

func (w *writer) deletion(name string) any {
	return pick(w.random, []any{
		m{}, m{"kind": "DeleteOptions", "apiVersion": "v1"}, m{"kind": "DeleteOptions", "apiVersion": "{group}/v1"},
		m{"preconditions": m{"uid": "{uid:" + name + "}"}}, m{"preconditions": m{"uid": "11111111-2222-3333-4444-555555555555"}},
		m{"preconditions": m{"resourceVersion": "{rv:" + name + ":0}"}},
		m{"preconditions": m{"resourceVersion": "{rv:" + name + ":1}"}},
		m{"preconditions": m{"resourceVersion": "x"}}, m{"propagationPolicy": "Background"}, m{"gracePeriodSeconds": 0},
		m{"gracePeriodSeconds": 30}, m{"dryRun": []any{"All"}}, m{"dryRun": []any{"x"}}, m{"propagationPolicy": "x"},
	})
}

func (w *writer) removeAll(k plural, version string) step {
	s := w.to("deletecollection", "DELETE", k.path(version, "", ""))
	s.path = withQuery(s.path, pick(w.random, []string{"labelSelector=app%3Dx", "labelSelector=app%3Dy",
		"fieldSelector=metadata.name%3Da", "fieldSelector=spec.size%3DM", "labelSelector=,,", "fieldSelector=no%3D1",
		"labelSelector=app%3Dx&dryRun=All", "dryRun=All",
		"limit=1", "limit=1&labelSelector=app", "resourceVersion=0&labelSelector=app%3Dx", "", "propagationPolicy=Background&labelSelector=app%3Dx", "labelSelector=none"}))
	if w.chance(20) {
		s.body = asJSON(w.deletion(k.name + "/a"))
	}
	return s
}

// unknown are requests for what there is not.
func (w *writer) unknown(k plural, version string) step {
	name := w.name()
	method := pick(w.random, []string{"GET", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "NONSENSE", "TRACE"})
	s := w.to("what is unknown", method, pick(w.random, []string{
		"/apis/{group}/v2/namespaces/{ns}/widgets", "/apis/{group}/v1alpha1/rigs", "/apis/{group}/v1/namespaces/{ns}/gadgets",
		"/apis/{group}/v1/namespaces/{ns}/widgets/a/log", "/apis/{group}/v1/namespaces/{ns}/widgets/a/status/more",
		"/apis/{group}/v1/namespaces/{ns}/rigs", "/apis/{group}/v1/namespaces/{ns}/rigs/a", "/apis/{group}/v1/widgets/a",
		"/apis/{group}/v1/widgets", "/apis/{group}/v1/rigs/a/scale", "/apis/{group}/v1/rigs/a/status",
		"/apis/{group}/v1beta1/namespaces/{ns}/widgets/a/scale",
		"/apis/none.example.com/v1/things", "/apis/none.example.com/v1", "/apis/none.example.com", "/nothing",
		"/apis/{group}/v1/namespaces/{ns}/widgets/", "/apis/{group}/v1/namespaces/{ns}/Widgets",
		"/apis/{group}/v1/namespaces/{ns}/widget",
		k.path(version, "", ""), k.path(version, name, ""), k.path(version, name, "status"), k.path(version, "a%2Fb", ""), k.path(version,
			"%20", ""), "/apis/{group}/v1/namespaces/Bad_Namespace/widgets",
	}))
	if method == "POST" || method == "PUT" || method == "PATCH" {
		s.body = pick(w.random, []string{"", "{}"})
		if method == "PATCH" {
			s.contentType = "application/merge-patch+json"
		}
	}
	return s
}

func (w *writer) discovery(k plural, version string) step {
	return w.to("discovery", "GET", pick(w.random, []string{"/apis/{group}", "/apis/{group}/v1", "/apis/{group}/v1beta1",
		"/apis/{group}/v2", "/apis/{group}/"}))
}

func (w *writer) watch(k plural, version, query string) step {
	s := w.to("watch", "GET", k.path(version, "", ""))
	s.path = withQuery(s.path, "watch="+pick(w.random, []string{"true", "1"}), query)
	s.watch = true
	return s
}

// anyWatch opens a watch within the sequence.
func (w *writer) anyWatch(k plural, version string) step {
	name := w.name()
	s := w.watch(k, version, pick(w.random, []string{
		"", "resourceVersion=0", "resourceVersion={listrv}", "resourceVersion={rv:" + k.name + "/" + name + ":0}",
		"resourceVersion={rv:" + k.name + "/" + name + ":1}", "resourceVersion=x", "resourceVersion={listrv}&labelSelector=app%3Dx",
		"labelSelector=app%3Dx", "fieldSelector=metadata.name%3D" + name, "fieldSelector=spec.size%3DM", "fieldSelector=spec.none%3DM",
		"labelSelector=,,", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
		"sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion={rv:" + k.name + "/" + name + ":0}",
		"sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={listrv}", "sendInitialEvents=true",
		"sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1",
		"resourceVersionMatch=NotOlderThan&resourceVersion=0", "limit=1", "continue=x", "timeoutSeconds=x", "allowWatchBookmarks=x",
		"sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion={rv:" + k.name + "/" + name + ":1}&labelSelector=app%3Dx&allowWatchBookmarks=true",
	}))
	if w.chance(10) {
		s.path = strings.Replace(s.path, k.path(version, "", ""), k.path(version, name, ""), 1)
		s.about = "watch of one object"
	}
	if w.chance(10) {
		s.path = strings.Replace(s.path, "/apis/{group}/"+version+"/", "/apis/{group}/"+version+"/watch/", 1)
		s.about = "watch by its old path"
	}
	return s
}
