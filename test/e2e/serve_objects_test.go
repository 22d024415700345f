package e2e

// object is a valid object, but for what its name may be.
func (w *writer) object(k plural, version, name string) map[string]any {
	spec := map[string]any{"size": pick(w.random, []any{"S", "M", "M", "L"})}
	metadata := map[string]any{"name": name}
	if w.chance(50) {
		metadata["labels"] = map[string]any{"app": pick(w.random, []any{"x", "x", "y"})}
	}
	if w.chance(10) {
		metadata["finalizers"] = []any{"example.com/hold"}
	}
	return map[string]any{"apiVersion": "{group}/" + version, "kind": k.kind, "metadata": metadata, "spec": spec}
}

// A member is a place in objects with values for it.
type member struct {
	at    []string
	good  []any
	wrong []any // or such as are ignored
}

func keys(path ...string) []string { return path }

type m = map[string]any

var metadataMembers = []member{
	{keys("metadata", "labels", "app"), []any{"x", "y", "x"}, []any{"a b", 5, nil}},
	{keys("metadata", "labels"), []any{m{}, m{"app": "x", "tier": "y"}}, []any{nil, m{"-": "x"}, "x"}},
	{keys("metadata", "annotations", "note"), []any{"one", "two", ""}, []any{7, nil}},
	{keys("metadata", "annotations"), []any{m{"a": "b"}}, []any{m{"a b": "c"}}},
	{keys("metadata", "finalizers"), []any{[]any{"example.com/hold"}, []any{}, nil, []any{"example.com/b", "example.com/hold"}},
		[]any{[]any{"bad"}, []any{""}, []any{"orphan"}, []any{"example.com/hold", "example.com/hold"}, "x"}},
	{keys("metadata", "ownerReferences"), []any{[]any{m{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}}, nil},
		[]any{[]any{m{"kind": "Pod"}}, []any{m{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": true},
			m{"apiVersion": "v1", "kind": "Pod", "name": "q", "uid": "v", "controller": true}}}},
	{keys("metadata", "generation"), []any{77, 1}, []any{"x", -1}},
	{keys("metadata", "creationTimestamp"), []any{"2020-01-01T00:00:00Z", nil}, []any{"yesterday"}},
	{keys("metadata", "deletionTimestamp"), []any{"2020-01-01T00:00:00Z", nil}, []any{"x"}},
	{keys("metadata", "deletionGracePeriodSeconds"), []any{5}, []any{"x"}},
	{keys("metadata", "selfLink"), []any{"/x"}, nil},
	{keys("metadata", "generateName"), []any{"gen-"}, []any{5}},
	{keys("metadata", "unknown"), []any{1}, nil},
}

var widgetMembers = []member{
	{keys("spec", "replicas"), []any{0, 1, 3, 10}, []any{11, 15, 21, -1, "3", 2.5, nil, 5000000000}},
	{keys("spec", "replicas"), []any{0, 2, 4}, []any{25, true}},
	{keys("spec", "max"), []any{5, 10, 15}, []any{0, "x"}},
	{keys("spec", "size"), []any{"S", "M", "L"}, []any{"XL", nil, 5}},
	{keys("spec", "color"), []any{"red", "blue", "green"}, []any{nil, "much too long", 5}},
	{keys("spec", "fixed"), []any{"one", "one", "two"}, []any{nil}},
	{keys("spec", "ports"), []any{[]any{m{"name": "http", "port": 80}}, []any{m{"name": "http", "port": 80}, m{"name": "http", "port": 81,
		"protocol": "UDP"}}, []any{}, []any{m{"name": "dns", "port": 53}, m{"name": "http", "port": 8080, "hint": "x"}}},
		[]any{[]any{m{"name": "http", "port": 1}, m{"name": "http", "port": 2}}, []any{m{"port": 1}}, []any{m{"name": "a", "port": 0,
			"other": 1}}, nil, "x", []any{nil}, []any{m{"name": nil, "port": 1}}}},
	{keys("spec", "tags"), []any{[]any{"a", "b"}, []any{"b"}, []any{"c", "a"}}, []any{[]any{"a", "a"}, []any{"A"}, []any{nil}, []any{1}}},
	{keys("spec", "steps"), []any{[]any{m{"do": "x"}}, []any{m{"do": "x", "times": 2}, m{"do": "x"}}}, []any{[]any{m{"do": 1}}, m{}}},
	{keys("spec", "limits"), []any{m{"cpu": 1, "mem": "1Gi"}, m{}}, []any{m{"cpu": true}, m{"cpu": 1.5}, m{"cpu": nil}}},
	{keys("spec", "limits", "cpu"), []any{1, "2"}, []any{[]any{}}},
	{keys("spec", "extra"), []any{m{"any": []any{1, m{"x": nil}}}, m{"n": 1.5}}, []any{"x", nil}},
	{keys("spec", "extra", "more"), []any{1, "x", m{"deep": m{}}}, nil},
	{keys("spec", "whole"), []any{m{"a": "x"}, m{"b": "y"}, m{"a": "x", "b": "z"}}, []any{m{"c": 1}}},
	{keys("spec", "when"), []any{"2020-01-01T00:00:00Z"}, []any{"yesterday"}},
	{keys("spec", "ratio"), []any{1, 0.5, 2.0}, []any{"x"}},
	{keys("spec", "current"), []any{"x"}, []any{5}},
	{keys("spec", "earlier"), []any{"x"}, nil},
	{keys("spec", "unknown"), []any{1, m{"x": 1}}, nil},
	{keys("spec"), []any{m{"size": "S"}}, []any{m{}, nil, "x"}},
	{keys("unknown"), []any{1, m{}}, nil},
	{keys("status"), []any{m{"phase": "Ready"}}, []any{m{"phase": "Wrong"}, nil, "x"}},
}

var statusMembers = []member{
	{keys("status", "phase"), []any{"Ready", "Pending"}, []any{"Wrong"}},
	{keys("status", "replicas"), []any{0, 1, 3}, []any{-1, "x"}},
	{keys("status", "selector"), []any{"app=x"}, []any{5}},
	{keys("status", "conditions"), []any{[]any{m{"type": "Ready", "status": "True"}}, []any{m{"type": "Ready", "status": "False",
		"reason": "x"}, m{"type": "Other", "status": "True"}}},
		[]any{[]any{m{"type": "Ready"}}, []any{m{"type": "A", "status": "x"}, m{"type": "A", "status": "y"}}}},
	{keys("status", "unknown"), []any{1}, nil},
	{keys("spec", "replicas"), []any{9}, []any{"x"}},
	{keys("metadata", "labels", "app"), []any{"y"}, []any{"a b"}},
	{keys("metadata", "finalizers"), []any{[]any{}}, nil},
}

var rigMembers = []member{
	{keys("spec", "size"), []any{"S", "M", "L"}, []any{"XL", 5}},
	{keys("spec", "color"), []any{"red", "blue"}, []any{5}},
	{keys("spec", "replicas"), []any{1, 2, 3}, []any{"x", nil}},
	{keys("spec", "tags"), []any{[]any{"a", "b"}, []any{"b"}, []any{"a", "a"}}, []any{[]any{1}}},
	{keys("spec", "template"), []any{m{"apiVersion": "v1", "kind": "Pod", "metadata": m{"name": "p", "labels": m{"a": "b"}},
		"spec": m{"x": 1}}},
		[]any{m{"kind": "Pod"}, m{"apiVersion": "a/b/c", "kind": "Pod"}, m{"apiVersion": "v1", "kind": "Pod", "metadata": m{"name": 5}},
			m{"apiVersion": "v1", "kind": "Pod", "metadata": m{"unknown": 5, "labels": m{"a": 1}}}}},
	{keys("spec", "nested", "deep", "value"), []any{1, 5}, []any{0, "x"}},
	{keys("spec", "unknown"), []any{1}, nil},
	{keys("status", "phase"), []any{"x", "y"}, []any{5}},
	{keys("other"), []any{1, m{"x": m{}}}, nil},
}

func (w *writer) edit(k plural, version string, good bool) edit {
	members := widgetMembers
	if k == rigs {
		members = rigMembers
	}
	if w.chance(25) {
		members = metadataMembers
	}
	return w.editOf(members, good)
}

func (w *writer) editOf(members []member, good bool) edit {
	one := pick(w.random, members)
	values := one.good
	if !good {
		values = append(values[:len(values):len(values)], one.wrong...)
	}
	e := edit{at: one.at, value: pick(w.random, values)}
	e.unset = !good && w.chance(20)
	return e
}
