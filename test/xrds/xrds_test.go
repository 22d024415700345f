// Package xrds compares the CRDs that crdlift takes Crossplane to make of its CompositeResourceDefinitions with those that Crossplane's
// own code makes, and what crdlift says about the definitions with what becomes of them there.
package xrds

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crossplane/crossplane-runtime/v2/pkg/xcrd"
	xrdv1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
	_ "github.com/crossplane/crossplane/v2/test/e2e/certificate" // a package of the module that has the CRD of XRDs
	diff "github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// definition is the CRD of XRDs in the pinned module of Crossplane.
var definition = sync.OnceValues(func() (*request.Server, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/crossplane/crossplane/v2").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	file := filepath.Join(strings.TrimSpace(string(dir)), "cluster", "crds", "apiextensions.crossplane.io_compositeresourcedefinitions.yaml")
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	server, why := objects.Definitions(file, file, src, true)[0].Server()
	if server == nil {
		return nil, fmt.Errorf("%s: %s", file, why)
	}
	return server, nil
})

// A made is what becomes of an XRD: the CRDs, that of claims last, or why there are none.
type made struct {
	crds []*apiextensions.CustomResourceDefinition
	err  error
}

// admitted asks the API server's code for the CRD of XRDs, which has defaults and rules. Like kubectl, it has no field pass that nobody
// declares.
func admitted(t testing.TB, object request.Object) (*xrdv1.CompositeResourceDefinition, error) {
	t.Helper()
	server, err := definition()
	if err != nil {
		t.Fatal(err)
	}
	version := server.VersionOf(object)
	if version == nil {
		return nil, fmt.Errorf("no version %v", object["apiVersion"])
	}
	o := version.Create(object, request.WithTexts())
	switch {
	case o.Err != nil:
		t.Fatal(o.Err)
	case !o.Accepted():
		return nil, fmt.Errorf("%s", o.Message())
	case len(o.Undeclared()) > 0:
		return nil, fmt.Errorf("unknown field %s", o.Undeclared()[0])
	}
	raw, err := json.Marshal(o.Object)
	if err != nil {
		t.Fatal(err)
	}
	x := &xrdv1.CompositeResourceDefinition{}
	return x, json.Unmarshal(raw, x)
}

// makeCRDs has Crossplane make the CRDs.
func makeCRDs(x *xrdv1.CompositeResourceDefinition) (all []*v1.CustomResourceDefinition, err error) {
	makers := []func(*xrdv1.CompositeResourceDefinition) (*v1.CustomResourceDefinition, error){xcrd.ForCompositeResource}
	if x.OffersClaim() {
		makers = append(makers, xcrd.ForCompositeResourceClaim)
	}
	for _, make := range makers {
		one, err := make(x)
		if err != nil {
			return nil, err
		}
		one.APIVersion, one.Kind, one.OwnerReferences = crd.Group+"/v1", crd.Kind, nil
		all = append(all, one)
	}
	return all, nil
}

// byCrossplane is what becomes of an XRD that is applied to a cluster.
func byCrossplane(t testing.TB, object request.Object) (all made) {
	t.Helper()
	x, err := admitted(t, object)
	if err != nil {
		return made{err: err}
	}
	crds, err := makeCRDs(x)
	if err != nil {
		return made{err: err}
	}
	for _, one := range crds {
		in, err := crd.DecodeJSON(asJSON(t, one), crd.V1)
		if err != nil {
			return made{err: err}
		}
		all.crds = append(all.crds, in.Hub)
	}
	return all
}

func asJSON(t testing.TB, value any) []byte {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// byUs is the same by internal/xrd. An XRD without problems of which no CRD can be read is rejected as well.
func byUs(t testing.TB, src []byte) (all made, problems []crd.Problem) {
	t.Helper()
	for _, d := range manifest.Parse("", src).Documents {
		found, _ := xrd.Find(d.Root.YNode())
		for _, c := range found {
			if c.From == nil {
				t.Fatalf("%s is a CRD", c.Name())
			}
			problems = append(problems, c.From.Problems...)
			in, err := c.Decode()
			if err != nil {
				all.err = err
				continue
			}
			out, err := crd.ToV1(in.Hub)
			if err != nil {
				t.Fatal(err)
			}
			out.APIVersion, out.Kind = crd.Group+"/v1", crd.Kind
			sent, err := crd.DecodeJSON(asJSON(t, out), crd.V1) // as Crossplane sends it: what is empty is left out
			if err != nil {
				t.Fatal(err)
			}
			all.crds = append(all.crds, sent.Hub)
		}
	}
	for _, hub := range all.crds {
		if all.err == nil {
			all.err = refusedAsCRD(hub)
		}
	}
	for _, p := range problems {
		if p.Kind == crd.Refused && all.err == nil {
			all.err = fmt.Errorf("%s: %s", p.At.Path, p.Message)
		}
	}
	return all, problems
}

// refusedAsCRD is what Crossplane rejects, or its CRD of XRDs, that servers reject of CRDs as well: a rule about CRDs says it.
func refusedAsCRD(hub *apiextensions.CustomResourceDefinition) error {
	for _, v := range hub.Spec.Versions {
		if in := cmp.Or(v.Schema, hub.Spec.Validation); in == nil || in.OpenAPIV3Schema == nil {
			return fmt.Errorf("%s has no schema", v.Name)
		}
	}
	if names := hub.Spec.Names.Plural + hub.Spec.Names.Singular; names != strings.ToLower(names) {
		return fmt.Errorf("%s is not in lower case", names)
	}
	return nil
}

// objectOf is an XRD as kubectl reads it.
func objectOf(t testing.TB, src []byte) request.Object {
	t.Helper()
	raw, err := yaml.YAMLToJSON(src)
	if err != nil {
		t.Fatal(err)
	}
	object := request.Object{}
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Fatal(err)
	}
	return whole(object).(request.Object)
}

// whole has whole numbers as int64, as servers have them.
func whole(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k, in := range v {
			v[k] = whole(in)
		}
	case []any:
		for i, in := range v {
			v[i] = whole(in)
		}
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return value
}

// compare is how the CRDs that we have of an XRD differ from Crossplane's; "" where they do not. Where it makes none, we have a problem.
func compare(t testing.TB, src []byte) (differ string) {
	t.Helper()
	theirs := byCrossplane(t, objectOf(t, src))
	ours, _ := byUs(t, src)
	if theirs.err != nil || ours.err != nil {
		if (theirs.err == nil) != (ours.err == nil) {
			return fmt.Sprintf("Crossplane: %v\nwe: %v", theirs.err, ours.err)
		}
		return ""
	}
	return diff.Diff(theirs.crds, ours.crds)
}
