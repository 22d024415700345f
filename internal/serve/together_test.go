package serve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
)

// A told is what a client is told of an object: by an event, or by the answer to a write.
type told struct {
	Type   string `json:"type"`
	Object struct {
		Metadata struct {
			Name            string `json:"name"`
			UID             string `json:"uid"`
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
		Spec struct {
			Size int64 `json:"size"`
		} `json:"spec"`
	} `json:"object"`
}

func (e told) revision() int { n, _ := strconv.Atoi(e.Object.Metadata.ResourceVersion); return n }

// follow watches kites from a revision on until one is called "end", beginning again where a stream ends, as clients do.
func (s *site) follow(c *http.Client, from int) (all []told) {
	for begun := time.Now(); time.Since(begun) < 2*time.Minute; {
		res, err := s.send(c, "GET", fmt.Sprintf("%s?watch=true&resourceVersion=%d", kitesPath, from), nil)
		if err != nil {
			s.Error(err)
			return all
		}
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			var e told
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e.Type == "ERROR" {
				s.Errorf("%s: %v", lines.Bytes(), err)
				return all
			}
			if e.revision() <= from {
				s.Errorf("revision %d comes after %d", e.revision(), from)
			}
			from = e.revision()
			if all = append(all, e); e.Object.Metadata.Name == "end" {
				res.Body.Close()
				return all
			}
		}
		res.Body.Close()
	}
	s.Error("there is no end")
	return all
}

// Many clients write, read and watch at once, while the CRD changes and all objects are removed: each write has a revision of its own, each
// watch has all of them in their order, and what an update replaced is what its client had read.
func TestClientsAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t, asUsual)
	const writers, writes, names = 6, 120, 4
	begin := int(s.store.now())
	var watched [3][]told
	var watchers, clients sync.WaitGroup
	for i := range watched {
		watchers.Go(func() { watched[i] = s.follow(s.client(1+i%2), begin) })
	}
	var lock sync.Mutex
	answered := map[int]told{} // by the revisions
	replaces := map[int]int{}
	var size atomic.Int64
	note := func(said string, replaced int) {
		var e told
		if err := json.Unmarshal([]byte(said), &e.Object); err != nil {
			t.Error(err)
		}
		lock.Lock()
		defer lock.Unlock()
		if _, twice := answered[e.revision()]; twice {
			t.Errorf("two writes have revision %d", e.revision())
		}
		answered[e.revision()], replaces[e.revision()] = e, replaced
	}
	for i := range writers {
		clients.Go(func() {
			c, dice := s.client(1+i%2), rand.New(rand.NewPCG(1, uint64(i)))
			for range writes {
				n := size.Add(1)
				name := fmt.Sprint("kite-", dice.IntN(names))
				code, said, replaced := 0, "", 0
				switch dice.IntN(6) {
				case 0, 1:
					code, said = s.ask(c, "POST", kitesPath, kite(name, int(n), "created"))
				case 2, 3:
					var read told
					if code, said = s.ask(c, "GET", kitesPath+"/"+name, ""); code == 200 {
						if err := json.Unmarshal([]byte(said), &read.Object); err != nil {
							t.Error(err)
						}
						replaced = read.revision()
						next := strings.Replace(kite(name, int(n), "updated"), `"name"`, fmt.Sprintf(`"resourceVersion": "%d", "name"`, replaced), 1)
						code, said = s.ask(c, "PUT", kitesPath+"/"+name, next)
					}
				case 4:
					code, said = s.ask(c, "PATCH", kitesPath+"/"+name, fmt.Sprintf(`{"spec": {"size": %d}}`, n), "Content-Type: application/merge-patch+json")
				case 5:
					if code, said = s.ask(c, "DELETE", kitesPath+"/"+name, ""); code == 200 {
						continue
					}
				}
				switch {
				case code == 200 || code == 201:
					note(said, replaced)
				case code != 404 && code != 409:
					t.Errorf("a request is answered %d %s", code, said)
				}
			}
		})
	}
	clients.Go(func() { // lists, in pages of one revision
		c := s.client(2)
		for range 40 {
			var page struct {
				Metadata struct{ Continue, ResourceVersion string }
				Items    []any
			}
			revision := ""
			for first := true; first || page.Metadata.Continue != ""; first = false {
				code, said := s.ask(c, "GET", kitesPath+"?limit=1&continue="+page.Metadata.Continue, "")
				page.Metadata.Continue = ""
				if err := json.Unmarshal([]byte(said), &page); err != nil || code != 200 || !first && page.Metadata.ResourceVersion != revision {
					t.Errorf("a page of revision %s is answered %d %s, %v", revision, code, said, err)
				}
				revision = page.Metadata.ResourceVersion
			}
		}
	})
	clients.Go(func() {
		for i := range 20 {
			define(t, s.Server, strings.Replace(kites, "type: object\n", fmt.Sprintf("type: object\n        description: form %d\n", i), 1))
			if i%5 == 0 {
				s.expect(s.client(2), 200, "", "POST", "/crdlift/reset", "")
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	clients.Wait()
	s.expect(s.client(2), 201, "", "POST", kitesPath, kite("end", 0, ""))
	watchers.Wait()

	last := map[string]told{}
	for i, e := range watched[0] {
		for _, other := range watched[1:] {
			if i >= len(other) || other[i] != e {
				t.Fatalf("another watch does not have %v", e)
			}
		}
		name, at := e.Object.Metadata.Name, e.revision()
		before, found := last[name]
		if is := found && before.Type != "DELETED"; is != (e.Type != "ADDED") || is && before.Object.Metadata.UID != e.Object.Metadata.UID {
			t.Errorf("%v comes after %v", e, before)
		}
		if of := replaces[at]; of != 0 && of != before.revision() {
			t.Errorf("the update of revision %d has replaced %d", of, before.revision())
		}
		if said, is := answered[at]; is && said.Object != e.Object {
			t.Errorf("%v was answered as %v", e, said)
		}
		delete(answered, at)
		last[name] = e
	}
	if len(answered) > 0 {
		t.Errorf("no event has %v", answered)
	}
	t.Logf("%d events", len(watched[0]))
}

// A watch ends with the form of its CRD: clients that watch again see objects as the new one has them.
func TestWatchOfChangedKind(t *testing.T) {
	t.Parallel()
	s := open(t, asUsual)
	c := s.client(2)
	c.Timeout = 0
	watch := func() (ended chan struct{}) {
		res, err := s.send(c, "GET", kitesPath+"?watch=true", nil)
		if err != nil || res.StatusCode != 200 {
			t.Fatal(res, err)
		}
		ended = make(chan struct{})
		go func() {
			defer close(ended)
			defer res.Body.Close()
			_, _ = io.Copy(io.Discard, res.Body) // until it ends
		}()
		return ended
	}
	ends := func(ended chan struct{}, after string) {
		t.Helper()
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			t.Errorf("a watch goes on after %s", after)
		}
	}
	before := watch()
	define(t, s.Server, kites)
	select {
	case <-before:
		t.Error("a watch ends though the CRD is the same")
	case <-time.After(300 * time.Millisecond):
	}
	decoded, err := crd.Parse([]byte(strings.Replace(kites, "type: object\n", "type: object\n        description: A toy.\n", 1)))[0].Decode()
	if err != nil {
		t.Fatal(err)
	}
	other, err := newKind(decoded.Hub, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.setKind(other) // with no write that would wake it
	ends(before, "its CRD has changed")
	after := watch()
	time.Sleep(100 * time.Millisecond) // until it waits
	s.undefine("kites.example.org")
	ends(after, "its CRD is gone")
	s.expect(c, 404, "", "GET", kitesPath+"?watch=true", "")
}

// An object that is written while its CRD is deleted is not there when the CRD is anew.
func TestWriteWithoutKind(t *testing.T) {
	t.Parallel()
	s := open(t, asUsual)
	c := s.client(2)
	for i := range 20 {
		var clients sync.WaitGroup
		for j := range 4 {
			clients.Go(func() { s.ask(c, "POST", kitesPath, kite(fmt.Sprintf("kite-%d-%d", i, j), 1, "")) })
		}
		clients.Go(func() {
			s.ask(c, "DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kites.example.org", "")
		})
		clients.Wait()
		if all, _, _ := s.store.list(schema.GroupResource{Group: "example.org", Resource: "kites"}, "", 0); len(all) > 0 {
			t.Fatalf("%v are left", all)
		}
		define(t, s.Server, kites)
	}
}
