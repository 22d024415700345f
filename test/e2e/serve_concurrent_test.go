package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestServeAtOnce has three clients write to one object and to their own at a time, on today's server and on `crdlift serve`. What comes of
// it is the same: of writes from one resourceVersion one is done, watches in both versions see each that was done once and in order, and
// nothing is lost.
func TestServeAtOnce(t *testing.T) {
	rounds := 15
	if corpus.All() {
		rounds = 300
	}
	var left []map[string]map[string]any
	for _, s := range []*server{today(t), served(t)} {
		if err := s.prepareGroups(); err != nil {
			t.Fatal(err)
		}
		q := newAsker(s, serveGroups[0], "at-once")
		c := &crowd{asker: q, t: t, done: map[string]map[string]string{}, from: map[string]string{}}
		left = append(left, c.write(rounds))
		q.forget(t)
	}
	if at := valuesDiffer(anyOf(left[0]), anyOf(left[1]), "objects"); at != "" {
		t.Errorf("the servers are left with different objects: %s\nreal: %s\nhere: %s", at, text(left[0]), text(left[1]))
	}
}

func anyOf(objects map[string]map[string]any) any {
	all := map[string]any{}
	for name, o := range objects {
		all[name] = o
	}
	return all
}

// A crowd is clients that write at a time.
type crowd struct {
	*asker
	t *testing.T

	mu    sync.Mutex
	done  map[string]map[string]string // the resourceVersions that writes led to, by object, and who wrote
	from  map[string]string            // who has replaced an object of a resourceVersion
	tries int
}

// write has each client do so many rounds, and returns the objects that there are then, by name.
func (c *crowd) write(rounds int) map[string]map[string]any {
	path := c.resolve(widgets.path("v1", "", ""), true)
	var watches []*watching
	for _, version := range []string{"v1", "v1beta1"} {
		a, err := c.get(c.resolve(widgets.path(version, "", ""), true))
		if err != nil {
			c.t.Fatal(err)
		}
		list, err := a.object()
		if err != nil {
			c.t.Fatal(err)
		}
		s := step{method: http.MethodGet, client: "watcher", path: fmt.Sprint(widgets.path(version, "", ""),
			"?watch=true&resourceVersion=", list["metadata"].(m)["resourceVersion"])}
		opened, err := c.ask(0, step{method: s.method, client: s.client, path: s.path, watch: true})
		if err != nil || opened.watching == nil {
			c.t.Fatal(opened.raw, err)
		}
		watches = append(watches, opened.watching)
	}
	var wg sync.WaitGroup
	for _, client := range []string{"alice", "bob", "carol"} {
		wg.Go(func() {
			c.create(client, "shared")
			c.create(client, client)
			for i := range rounds {
				c.count(client, "shared")
				c.count(client, client)
				c.send(client, http.MethodPatch, path+"/shared", "application/merge-patch+json",
					m{"metadata": m{"annotations": m{client: strconv.Itoa(i)}}})
				c.send(client, http.MethodPatch, path+"/shared?force=true&fieldManager="+client+"-applies", "application/apply-patch+yaml",
					m{"apiVersion": c.group + "/v1", "kind": "Widget", "metadata": m{"name": "shared"}, "spec": m{"limits": m{client: i}}})
				c.send(client, http.MethodPatch, c.resolve(widgets.path("v1beta1", client, "status"), true),
					"application/merge-patch+json", m{"status": m{"replicas": i}})
			}
		})
	}
	wg.Wait()
	objects := map[string]map[string]any{}
	for name, writes := range c.done {
		a, err := c.get(path + "/" + name)
		if err != nil {
			c.t.Fatal(err)
		}
		o, err := a.object()
		if err != nil {
			c.t.Fatal(err)
		}
		for _, w := range watches {
			c.check(w, name, o, slices.Collect(maps.Keys(writes)))
		}
		objects[name] = c.plainObject(o)
		want := int64(rounds)
		if name == "shared" {
			want *= 3
		}
		if counted, _ := o["spec"].(m)["extra"].(m)["count"].(int64); counted != want {
			c.t.Errorf("%s: %s counts %d and not %d: a write is lost", c.URL, name, counted, want)
		}
	}
	c.t.Logf("%s: %d writes to %d objects, for which it took %d tries", c.URL, len(c.from), len(objects), c.tries)
	return objects
}

// create tries to be the first with a name.
func (c *crowd) create(client, name string) {
	a := c.send(client, http.MethodPost, c.resolve(widgets.path("v1", "", ""), true), "application/json",
		m{"apiVersion": c.group + "/v1", "kind": "Widget", "metadata": m{"name": name}, "spec": m{"size": "M"}})
	if a.code != http.StatusCreated && a.code != http.StatusConflict {
		c.t.Errorf("%s: a create is answered with %s", c.URL, a.reason())
	}
}

// count adds one to a number in an object, until nobody was faster.
func (c *crowd) count(client, name string) {
	path := c.resolve(widgets.path("v1", name, ""), true)
	for end := time.Now().Add(patience); time.Now().Before(end); {
		a, err := c.get(path)
		if err != nil {
			c.t.Error(err)
			return
		}
		o, err := a.object()
		if err != nil {
			c.t.Error(err)
			return
		}
		spec := o["spec"].(m)
		extra, _ := spec["extra"].(m)
		before, _ := extra["count"].(int64)
		spec["extra"] = m{"count": before + 1}
		revision := o["metadata"].(m)["resourceVersion"].(string)
		switch a := c.send(client, http.MethodPut, path, "application/json", o); a.code {
		case http.StatusOK:
			c.mu.Lock()
			if other := c.from[revision]; other != "" {
				c.t.Errorf("%s: %s and %s have both replaced the object of resourceVersion %s", c.URL, other, client, revision)
			}
			c.from[revision] = client
			c.mu.Unlock()
			return
		case http.StatusConflict:
		default:
			c.t.Errorf("%s: an update is answered with %s", c.URL, a.reason())
			return
		}
	}
	c.t.Errorf("%s: %s has not come to write", c.URL, client)
}

// send keeps what a write led to.
func (c *crowd) send(client, method, path, contentType string, body m) answer {
	raw, err := json.Marshal(body)
	if err != nil {
		c.t.Error(err)
		return answer{}
	}
	a, err := c.requestOf(method, path, "application/json", contentType, raw)
	if err != nil {
		c.t.Error(err)
		return a
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tries++
	if o, err := a.object(); err == nil && a.ok() {
		metadata := o["metadata"].(m)
		name := metadata["name"].(string)
		if c.done[name] == nil {
			c.done[name] = map[string]string{}
		}
		c.done[name][metadata["resourceVersion"].(string)] = client
	} else if a.code != http.StatusConflict {
		c.t.Errorf("%s: %s %s by %s is answered with %s", c.URL, method, path, client, a.reason())
	}
	return a
}

// check compares what a watch saw of an object with the writes that were answered, and the last of it with what is there.
func (c *crowd) check(w *watching, name string, is map[string]any, writes []string) {
	slices.SortFunc(writes, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	last := writes[len(writes)-1]
	isOf := func(e event) bool { return e.object["metadata"].(m)["name"] == name }
	if !w.wait(10*time.Second, func(e event) bool { return isOf(e) && e.revision == last }) {
		c.t.Errorf("%s: the watch of %s does not see the last write of %s", c.URL, w.step.path, name)
		return
	}
	if wrong := c.disorder(w); wrong != "" {
		c.t.Errorf("%s: %s", c.URL, wrong)
	}
	events, _ := w.seen()
	var seen []string
	for _, e := range events {
		if !isOf(e) {
			continue
		}
		if want := map[bool]string{true: "ADDED", false: "MODIFIED"}[len(seen) == 0]; e.kind != want {
			c.t.Errorf("%s: event %d of %s is %s", c.URL, len(seen), name, e.kind)
		}
		if seen = append(seen, e.revision); e.revision == last && e.object["apiVersion"] == is["apiVersion"] && valuesDiffer(e.object, is,
			"object") != "" {
			c.t.Errorf("%s: the last event of %s is not what is there: %s and not %s", c.URL, name, text(e.object), text(is))
		}
	}
	if !slices.Equal(seen, writes) {
		c.t.Errorf("%s: of %s, the watch of %s sees %v, and the writes are %v", c.URL, name, w.step.path, seen, writes)
	}
}

func number(text string) uint64 {
	n, _ := strconv.ParseUint(text, 10, 64)
	return n
}

// plainObject is an object without what its server made.
func (c *crowd) plainObject(o map[string]any) map[string]any {
	o = runtime.DeepCopyJSON(c.normalObject(o))
	metadata := o["metadata"].(m)
	for _, key := range []string{"resourceVersion", "uid"} {
		delete(metadata, key)
	}
	return o
}
