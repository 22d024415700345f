package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// OpenShift is what a suite of openshift/api says of its CRD.
type OpenShift struct {
	CRDName string
	// Gates are the feature gates that a CRD has to have for the suite to be about it or, behind a "-", must not have.
	Gates []string
	Meant bool // the gates are under a key that openshift/api does not read: without a CRD that has them, they count for nothing
}

// OpenShiftKey is one of the keys that make a document a suite of openshift/api.
const OpenShiftKey = "crdName"

// ReadOpenShift reads a document in the format of openshift/api. It returns nil for one that is no such suite.
func ReadOpenShift(d *manifest.Document) *Suite {
	n := d.Root.YNode()
	name, tests := crd.Get(n, OpenShiftKey), crd.Get(n, "tests")
	if name == nil || tests == nil {
		return nil
	}
	file := path.Base(d.File.Path)
	s := &Suite{Document: d, Node: n, OpenShift: &OpenShift{}}
	r := &reader{suite: s, names: map[string]bool{}, validation: Warn}
	r.openShift(n)
	s.Name = s.OpenShift.CRDName + "/" + strings.TrimSuffix(file, path.Ext(file))
	return s
}

// openShift reads a suite. What their runner passes over is reported, and the rest of the suite runs.
func (r *reader) openShift(n *yaml.Node) {
	o := r.suite.OpenShift
	gates := func(e crd.Entry) {
		o.Gates = crd.Strings(crd.Deref(e.Value))
		if one := crd.StringAt(e.Value); one != "" {
			o.Gates = []string{one}
		}
	}
	passed := func(crd.Entry) {}
	r.mapping(n, "a suite", members{
		"apiVersion": passed, // of another format: controller-gen asks for it
		"name":       passed,
		OpenShiftKey: r.text(&o.CRDName), "version": r.text(&r.suite.Version), "featureGates": gates,
		"featureGate": func(e crd.Entry) {
			r.suite.Wrong = append(r.suite.Wrong, Problem{At: e.Key, Unknown: true, Warning: true,
				Message: "openshift/api reads featureGates, not featureGate; write featureGates, so that its own runner skips CRDs without the gate"})
			gates(e)
			o.Meant = true
		},
		"onCreate": r.beside, "onUpdate": r.beside,
		"tests": func(e crd.Entry) {
			r.mapping(e.Value, "tests", members{
				"onCreate": func(e crd.Entry) { r.each(e, r.onCreate) },
				"onUpdate": func(e crd.Entry) { r.each(e, r.onUpdate) },
			})
		},
	})
}

// beside reports cases that their runner never runs.
func (r *reader) beside(e crd.Entry) {
	n := len(crd.Items(crd.Deref(e.Value)))
	r.suite.Wrong = append(r.suite.Wrong, Problem{At: e.Key, Unknown: true,
		Message: fmt.Sprintf("%s is next to tests instead of below it, so its %s never %s; indent it", e.Name, text.Count(n, "case"), text.Verb(n, "runs", "run"))})
}

// each reads the cases of a list, which may be empty.
func (r *reader) each(e crd.Entry, read func(*Case, *yaml.Node)) {
	for _, item := range crd.Items(crd.Deref(e.Value)) {
		c := &Case{At: crd.FirstKey(item), Validation: Warn}
		read(c, item)
		c.Name = e.Name + "/" + c.Name
		r.suite.Cases = append(r.suite.Cases, c)
	}
}

// An outcome is what a case of theirs expects.
type outcome struct{ stored, err, statusErr crd.Entry }

// of are the keys that all cases have.
func (r *reader) of(c *Case, o *outcome, more members) members {
	keep := func(to *crd.Entry) func(crd.Entry) {
		return func(e crd.Entry) {
			if crd.StringAt(e.Value) != "" { // which counts for nothing
				*to = e
			}
		}
	}
	maps.Copy(more, members{
		"name":          func(e crd.Entry) { r.text(&c.Name)(e); c.At = e.Value },
		"expected":      keep(&o.stored),
		"expectedError": keep(&o.err), "expectedStatusError": keep(&o.statusErr),
	})
	return more
}

func (r *reader) onCreate(c *Case, n *yaml.Node) {
	var o outcome
	c.Request = Create
	r.mapping(n, "a case of onCreate", r.of(c, &o, members{"initial": r.written(&c.Change.Object)}))
	if c.Change.Object == nil {
		r.fail(c.At, "the case has no initial object; add initial")
	}
	r.expect(c, o, false)
}

func (r *reader) onUpdate(c *Case, n *yaml.Node) {
	var o outcome
	c.Request, c.Old, c.OldAt = Update, &Change{}, c.At
	r.mapping(n, "a case of onUpdate", r.of(c, &o, members{
		"initial":           func(e crd.Entry) { r.written(&c.Old.Object)(e); c.OldAt = e.Key },
		"updated":           r.written(&c.Change.Object),
		"initialCRDPatches": func(e crd.Entry) { c.Before.At = e.Key; c.Before.Patches = r.patches(e) },
	}))
	if c.Old.Object == nil || c.Change.Object == nil {
		r.fail(c.At, "the case needs an initial and an updated object; add both")
		return
	}
	metadata := identified(c.Change.Object, c.Old.Object)
	if delete(c.Change.Object, "metadata"); len(metadata) > 0 {
		c.Change.Object["metadata"] = metadata
	}
	status, has := c.Change.Object["status"]
	if has = has && status != nil && o.err.Key == nil; has {
		c.Steps = []Step{{Request: Status, Object: runtime.DeepCopyJSON(c.Change.Object)}}
	}
	r.expect(c, o, has)
}

// identified is the metadata of an object with the name and namespace of the one that is there.
func identified(o, there request.Object) request.Object {
	metadata, _ := o["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	if metadata == nil {
		metadata = request.Object{}
	}
	old, _ := there["metadata"].(map[string]any)
	for _, key := range []string{"name", "namespace", "generateName"} {
		if delete(metadata, key); old[key] != nil {
			metadata[key] = old[key]
		}
	}
	return metadata
}

// written reads an object that is written as text.
func (r *reader) written(to *request.Object) func(crd.Entry) {
	return func(e crd.Entry) {
		said, is := yaml11.Text(crd.Deref(e.Value))
		if !is {
			r.fail(e.Value, "%s must be the text of an object; write %s: | before it", e.Name, e.Name)
			return
		}
		n, err := yaml11.Parse([]byte(said))
		if err != nil {
			r.fail(e.Key, "%s is not valid YAML (%s); correct it", e.Name, strings.TrimPrefix(err.Error(), "yaml: "))
			return
		}
		at := &yaml.Node{Kind: yaml.MappingNode, Line: e.Key.Line, Column: e.Key.Column}
		value, ok := r.valueAt(n, at)
		o, is := value.(map[string]any)
		if ok && !is {
			r.fail(e.Key, "%s must be an object", e.Name)
			return
		}
		if metadata, is := o["metadata"].(map[string]any); is {
			delete(metadata, "namespace") // theirs is default, whatever is written
		}
		*to = o
	}
}

// expect reads what is expected of a case. Has tells that it writes the status, too.
func (r *reader) expect(c *Case, o outcome, status bool) {
	refused := o.err
	if status { // there is no other error then
		refused = o.statusErr
	}
	switch {
	case refused.Key != nil:
		c.Want.WholeText, c.Want.At, c.Want.Also = crd.StringAt(refused.Value), refused.Key, true
		c.Want.Rejected = []Expected{{At: refused.Key, Text: c.Want.WholeText}}
	case o.stored.Key != nil:
		c.Want.ExactAt, c.Want.Metadata = o.stored.Key, true
		r.written(&c.Want.Exactly)(o.stored)
	default:
		r.fail(c.At, "the case expects nothing; add expected (the stored object) or expectedError (a part of the error)")
	}
}

// patches reads patches of the CRD as JSON.
func (r *reader) patches(e crd.Entry) []byte {
	raw, err := yaml11.ToJSON(e.Value)
	if err == nil && !json.Valid(raw) {
		err = fmt.Errorf("this is not JSON")
	}
	if err != nil {
		r.fail(e.Key, "%s cannot be read (%v); correct it", e.Name, err)
	}
	return raw
}
