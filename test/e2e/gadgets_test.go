package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// gadgets are the custom resources of the CRD whose versions a hook converts, and what crdlift foresees of requests for them.
type gadgets struct {
	*resources
	*hook
	judge  *request.Server
	client *review.Client // asks the same hook

	raw []byte         // the object that is written, in etcd, before each request
	at2 map[string]any // the same as the right webhook has it at v2
}

// The names of the objects that are there; the first is written, and a third one created.
const first, second, third = "first", "second", "third"

// inhabitGadgets starts a server with the CRD and two objects. They have managed fields of v1 and v3.
func inhabitGadgets(t *testing.T) *gadgets {
	g := &gadgets{hook: startHook(t)}
	c, err := g.hook.crd()
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := crd.DecodeJSON(manifest, crd.V1)
	if err != nil {
		t.Fatal(err)
	}
	if g.judge, err = request.New(decoded.Hub); err != nil {
		t.Fatal(err)
	}
	if g.client, err = review.New(review.Config{CRD: decoded.Hub}); err != nil {
		t.Fatal(err)
	}
	s := uncached(t)
	g.resources = &resources{server: s, crd: c, storage: "v1", version: "v1", served: []string{"v1", "v2", "v3"}}
	if created, err := s.createCRD("v1", manifest); err != nil || !created.ok() {
		t.Fatal(created.reason(), err)
	}
	if reason, err := s.establish(c.Name); reason != "" || err != nil {
		t.Fatal(reason, err)
	}
	if err := wait("serving "+c.Name, func() (bool, error) {
		a, err := s.request(http.MethodGet, g.path("v3", "", ""), nil)
		return a.ok(), err
	}); err != nil {
		t.Fatal(err)
	}
	g.fill(t)
	return g
}

func (g *gadgets) fill(t *testing.T) {
	src, err := os.ReadFile("testdata/gadget.yaml")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := yaml.YAMLToJSON(src)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{first, second} {
		metadataOf(object)["name"] = name
		if reason, err := g.store(object); reason != "" || err != nil {
			t.Fatal(reason, err)
		}
		a, err := g.request(applied("before", "v3", name, map[string]any{"image": "applied", "env": map[string]any{"applied": "yes"}}))
		if err != nil || !a.ok() {
			t.Fatal(a.reason(), err)
		}
	}
	if g.raw, err = g.resources.raw(first); err != nil {
		t.Fatal(err)
	}
	if g.at2, err = g.read("v2", first); err != nil {
		t.Fatal(err)
	}
}

// A call is a request as a client sends it.
type call struct {
	method, version, name, subresource string
	manager                            string // of a server-side apply; a PATCH without one is a merge
	body                               map[string]any
}

// applied is the server-side apply of some fields of the spec.
func applied(manager, version, name string, spec map[string]any) call {
	return call{method: http.MethodPatch, version: version, name: name, manager: manager, body: map[string]any{
		"apiVersion": "example.com/" + version, "kind": "Gadget", "metadata": map[string]any{"name": name}, "spec": spec,
	}}
}

func (g *gadgets) request(c call) (answer, error) {
	to, contentType := g.path(c.version, c.name, c.subresource), "application/json"
	switch {
	case c.manager != "":
		to, contentType = to+"?force=true&fieldManager="+c.manager, "application/apply-patch+yaml"
	case c.method == http.MethodPatch:
		contentType = "application/merge-patch+json"
	}
	var body []byte
	if c.body != nil {
		var err error
		if body, err = json.Marshal(c.body); err != nil {
			return answer{}, err
		}
	}
	return g.server.requestOf(c.method, to, "application/json", contentType, body)
}
