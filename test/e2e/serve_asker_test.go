package e2e

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// An asker sends the steps of a script to one server, and keeps what it said: further steps refer to that, and answers are
// comparable with another server's only if what each makes for itself has names that say where it comes from.
type asker struct {
	*server
	ns, group string

	states    map[string][]map[string]any // by VERSION/PLURAL/NAME, the latest last
	versions  map[string][]string         // resourceVersions, by PLURAL/NAME
	uids      map[string]string           // by PLURAL/NAME
	revisions []revision                  // that were seen, in their order
	named     map[string]string           // uids and generated names, and what stands for them
	listrv    string                      // of the latest list
	next      map[string]string           // the latest continue token, by path
	watches   []*watching
}

// A revision is a resourceVersion by number.
type revision struct {
	number uint64
	token  string
}

func newAsker(s *server, group, ns string) *asker {
	return &asker{server: s, group: group, ns: ns, states: map[string][]map[string]any{}, versions: map[string][]string{},
		uids:  map[string]string{},
		named: map[string]string{}, next: map[string]string{}, listrv: "0"}
}

// A said is an answer in a form that two servers can be compared by.
type said struct {
	request     string // as it was sent
	raw         string // the answer as it was sent
	code        int
	contentType string
	warnings    []string
	body        any
	watching    *watching
}

var references = regexp.MustCompile(`\{(ns|group|listrv|continue|rv|uid)(?::([a-z]+/[a-z]+))?(?::(\d+))?\}`)

// resolve puts what the server said in the place of references to it. A resourceVersion that it has not said is that of the latest list in
// a path, and one of long ago in a body.
func (q *asker) resolve(text string, inPath bool) string {
	return references.ReplaceAllStringFunc(text, func(reference string) string {
		parts := references.FindStringSubmatch(reference)
		switch parts[1] {
		case "ns":
			return q.ns
		case "group":
			return q.group
		case "continue":
			return q.next[pathOf(q.resolve(pathOf(text), true))]
		case "uid":
			return q.uids[parts[2]]
		case "rv":
			back, _ := strconv.Atoi(parts[3])
			if all := q.versions[parts[2]]; back < len(all) {
				return all[len(all)-1-back]
			}
			if !inPath {
				return "1"
			}
		}
		return q.listrv
	})
}

func pathOf(uri string) string {
	path, _, _ := strings.Cut(uri, "?")
	return path
}

func (q *asker) bodyOf(s step) string {
	if s.base == nil {
		return q.resolve(s.body, false)
	}
	var o map[string]any
	if seen := q.states[s.base.seen]; len(seen) > 0 {
		o = runtime.DeepCopyJSON(seen[max(0, len(seen)-1-s.base.back)])
	} else {
		parts := strings.Split(s.base.seen, "/")
		kind := widgets.kind
		if parts[1] == rigs.name {
			kind = rigs.kind
		}
		o = m{"apiVersion": "{group}/" + parts[0], "kind": kind, "metadata": m{"name": parts[2]}, "spec": m{"size": "M"}}
	}
	for _, e := range s.base.edits {
		e.do(o)
	}
	return q.resolve(asJSON(o), false)
}

// ask sends the step with that number.
func (q *asker) ask(number int, s step) (said, error) {
	path, body := q.resolve(s.path, true), q.bodyOf(s)
	a := said{request: fmt.Sprintf("%s %s (%s, accept %q, content type %q)\n%.1500s", s.method, path, s.client, s.accept, s.contentType,
		body)}
	// An answer that does not end is a watch that the script does not take for one.
	ctx := context.Background()
	if !s.watch {
		limited, cancel := context.WithTimeout(ctx, 30*time.Second)
		defer cancel()
		ctx = limited
	}
	r, err := http.NewRequestWithContext(ctx, s.method, q.URL+path, strings.NewReader(body))
	if err != nil {
		return a, err
	}
	r.Header.Set("Authorization", "Bearer "+q.Token)
	r.Header.Set("User-Agent", s.client+"/v1 (linux)")
	if s.accept != "" {
		r.Header.Set("Accept", s.accept)
	}
	if s.contentType != "" && body != "" {
		r.Header.Set("Content-Type", s.contentType)
	}
	response, err := q.client.Do(r)
	if err != nil {
		return a, err
	}
	a.code, a.contentType, a.warnings = response.StatusCode, response.Header.Get("Content-Type"), warningsOf(response)
	slices.Sort(a.warnings)
	if s.watch && a.code == http.StatusOK {
		a.watching = follow(response, s)
		q.watches = append(q.watches, a.watching)
		return a, nil
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return a, err
	}
	a.raw = string(raw)
	value, err := valueOf(raw)
	if err != nil {
		a.body = q.plain(a.raw)
		return a, nil
	}
	if a.code < 300 {
		before := len(q.revisions)
		q.learn(number, s, value.(map[string]any))
		q.settle(s, value, before)
	}
	if s.method != http.MethodGet && a.code == http.StatusNotAcceptable {
		time.Sleep(60 * time.Millisecond) // it may have been done all the same
	}
	a.body = q.normal(value)
	if list, is := a.body.(map[string]any); is && isCached(s) && list["metadata"] != nil {
		_, hasItems := list["items"] // null, of an empty list of metadata
		if _, hasRows := list["rows"]; hasItems || hasRows {
			list["metadata"].(map[string]any)["resourceVersion"] = "as new as was asked for"
		}
	}
	return a, nil
}

func valueOf(raw []byte) (value any, err error) {
	if rest, is := bytes.CutPrefix(raw, []byte("k8s\x00")); is { // the real server's Status where protobuf is accepted
		var wrapped runtime.Unknown
		var status metav1.Status
		if err := errors.Join(wrapped.Unmarshal(rest), status.Unmarshal(wrapped.Raw)); err != nil {
			return nil, err
		}
		status.Kind, status.APIVersion = "Status", "v1"
		raw = []byte(asJSON(status))
	}
	if len(raw) > 0 && raw[0] != '{' && raw[0] != '[' {
		if raw, err = yaml.YAMLToJSON(raw); err != nil {
			return nil, err
		}
	}
	if err := utiljson.Unmarshal(raw, &value); err != nil {
		return nil, err
	}
	if _, is := value.(map[string]any); !is {
		return nil, fmt.Errorf("no object")
	}
	return value, nil
}

// isCached reports whether a list comes from a real server's cache, which does not know of writes to objects of other kinds.
func isCached(s step) bool {
	return strings.Contains(s.path, "resourceVersion=") && !strings.Contains(s.path, "resourceVersionMatch=Exact")
}

func isDry(s step) bool { return strings.Contains(s.path+s.body, "dryRun") }

// learn keeps what later steps may refer to.
func (q *asker) learn(number int, s step, o map[string]any) {
	where := fmt.Sprint(number)
	metadata, _ := o["metadata"].(map[string]any)
	items, isList := o["items"]
	rows, isTable := o["rows"]
	switch {
	case metadata == nil:
		details, _ := o["details"].(map[string]any)
		q.name(details["uid"], "uid of step "+where)
		return
	case isList:
		all, _ := items.([]any)
		for i, item := range all {
			q.learnOne(fmt.Sprint(where, ".", i), item)
		}
	case isTable:
		all, _ := rows.([]any)
		for i, row := range all {
			row, _ := row.(map[string]any)
			q.learnOne(fmt.Sprint(where, ".", i), row["object"])
		}
	case isDry(s):
		q.name(metadata["uid"], "uid of step "+where)
		q.nameGenerated(metadata, where)
		return
	default:
		q.learnOne(where, o)
		q.keep(o, metadata)
		return
	}
	if rv, is := metadata["resourceVersion"].(string); is && rv != "" && !isCached(s) {
		q.listrv = rv
	}
	if next, is := metadata["continue"].(string); is && next != "" {
		q.next[pathOf(q.resolve(s.path, true))] = next
	}
}

// keep keeps an object as it was answered.
func (q *asker) keep(o, metadata map[string]any) {
	kind, rv := fmt.Sprint(o["kind"]), fmt.Sprint(metadata["resourceVersion"])
	if kind != widgets.kind && kind != rigs.kind {
		return
	}
	_, version, _ := strings.Cut(fmt.Sprint(o["apiVersion"]), "/")
	key := strings.ToLower(kind) + "s/" + fmt.Sprint(metadata["name"])
	q.states[version+"/"+key] = append(q.states[version+"/"+key], o)
	if all := q.versions[key]; len(all) == 0 || all[len(all)-1] != rv {
		q.versions[key] = append(all, rv)
	}
	q.uids[key] = fmt.Sprint(metadata["uid"])
}

func (q *asker) learnOne(where string, value any) {
	o, _ := value.(map[string]any)
	metadata, _ := o["metadata"].(map[string]any)
	q.name(metadata["uid"], "uid of step "+where)
	q.nameGenerated(metadata, where)
	rv, _ := metadata["resourceVersion"].(string)
	number, err := strconv.ParseUint(rv, 10, 64)
	if err != nil {
		return
	}
	at, found := slices.BinarySearchFunc(q.revisions, number, func(r revision, n uint64) int { return cmp.Compare(r.number, n) })
	if !found {
		q.revisions = slices.Insert(q.revisions, at, revision{number, "resourceVersion of step " + where})
	}
}

func (q *asker) name(value any, token string) {
	if text, is := value.(string); is && text != "" && q.named[text] == "" {
		q.named[text] = token
	}
}

func (q *asker) nameGenerated(metadata map[string]any, where string) {
	prefix, _ := metadata["generateName"].(string)
	name, _ := metadata["name"].(string)
	if prefix != "" && strings.HasPrefix(name, prefix) {
		q.name(name, prefix+"of step "+where)
	}
}

// forget ends the watches of a sequence, and removes its objects.
func (q *asker) forget(t *testing.T) {
	for _, w := range q.watches {
		w.close()
	}
	for _, k := range []plural{widgets, rigs} {
		path := q.resolve(k.path("v1", "", ""), true)
		for range 20 {
			a, err := q.get(path)
			if err != nil {
				t.Error(err)
				return
			}
			all, err := a.object()
			if err != nil {
				t.Error(err)
				return
			}
			items, _ := all["items"].([]any)
			if len(items) == 0 {
				break
			}
			for _, item := range items {
				one := path + "/" + name(item.(map[string]any))
				if _, err := q.requestOf(http.MethodPatch, one, "application/json", "application/merge-patch+json",
					[]byte(`{"metadata":{"finalizers":null}}`)); err != nil {
					t.Error(err)
				}
				if _, err := q.request(http.MethodDelete, one, nil); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// settle waits until the watches of all changes have seen one. From then on the server's cache has it as well, and what is read there is
// no matter of luck.
func (q *asker) settle(s step, value any, revisionsBefore int) {
	if s.method == http.MethodGet || isDry(s) {
		return
	}
	o := value.(map[string]any)
	metadata, _ := o["metadata"].(map[string]any)
	details, _ := o["details"].(map[string]any)
	var seen func(event) bool
	switch uid, isDeletion := details["uid"].(string); {
	case s.method == http.MethodDelete && strings.HasPrefix(s.about, "deletecollection"):
		time.Sleep(60 * time.Millisecond)
		return
	case isDeletion && s.method == http.MethodDelete:
		seen = func(e event) bool { return e.kind == "DELETED" && e.uid == uid }
	case metadata["deletionTimestamp"] != nil && metadata["finalizers"] == nil && metadata["deletionGracePeriodSeconds"] != nil:
		seen = func(e event) bool { return e.kind == "DELETED" && e.uid == metadata["uid"] }
	case len(q.revisions) > revisionsBefore:
		seen = func(e event) bool { return e.revision == metadata["resourceVersion"] }
	default:
		return
	}
	for _, w := range q.watches {
		if w.step.follow && strings.Contains(s.path, "/"+pluralIn(w.step.path)) {
			w.wait(2*time.Second, seen)
		}
	}
}

// pluralIn is the kind of objects that a path is about.
func pluralIn(path string) string {
	if strings.Contains(path, "/"+rigs.name) {
		return rigs.name
	}
	return widgets.name
}
