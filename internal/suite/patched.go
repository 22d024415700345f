package suite

import (
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// alone is the one version that the CRD has for the suites of openshift/api; "" for those that it has.
func (r *run) alone() string {
	if r.Suite.OpenShift == nil {
		return ""
	}
	return r.Version
}

// only is a CRD with one of its versions, which is served and stored.
func only(hub *apiextensions.CustomResourceDefinition, version string) *apiextensions.CustomResourceDefinition {
	cut := *hub
	cut.Spec.Versions = nil
	for _, v := range hub.Spec.Versions {
		if v.Name == version {
			v.Served, v.Storage = true, true
			cut.Spec.Versions = append(cut.Spec.Versions, v)
		}
	}
	cut.Spec.Conversion = nil
	return &cut
}

// patched is a server with the CRD as a patch makes it: the patch counts all versions of its file, of which one is left. It only has the rules for
// an object, as it is made for that alone, and most of the work is to compile rules.
func (r *Runner) patched(d *objects.Definition, version string, patch []byte, o request.Object) (*request.Server, error) {
	raw, err := r.source(d)
	if err != nil {
		return nil, err
	}
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, fmt.Errorf("these are not JSON patches: %w", err)
	}
	if raw, err = operations.Apply(raw); err != nil {
		return nil, fmt.Errorf("the patches do not fit the CRD: %w", err)
	}
	decoded, err := crd.DecodeJSON(raw, crd.V1)
	if err != nil {
		return nil, fmt.Errorf("the patched CRD cannot be read: %w", err)
	}
	if err := keepReached(decoded.Hub, version, o); err != nil {
		return nil, err
	}
	return request.New(only(decoded.Hub, version))
}

// source is a CRD as its file has it.
func (r *Runner) source(d *objects.Definition) ([]byte, error) {
	if known, ok := r.sources.Get(d); ok {
		return known, nil
	}
	c := d.Tree()
	if c.Node == nil {
		return nil, fmt.Errorf("its file does not have the CRD %s", d.Name)
	}
	raw, err := yaml11.ToJSON(c.Node)
	r.sources.Keep(d, raw)
	return raw, err
}
