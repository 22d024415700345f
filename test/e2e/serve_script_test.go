package e2e

import (
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"strings"
)

// A step is a request as a script has it. In its path and its body, {ns}, {group}, {rv:widgets/a:0}, {uid:widgets/a}, {listrv} and
// {continue} stand for what the server that is asked said before: scripts are the same for all servers, and can be cut.
type step struct {
	about               string // its kind, for a summary
	client              string
	method, path        string
	accept, contentType string
	body                string
	base                *base // of the body, if it is an object as it was seen, with changes
	watch               bool
	follow              bool // the watch sees all changes of its kind
}

// A base is an object as a client saw it.
type base struct {
	seen  string // VERSION/PLURAL/NAME
	back  int    // how many states of it ago
	edits []edit // in place of the body if the object was never seen, they change that
}

// An edit sets a member; without a value it removes it.
type edit struct {
	at    []string
	value any
	unset bool
}

func (e edit) do(o map[string]any) {
	for _, key := range e.at[:len(e.at)-1] {
		below, is := o[key].(map[string]any)
		if !is {
			below = map[string]any{}
			o[key] = below
		}
		o = below
	}
	if last := e.at[len(e.at)-1]; e.unset {
		delete(o, last)
	} else {
		o[last] = e.value
	}
}

// A writer draws scripts.
type writer struct {
	random    *rand.Rand
	generated int // names that servers are to make, each with a prefix of its own, so that their order is known
}

func (w *writer) chance(percent int) bool { return w.random.IntN(100) < percent }

// A plural is a kind of objects in testdata/serve.
type plural struct {
	name, kind string
	namespaced bool
	scaled     bool
}

var (
	widgets = plural{"widgets", "Widget", true, true}
	rigs    = plural{"rigs", "Rig", false, false}
)

// script draws a sequence: some objects first, for the rest to find something.
func (w *writer) script() (all []step) {
	all = append(all, w.opening()...)
	for range 3 {
		all = append(all, w.create(pick(w.random, []plural{widgets, widgets, rigs}), "v1", true))
	}
	for range 8 + w.random.IntN(14) {
		all = append(all, w.one())
	}
	return all
}

// opening is watches that last for the whole sequence: of all kinds in all versions, and some of a part.
func (w *writer) opening() (all []step) {
	list := w.to("list", "GET", widgets.path("v1", "", ""))
	list.accept = "application/json"
	all = append(all, list)
	for _, k := range []plural{widgets, rigs} {
		for _, version := range []string{"v1", "v1beta1"} {
			s := w.watch(k, version, "resourceVersion={listrv}")
			s.accept, s.follow = "application/json", true
			all = append(all, s)
		}
	}
	some := []string{"labelSelector=app%3Dx&resourceVersion={listrv}", "fieldSelector=spec.size%3DM&resourceVersion={listrv}", "labelSelector=app+notin+(x)&resourceVersion={listrv}",
		"sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"}
	w.random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	for _, query := range some[:2] {
		all = append(all, w.watch(widgets, pick(w.random, []string{"v1", "v1beta1"}), query))
	}
	return all
}

func (w *writer) one() step {
	k := widgets
	if w.chance(25) {
		k = rigs
	}
	version := "v1"
	if w.chance(30) {
		version = "v1beta1"
	}
	draws := []struct {
		weight int
		draw   func(plural, string) step
	}{
		{12, func(k plural, v string) step { return w.create(k, v, w.chance(50)) }},
		{8, w.get}, {12, w.list}, {16, w.update}, {8, w.merge}, {8, w.jsonPatch}, {14, w.apply},
		{8, w.status}, {6, w.scale}, {10, w.remove}, {4, w.removeAll}, {4, w.unknown}, {5, w.anyWatch}, {2, w.discovery},
	}
	total := 0
	for _, d := range draws {
		total += d.weight
	}
	n := w.random.IntN(total)
	for _, d := range draws {
		if n -= d.weight; n < 0 {
			return d.draw(k, version)
		}
	}
	panic("unreachable")
}

func (w *writer) client() string { return pick(w.random, []string{"alice", "bob", "carol"}) }

func (w *writer) name() string { return pick(w.random, []string{"a", "a", "a", "b", "b", "c", "d"}) }

func (k plural) path(version, name, subresource string) string {
	path := "/apis/{group}/" + version
	if k.namespaced {
		path += "/namespaces/{ns}"
	}
	path += "/" + k.name
	if name != "" {
		path += "/" + name
	}
	if subresource != "" {
		path += "/" + subresource
	}
	return path
}

// to is a request with JSON, and with options that any may have.
func (w *writer) to(about, method, path string, query ...string) step {
	s := step{about: about, client: w.client(), method: method, path: path, accept: "application/json", contentType: "application/json"}
	if w.chance(8) {
		s.accept = pick(w.random, accepts)
		s.about += ", accepting " + s.accept
	}
	if w.chance(2) {
		query = append(query, "pretty=true")
	}
	s.path = withQuery(s.path, query...)
	return s
}

func withQuery(path string, query ...string) string {
	for _, q := range query {
		if q == "" {
			continue
		}
		if strings.Contains(path, "?") {
			path += "&" + q
		} else {
			path += "?" + q
		}
	}
	return path
}

var accepts = []string{
	"application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
	"application/json;as=Table;v=v1;g=meta.k8s.io",
	"application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json",
	"application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
	"application/yaml",
	"application/vnd.kubernetes.protobuf, application/json",
	"application/vnd.kubernetes.protobuf",
	"*/*",
	"",
	"text/html",
	"application/json;as=Nothing;v=v1;g=meta.k8s.io",
}

// writing are options of requests that write.
func (w *writer) writing(about *string) (query []string) {
	if w.chance(10) {
		query = append(query, pick(w.random, []string{"dryRun=All", "dryRun=All", "dryRun=All", "dryRun=Some", "dryRun=All&dryRun=All", "dryRun="}))
	}
	if w.chance(35) {
		query = append(query, "fieldValidation="+pick(w.random, []string{"Ignore", "Warn", "Warn", "Strict", "Strict", "Strict", "strict", ""}))
	}
	if w.chance(15) {
		query = append(query, "fieldManager="+pick(w.random, []string{"alice", "dave", "dave", strings.Repeat("m", 129), "a%07b"}))
	}
	if len(query) > 0 && !strings.Contains(strings.Join(query, ""), "=All") {
		*about += " with options"
	}
	return query
}

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
			metadata["name"] = pick(w.random, []string{"", "Upper", "with space", "a/b", "..", "a..b", "-a", strings.Repeat("n", 254), "never"})
		case 4:
			about = "create with a wrong apiVersion or kind"
			o[pick(w.random, []string{"apiVersion", "kind"})] = pick(w.random, []any{"{group}/v1beta1", "{group}/v2", "other/v1", "v1", "Gadget", "", nil, 7, "a/b/c"})
		case 5:
			about = "create with a uid"
			metadata["uid"] = "11111111-2222-3333-4444-555555555555"
		case 6:
			about = "create without metadata"
			o["metadata"] = pick(w.random, []any{nil, map[string]any{}, "x", []any{}, 1})
		case 7:
			about = "create with metadata of wrong types"
			metadata[pick(w.random, []string{"labels", "annotations", "finalizers", "ownerReferences", "name", "generation", "creationTimestamp", "managedFields"})] =
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
		s.body = pick(w.random, []string{"", "{", "null", "[]", `"x"`, "{}", "{}}", "{\"a\":1,}", s.body + "x", strings.TrimSuffix(s.body, "}"), "\xff\xfe", " "})
	case 1, 2:
		s.about += ", with duplicate fields"
		s.body = strings.TrimSuffix(s.body, "}") + pick(w.random, []string{`,"kind":"Widget"}`, `,"spec":{"size":"M","size":"S"}}`, `,"spec":{"size":"L","x":1,"x":2},"x":1}`, `,"metadata":{"name":"a"}}`})
	case 3:
		s.about += ", as YAML"
		s.contentType = "application/yaml"
	case 4:
		s.about += ", as YAML"
		s.contentType = "application/yaml"
		s.body = pick(w.random, []string{"kind: Widget\napiVersion: {group}/v1\nmetadata:\n  name: a\nspec:\n  size: M\n  size: S\n", "a: b: c", "- 1", "metadata: {name: b}\nkind: Widget\napiVersion: {group}/v1\nspec: {size: M, y: on, n: 0x10, when: 2020-01-01}\n", "---\n"})
	case 5:
		s.about += ", with another content type"
		// not application/vnd.kubernetes.protobuf: the real server panics in schemaCoercingDecoder and breaks off
		s.contentType = pick(w.random, []string{"", "text/plain", "application/cbor", "application/json; charset=utf-8", "application/json-patch+json", "nonsense;;", "application/merge-patch+json", "application/json;stream=watch"})
	case 6:
		s.about += ", with another kind of JSON"
		s.body = pick(w.random, []string{`{"kind":"WidgetList","apiVersion":"{group}/v1","items":[]}`, `{"kind":"DeleteOptions","apiVersion":"v1"}`, `{"kind":"Widget","apiVersion":"{group}/v1"}`, `{"kind":"Widget","apiVersion":"{group}/v1","metadata":{"name":"a"},"spec":{"size":"M","extra":{"n":1e400}}}`, `{"kind":"Widget","apiVersion":"{group}/v1","metadata":{"name":"c"},"spec":{"size":"M","max":1e1,"ratio":1e2,"extra":{"n":1.0,"m":12345678901234567890}}}`})
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

func (w *writer) get(k plural, version string) step {
	s := w.to("get", "GET", k.path(version, w.name(), ""))
	if w.chance(30) {
		s.path = withQuery(s.path, "resourceVersion="+pick(w.random, []string{"0", "{rv:" + k.name + "/a:0}", "{rv:" + k.name + "/a:1}", "x", "-1"}))
		s.about = "get with a resourceVersion"
	}
	return s
}

func (w *writer) list(k plural, version string) step {
	path := k.path(version, "", "")
	if k.namespaced && w.chance(15) {
		path = "/apis/{group}/" + version + "/" + k.name
	}
	s := w.to("list", "GET", path)
	if w.chance(40) {
		s.about += " with a label selector"
		s.path = withQuery(s.path, "labelSelector="+url.QueryEscape(pick(w.random, labelSelectors)))
	}
	if w.chance(35) {
		s.about += " with a field selector"
		s.path = withQuery(s.path, "fieldSelector="+url.QueryEscape(pick(w.random, fieldSelectors)))
	}
	if w.chance(35) {
		s.about += " with limit"
		s.path = withQuery(s.path, "limit="+pick(w.random, []string{"1", "1", "2", "2", "500", "0", "-1", "x"}))
		if w.chance(50) {
			s.about += " and continue"
			s.path = withQuery(s.path, "continue="+pick(w.random, []string{"{continue}", "{continue}", "{continue}", "{continue}", "nonsense", "e30"}))
		}
	}
	if w.chance(25) {
		s.about += " with a resourceVersion"
		s.path = withQuery(s.path, "resourceVersion="+pick(w.random, []string{"0", "{rv:" + k.name + "/a:0}", "{rv:" + k.name + "/a:1}", "x", ""}))
		if w.chance(60) {
			s.about += " and a match"
			s.path = withQuery(s.path, "resourceVersionMatch="+pick(w.random, []string{"Exact", "NotOlderThan", "Nonsense"}))
		}
	}
	if w.chance(5) {
		s.about += " with nonsense"
		s.path = withQuery(s.path, pick(w.random, []string{"timeoutSeconds=x", "timeoutSeconds=0", "sendInitialEvents=true", "watch=x", "watch=0", "allowWatchBookmarks=true", "foo=bar", "includeObject=None", "limit=1&limit=2"}))
		s.watch = strings.Contains(s.path, "watch=x") // which is true
	}
	return s
}

var labelSelectors = []string{"app=x", "app==y", "app!=x", "app", "!app", "app in (x,y)", "app notin (x)", "app=x,tier=y", "app>1", "", "app=x=y", "in in (in)", "a b", "app in ()", "-=x"}

var fieldSelectors = []string{"metadata.name=a", "metadata.name!=a", "spec.size=M", "spec.size!=M", "spec.size=M,spec.color=red", "spec.color=green", "metadata.namespace={ns}", "metadata.namespace=other", "spec.replicas=1",
	"spec.unknown=1", "metadata.name", "=", "", "metadata.name=a,metadata.name=b", "metadata.labels.app=x"}

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
		s.base.edits = append(s.base.edits, edit{at: []string{"metadata", "uid"}, value: pick(w.random, []any{"11111111-2222-3333-4444-555555555555", ""})})
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
		s.base.edits = append(s.base.edits, pick(w.random, []edit{{at: []string{"metadata", "name"}, value: "z"}, {at: []string{"metadata", "name"}, unset: true}, {at: []string{"metadata", "namespace"}, value: "other"},
			{at: []string{"metadata", "namespace"}, unset: true}, {at: []string{"kind"}, value: "Other"}, {at: []string{"kind"}, unset: true}, {at: []string{"apiVersion"}, value: "{group}/v1beta1"}, {at: []string{"apiVersion"}, unset: true}}))
	case 6:
		s.about = "update without changes"
		s.base.edits = nil
	case 7:
		s.about = "update without managedFields"
		s.base.edits = append(s.base.edits, edit{at: []string{"metadata", "managedFields"}, value: pick(w.random, []any{[]any{}, []any{map[string]any{}}, nil, []any{map[string]any{"manager": "x", "operation": "Wrong"}}})})
	case 8:
		s.about = "update with garbage as the resourceVersion"
		s.base.edits = append(s.base.edits, edit{at: []string{"metadata", "resourceVersion"}, value: pick(w.random, []any{"x", "0", "1", 5})})
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
