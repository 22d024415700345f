package e2e

import (
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

// A base is an object as a client saw it; a new one if it was never seen.
type base struct {
	seen  string // VERSION/PLURAL/NAME
	back  int    // how many states of it ago
	edits []edit
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
	some := []string{"labelSelector=app%3Dx&resourceVersion={listrv}", "fieldSelector=spec.size%3DM&resourceVersion={listrv}",
		"labelSelector=app+notin+(x)&resourceVersion={listrv}",
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
		query = append(query, pick(w.random, []string{"dryRun=All", "dryRun=All", "dryRun=All", "dryRun=Some", "dryRun=All&dryRun=All",
			"dryRun="}))
	}
	if w.chance(35) {
		query = append(query, "fieldValidation="+pick(w.random, []string{"Ignore", "Warn", "Warn", "Strict", "Strict", "Strict", "strict",
			""}))
	}
	if w.chance(15) {
		query = append(query, "fieldManager="+pick(w.random, []string{"alice", "dave", "dave", strings.Repeat("m", 129), "a%07b"}))
	}
	if len(query) > 0 && !strings.Contains(strings.Join(query, ""), "=All") {
		*about += " with options"
	}
	return query
}

func (w *writer) get(k plural, version string) step {
	s := w.to("get", "GET", k.path(version, w.name(), ""))
	if w.chance(30) {
		s.path = withQuery(s.path, "resourceVersion="+pick(w.random, []string{"0", "{rv:" + k.name + "/a:0}", "{rv:" + k.name + "/a:1}",
			"x", "-1"}))
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
			s.path = withQuery(s.path, "continue="+pick(w.random, []string{"{continue}", "{continue}", "{continue}", "{continue}",
				"nonsense", "e30"}))
		}
	}
	if w.chance(25) {
		s.about += " with a resourceVersion"
		s.path = withQuery(s.path, "resourceVersion="+pick(w.random, []string{"0", "{rv:" + k.name + "/a:0}", "{rv:" + k.name + "/a:1}",
			"x", ""}))
		if w.chance(60) {
			s.about += " and a match"
			s.path = withQuery(s.path, "resourceVersionMatch="+pick(w.random, []string{"Exact", "NotOlderThan", "Nonsense"}))
		}
	}
	if w.chance(5) {
		s.about += " with nonsense"
		s.path = withQuery(s.path, pick(w.random, []string{"timeoutSeconds=x", "timeoutSeconds=0", "sendInitialEvents=true", "watch=x",
			"watch=0", "allowWatchBookmarks=true", "foo=bar", "includeObject=None", "limit=1&limit=2"}))
		s.watch = strings.Contains(s.path, "watch=x") // which is true
	}
	return s
}

var labelSelectors = []string{"app=x", "app==y", "app!=x", "app", "!app", "app in (x,y)", "app notin (x)", "app=x,tier=y", "app>1", "",
	"app=x=y", "in in (in)", "a b", "app in ()", "-=x"}

var fieldSelectors = []string{"metadata.name=a", "metadata.name!=a", "spec.size=M", "spec.size!=M", "spec.size=M,spec.color=red",
	"spec.color=green", "metadata.namespace={ns}", "metadata.namespace=other", "spec.replicas=1",
	"spec.unknown=1", "metadata.name", "=", "", "metadata.name=a,metadata.name=b", "metadata.labels.app=x"}
