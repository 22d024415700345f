package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/upgrade"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// An estate is the objects of a CRD that will be replaced.
type estate struct {
	*resources
	m       *crdManifest
	tally   *tally
	seed    uint64
	random  *rand.Rand
	was     *request.Server
	objects []*holding
	rounds  int // replacements so far
}

// A holding is one of the objects.
type holding struct {
	name   string
	from   string // the version that it was made through
	raw    []byte // as it is in etcd
	before map[string]map[string]any
}

// A replacement is what takes the place of a CRD.
type replacement struct {
	about string
	is    []byte // a v1 manifest, as JSON
}

// newEstate makes objects: those that are given, and some of each version that are filled at random.
func newEstate(r *resources, m *crdManifest, tally *tally, seed uint64, most int, given ...map[string]any) (*estate, error) {
	e := &estate{resources: r, m: m, tally: tally, seed: seed, random: randomFor(seed, m.String())}
	var err error
	if e.was, err = modelOf(m.json, crd.V1); err != nil {
		return nil, err
	}
	for _, object := range given {
		if err := e.make(r.version, object); err != nil {
			return nil, err
		}
	}
	for _, version := range r.served {
		for _, object := range e.samples(version, (most+len(r.served)-1)/len(r.served)) {
			if err := e.make(version, object); err != nil {
				return nil, err
			}
		}
	}
	return e, nil
}

// samples are objects of a version that are accepted: half of them are about one node.
func (e *estate) samples(version string, most int) (objects []map[string]any) {
	v := e.was.Version(version)
	g := behaviour.NewGenerator(e.was, version, e.seed)
	take := func(samples []behaviour.Sample, most int) {
		for _, s := range samples {
			if len(objects) < most && v.Create(runtime.DeepCopyJSON(s.Object)).Accepted() {
				objects = append(objects, s.Object)
			}
		}
	}
	take(g.Whole(most*3), (most+1)/2)
	nodes := g.Nodes()
	e.random.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	for _, at := range nodes[:min(len(nodes), most)] {
		found, _ := g.Node(at)
		e.random.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
		take(found[:min(len(found), 4)], most)
	}
	take(g.Whole(most*4), most)
	return objects
}

// make stores an object with its status, every other one with a finalizer.
func (e *estate) make(version string, object map[string]any) error {
	object = runtime.DeepCopyJSON(object)
	metadata := metadataOf(object)
	if metadata["name"] == "sample" {
		metadata["name"] = fmt.Sprintf("sample-%d", len(e.objects))
	}
	delete(metadata, "finalizers")
	if len(e.objects)%2 == 0 {
		metadata["finalizers"] = []any{keeper}
	}
	delete(metadata, "namespace")
	if e.crd.Spec.Scope == v1.NamespaceScoped {
		metadata["namespace"] = "default" // as in the path of the request
	}
	created, err := e.send(write{operation: create, version: version, object: object})
	if err != nil || !created.ok() {
		e.tally.count(fmt.Sprintf("objects that are rejected, %d", created.code), 1, e.m, ": ", created.reason())
		return err
	}
	stored, err := created.object()
	if err != nil {
		return err
	}
	if status, ok := object["status"]; ok && e.was.Version(version).HasStatus() {
		stored["status"] = status
		if _, err := e.send(write{operation: updateStatus, version: version, object: stored}); err != nil { // it may be rejected
			return err
		}
	}
	h := &holding{name: name(stored), from: version, before: map[string]map[string]any{}}
	if h.raw, err = e.raw(h.name); err != nil {
		return err
	}
	for _, version := range e.served {
		if h.before[version], err = e.read(version, h.name); err != nil {
			return err
		}
	}
	e.objects = append(e.objects, h)
	e.tally.count("objects", 1)
	return nil
}

// underTrial replaces the CRD and tries every object.
func (e *estate) underTrial(by replacement) error {
	is, err := modelOf(by.is, crd.V1)
	if err != nil {
		e.tally.count("CRDs that cannot take the place", 1, e.m, ": ", by.about, ": ", err)
		return nil
	}
	after, err := e.replaced(by)
	if after == nil || err != nil {
		return err
	}
	e.tally.count("replacements", 1)
	r := upgrade.New(e.was, is, nil)
	unreadable := false
	for _, h := range e.objects {
		p := r.Of(runtime.DeepCopyJSON(h.before[h.from]))
		if p.Err != nil {
			e.tally.fail("nothing is foretold", e.m, by.about+": "+p.Err.Error()+" "+text(h.before[h.from]))
			continue
		}
		e.tally.count("objects under a replaced CRD", 1)
		t := &trial{estate: e, after: after, is: is, holding: h, prospect: p, about: by.about}
		t.countEffects()
		unreadable = unreadable || foretells(p, upgrade.Unreadable)
		if foretells(p, upgrade.Converted) {
			continue // there is no webhook
		}
		if err := t.all(); err != nil {
			return fmt.Errorf("%s: %w", by.about, err)
		}
	}
	return e.list(after, by, unreadable)
}

// list reads all objects at once, which fails as soon as one cannot be read.
func (e *estate) list(after *resources, by replacement, unreadable bool) error {
	for _, version := range after.served {
		a, err := e.server.request(http.MethodGet, after.path(version, "", ""), nil)
		if err != nil {
			return err
		}
		if a.ok() == unreadable {
			e.tally.fail("a list", e.m, fmt.Sprintf("%s: %s", by.about, a.reason()))
		}
		e.tally.count(fmt.Sprintf("lists, %d", a.code), 1)
	}
	return nil
}

// replaced puts a CRD into the place of the old one; nil when the server does not let it.
func (e *estate) replaced(by replacement) (*resources, error) {
	var c v1.CustomResourceDefinition
	if err := json.Unmarshal(by.is, &c); err != nil {
		return nil, err
	}
	v1.SetDefaults_CustomResourceDefinitionSpec(&c.Spec)
	if c.Name != e.crd.Name || c.Spec.Scope != e.crd.Spec.Scope || c.Spec.Names.Plural != e.crd.Spec.Names.Plural {
		return nil, nil
	}
	after := e.server.resourcesOf(&c)
	if after == nil {
		e.tally.count("replacements that serve nothing", 1, e.m, ": ", by.about)
		return nil, nil
	}
	if after.storage != e.storage && c.Spec.Conversion.Strategy == v1.WebhookConverter {
		e.tally.count("replacements whose webhook converts all objects", 1)
		return nil, nil
	}
	has := slices.ContainsFunc(c.Spec.Versions, func(v v1.CustomResourceDefinitionVersion) bool { return v.Name == e.storage })
	if !has {
		if ok, err := e.forgetVersions(after, c); !ok || err != nil {
			return nil, err
		}
	}
	e.rounds++
	put := after.replace
	if !has {
		put = after.replaceUnreadable
	}
	answer, err := put(by.is, fmt.Sprintf("Round%d", e.rounds))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", by.about, err)
	}
	if !answer.ok() {
		e.tally.count("replacements that are rejected", 1, e.m, ": ", by.about, ": ", answer.reason())
		return nil, nil
	}
	return after, nil
}

// forgetVersions has the server forget in which versions there are objects, as somebody does who wants to be rid of one: it
// moves storage to a version that will be there, and edits status.storedVersions.
func (e *estate) forgetVersions(after *resources, c v1.CustomResourceDefinition) (bool, error) {
	between := c.DeepCopy()
	for _, v := range e.crd.Spec.Versions {
		if !slices.ContainsFunc(between.Spec.Versions, func(is v1.CustomResourceDefinitionVersion) bool { return is.Name == v.Name }) {
			v.Storage = false
			between.Spec.Versions = append(between.Spec.Versions, v)
		}
	}
	raw, err := json.Marshal(between)
	if err != nil {
		return false, err
	}
	e.rounds++
	if a, err := after.replace(raw, fmt.Sprintf("Between%d", e.rounds)); err != nil || !a.ok() {
		e.tally.count("replacements that are rejected", 1, e.m, ": between: ", a.reason())
		return false, err
	}
	current, err := e.server.readCRD(c.Name)
	if err != nil {
		return false, err
	}
	current.Status.StoredVersions = []string{after.storage}
	if raw, err = json.Marshal(current); err != nil {
		return false, err
	}
	a, err := e.server.request(http.MethodPut, crdsOf("v1")+"/"+c.Name+"/status", raw)
	if err == nil && !a.ok() {
		err = fmt.Errorf("status.storedVersions: %s", a.reason())
	}
	return true, err
}

// replaceUnreadable is replace for a CRD that lacks the version of objects: lists fail from then on.
func (r *resources) replaceUnreadable(manifest []byte, column string) (answer, error) {
	a, err := r.put(manifest, column)
	if err != nil || !a.ok() {
		return a, err
	}
	return a, wait("updating "+r.crd.Name, func() (bool, error) {
		list, err := r.server.request(http.MethodGet, r.path(r.version, "", ""), nil)
		return list.code == http.StatusInternalServerError, err
	})
}

// back puts the old CRD back.
func (e *estate) back() error {
	e.rounds++
	a, err := e.replace(e.m.json, fmt.Sprintf("Back%d", e.rounds))
	if err == nil && !a.ok() {
		err = fmt.Errorf("the CRD is rejected the second time: %s", a.reason())
	}
	return err
}
