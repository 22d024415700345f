package request_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// A contest compares the judge of a version with upstream's own strategies.
type contest struct {
	version   *request.Version
	reference *reference
	tried     map[string]int // objects by operation
	objects   int
	refused   int
	failures  []string
}

func newContest(server *request.Server, hub *apiextensions.CustomResourceDefinition, version string) (*contest, error) {
	r, err := newReference(hub, version)
	if err != nil {
		return nil, err
	}
	return &contest{version: server.Version(version), reference: r, tried: map[string]int{}}, nil
}

// contestOf is the contest of v1 of a CRD.
func contestOf(t testing.TB, manifest string) *contest {
	t.Helper()
	hub := decode(t, manifest)
	server, err := request.New(hub)
	if err != nil {
		t.Fatal(err)
	}
	c, err := newContest(server, hub, "v1")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *contest) create(o request.Object) (admitted request.Object) {
	unstructured.RemoveNestedField(o, "metadata", "resourceVersion") // the strategies do not look at it
	before := runtime.DeepCopyJSON(o)
	got := c.version.Create(o, request.WithTexts())
	c.compare("create", got, c.reference.create(o), o)
	if !reflect.DeepEqual(before, o) {
		c.fail("create changes the object", o)
	}
	c.apply(o, got)
	return got.Object
}

// apply tries that an object comes to the same by a server-side apply to nothing where that is said of its create.
func (c *contest) apply(o request.Object, created *request.Outcome) {
	if created.Err != nil || c.version.AppliesOtherwise(o, created) {
		return
	}
	c.tried["apply"]++
	got := c.version.Apply(o, nil, request.Applier{Manager: "contest"})
	if got.Err != nil || !got.Accepted() {
		c.fail(fmt.Sprintf("apply is rejected: %v %v", got.Err, got.Causes), o)
		return
	}
	unstructured.RemoveNestedField(got.Object, "metadata", "managedFields")
	if !reflect.DeepEqual(got.Object, created.Object) {
		c.fail(fmt.Sprintf("apply comes to\n%v\nand create to\n%v", got.Object, created.Object), o)
	}
}

// update tries an object in the place of another one.
func (c *contest) update(o, old request.Object) {
	before, beforeOld := runtime.DeepCopyJSON(o), runtime.DeepCopyJSON(old)
	c.compare("update", c.version.Update(o, old, request.WithTexts()), c.reference.update(false, o, old), o, old)
	if !reflect.DeepEqual(before, o) || !reflect.DeepEqual(beforeOld, old) {
		c.fail("an update changes the objects", o, old)
	}
}

// updateStatus tries the status of an object in the place of that of another one.
func (c *contest) updateStatus(o, old request.Object) {
	c.compare("status", c.version.UpdateStatus(o, old, request.WithTexts()), c.reference.update(true, o, old), o, old)
}

func (c *contest) setReplicas(old request.Object, replicas int32) {
	c.compare("scale", c.version.UpdateScale(old, replicas, request.WithTexts()), c.reference.setReplicas(old, replicas), old, request.Object{"replicas": replicas})
}

// wholeObject is an object in an error about all of it, which has what only the server adds: the namespace, the uid and a time.
var wholeObject = regexp.MustCompile(`^(<nil>: [A-Z][a-z ]+: )\{"apiVersion":.*\}(: |$)`)

// typeMet is what an error of CEL says of a value that is not of its type: where several values of a map are not, it is that which
// upstream comes to first in the order of a Go map.
var typeMet = regexp.MustCompile(`(invalid data, expected ).*( evaluating rule)`)

func ofAnyType(text string) string { return typeMet.ReplaceAllString(text, "$1...$2") }

func withoutObjects(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, ofAnyType(wholeObject.ReplaceAllString(text, "$1{}$2")))
	}
	return all
}

func (c *contest) compare(operation string, got *request.Outcome, want verdict, objects ...request.Object) {
	c.objects++
	c.tried[operation]++
	if got.Err != nil {
		c.fail(fmt.Sprintf("%s: %v", operation, got.Err), objects...)
		return
	}
	var causes, texts []string
	unread, warnings := false, 0
	for _, cause := range got.Causes {
		if cause.Type == "" || cause.Stage == request.TypeMeta && cause.Field == "" {
			unread = true
		} else {
			causes = append(causes, string(cause.Type)+" "+cause.Field)
			texts = append(texts, cause.Text())
		}
	}
	for _, w := range got.Warnings {
		if w.Kind != request.Deprecated {
			warnings++
		}
	}
	if len(got.Causes) > 0 {
		c.refused++
	}
	causes, wanted := set(causes), set(want.causes)
	switch {
	case unread != want.unread:
		c.fail(fmt.Sprintf("%s: read %v, should be %v", operation, !unread, !want.unread), objects...)
	case !slices.Equal(causes, wanted):
		c.fail(fmt.Sprintf("%s:\n  causes are %q\n should be %q", operation, causes, wanted), objects...)
	case !slices.Equal(set(withoutObjects(texts)), set(withoutObjects(want.texts))):
		c.fail(fmt.Sprintf("%s:\n  texts are %q\n should be %q", operation, texts, want.texts), objects...)
	case len(texts) == 1 && ofAnyType(got.Message()) != ofAnyType(want.message):
		c.fail(fmt.Sprintf("%s:\n  message is %s\n should be %s", operation, got.Message(), want.message), objects...)
	case warnings != want.warnings:
		c.fail(fmt.Sprintf("%s: %d warnings, should be %d", operation, warnings, want.warnings), objects...)
	case !unread && !slices.Equal(unknown(got), set(want.unknown)):
		c.fail(fmt.Sprintf("%s:\n unknown are %q\n should be %q", operation, unknown(got), set(want.unknown)), objects...)
	case got.Accepted() && !reflect.DeepEqual(got.Object, want.object):
		c.fail(fmt.Sprintf("%s:\n  object is %s\n should be %s", operation, text(got.Object), text(want.object)), objects...)
	}
}

// unknown are the paths of pruned fields, as upstream writes them.
func unknown(o *request.Outcome) []string {
	var paths []string
	for _, change := range o.Changes {
		if change.Kind == request.Pruned {
			paths = append(paths, dotted(change.Path))
		}
	}
	return set(paths)
}

func dotted(path request.Path) string {
	var b strings.Builder
	for _, step := range path {
		if step.Index >= 0 {
			fmt.Fprintf(&b, "[%d]", step.Index)
		} else {
			b.WriteString("." + step.Key)
		}
	}
	return strings.TrimPrefix(b.String(), ".")
}

func set(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// enough failures say what is wrong.
const enough = 5

func (c *contest) fail(what string, objects ...request.Object) {
	if len(c.failures) < enough {
		for _, o := range objects {
			what += "\n" + text(o)
		}
		c.failures = append(c.failures, what)
	}
}

// text is an object in one line.
func text(o request.Object) string {
	b, err := json.Marshal(o)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// run tries objects that are made for every node of the schema, and others that are changed at random, alone and as
// updates of one another, until there were enough.
func (c *contest) run(g *behaviour.Generator, seed uint64, most int) {
	random := rand.New(rand.NewPCG(seed, 15))
	var samples []request.Object
	nodes := g.Nodes()
	random.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	for _, s := range g.Whole(12) {
		samples = append(samples, s.Object)
	}
	for _, node := range nodes {
		if len(samples) > most/6 {
			break
		}
		made, _ := g.Node(node)
		for _, s := range made {
			samples = append(samples, s.Object)
		}
	}
	random.Shuffle(len(samples), func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
	for i := 0; c.objects < most && len(c.failures) < enough; i++ {
		o := runtime.DeepCopyJSON(samples[i%len(samples)])
		for range random.IntN(3) {
			behaviour.Mutate(random, o)
		}
		if i >= len(samples) {
			behaviour.Mutate(random, o)
		}
		old := c.create(o)
		c.rewrite(o)
		if old == nil || random.IntN(2) == 0 {
			old = c.reference.stored(o) // as if it was stored before the schema was tightened
		}
		c.reference.name(old)
		new := runtime.DeepCopyJSON(old)
		for range random.IntN(3) {
			behaviour.Mutate(random, new)
		}
		if random.IntN(8) == 0 {
			new = samples[random.IntN(len(samples))]
		}
		c.update(new, old)
		if c.version.HasStatus() {
			c.updateStatus(new, old)
		}
		if c.version.HasScale() {
			c.setReplicas(old, []int32{0, 1, 3, -1, 1 << 20, -1 << 31}[random.IntN(6)])
		}
	}
}
