package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/outofsync"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// TestNormalForm: once manifest-not-normal is fixed, servers return what is written, and they return what they returned before.
// Manifests lose what says that they are generated, for those are not fixed.
func TestNormalForm(t *testing.T) {
	t.Parallel()
	n := &normalizing{}
	n.checkAll(t, ownManifests(t))
	if n.changed < 15 {
		t.Errorf("only %d of %d CRDs were changed", n.changed, n.crds)
	}
}

func TestNormalFormOfCorpus(t *testing.T) {
	t.Parallel()
	(&normalizing{}).checkAll(t, corpus.Sample(t, volume(t, "v1"), 16))
}

// normalizing counts the CRDs that were brought into the form that servers return.
type normalizing struct {
	sync.Mutex
	crds, changed int
}

func (n *normalizing) checkAll(t *testing.T, paths []string) {
	t.Helper()
	inParallel(len(paths), func(i int) { n.check(t, paths[i]) })
	t.Logf("%d of %d CRDs were changed", n.changed, n.crds)
	if n.crds == 0 {
		t.Error("there are no CRDs")
	}
}

// signature is what marks manifests as generated.
var signature = regexp.MustCompile(`(?i)controller-gen\.kubebuilder\.io|controller-tools\.k8s\.io|generated|do not (edit|modify)`)

func (n *normalizing) check(t *testing.T, path string) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	src = signature.ReplaceAll(src, []byte("made"))
	l := everyRule()
	l.Config.Only = []string{"manifest-not-normal"}
	fixed := l.Fix(path, src, true)
	for _, w := range fixed.Withheld {
		t.Errorf("%s: %s: not fixed: %s", path, w.Finding.Path, w.Why)
	}
	was, is := crd.Parse(src), crd.Parse(fixed.Output)
	if len(was) != len(is) {
		t.Errorf("%s: %d CRDs became %d", path, len(was), len(is))
		return
	}
	for i := range was {
		before, written := returnedFor(was[i])
		if _, generated := was[i].Generator(""); before == nil || generated || was[i].InCluster() {
			continue
		}
		after, writtenNow := returnedFor(is[i])
		n.Lock()
		n.crds++
		if !bytes.Equal(written, writtenNow) {
			n.changed++
		}
		n.Unlock()
		if !bytes.Equal(before, after) {
			t.Errorf("%s: servers return something else:\n%s\nbefore:\n%s", path, after, before)
		}
		if left := is[i].Discrepancies(); len(left) > 0 {
			t.Errorf("%s: %s is left", path, left[0].Key.Path)
		}
		if differs, err := outofsync.Differs(writtenNow, after); differs || err != nil {
			t.Errorf("%s: what servers return differs from\n%s\nthey return\n%s\n%v", path, writtenNow, after, err)
		}
	}
}

// TestNormalCABundle: a certificate is returned in one line. The finding repeats the beginning of it for people.
func TestNormalCABundle(t *testing.T) {
	t.Parallel()
	const line = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t"
	const manifest = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: beacons.signals.example.org}
spec:
  group: signals.example.org
  names: {kind: Beacon, plural: beacons}
  scope: Cluster
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig:
        url: https://hooks.example.org
        caBundle: %s # injected by hand
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`
	l := everyRule()
	l.Config.Only = []string{"manifest-not-normal"}
	fixed := l.Fix("crd.yaml", fmt.Appendf(nil, manifest, `"`+line+`\n`+line+`"`), false)
	if want := fmt.Sprintf(manifest, line+line); string(fixed.Output) != want {
		t.Errorf("got\n%s\nwant\n%s", fixed.Output, want)
	}
	if len(fixed.Findings) != 1 || len(fixed.Findings[0].Brief) > 160 || !strings.Contains(fixed.Findings[0].Message, line+line) {
		t.Errorf("%+v", fixed.Findings)
	}
}

// TestNormalPruning: a CRD that was created through v1beta1 may need preserveUnknownFields: false to be pruned, so that only who
// asks for it removes it, whichever rule tells.
func TestNormalPruning(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile(fixtureRoot + "/document/manifest-not-normal/want-every.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, only := range [][]string{nil, {"manifest-not-normal"}} {
		for _, unsafe := range []bool{false, true} {
			l := everyRule()
			l.Config.Only = only
			fixed := l.Fix("crd.yaml", src, unsafe).Output
			if bytes.Contains(fixed, []byte("preserveUnknownFields")) == unsafe {
				t.Errorf("only %v, unsafe %v:\n%s", only, unsafe, fixed)
			}
		}
	}
}

// returnedFor is a v1 CRD as servers return it once it is stored, and as it is written, both in JSON; nil for one that they do not
// decode, or not strictly.
func returnedFor(c *crd.CRD) (returned, written []byte) {
	if c.Version != crd.V1 || len(c.UnknownFields()) > 0 {
		return nil, nil
	}
	written, err := yaml11.ToJSON(c.Node)
	returned = written
	for range 2 { // to be stored, and to be returned
		d, failed := crd.DecodeJSON(returned, crd.V1)
		if err != nil || failed != nil {
			return nil, nil
		}
		var object *apiextensions.CustomResourceDefinition
		if object, err = crd.ToV1(d.Hub); err == nil {
			object.APIVersion, object.Kind = crd.Group+"/v1", crd.Kind
			returned, err = json.Marshal(object)
		}
	}
	return returned, written
}
