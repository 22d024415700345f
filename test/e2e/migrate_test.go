package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/carry"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	catalogues "github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/webhooks"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A carried is an object before and after internal/carry has written its manifest anew.
type carried struct {
	at       string // where it is from
	old, new map[string]any
}

// TestMigrate has a real API server take the objects of testdata/migrate before and after they are carried: what it shows at the new
// version is the same. The objects of real repositories come in addition, if CRDLIFT_MIGRATE names a folder of folders, each with a
// folder crds and a folder objects: all are carried to the version that its file to names, or to the storage version.
func TestMigrate(t *testing.T) {
	folders := []string{filepath.Join("testdata", "migrate")}
	if more := os.Getenv("CRDLIFT_MIGRATE"); more != "" {
		all, err := filepath.Glob(filepath.Join(more, "*"))
		if err != nil {
			t.Fatal(err)
		}
		folders = append(folders, all...)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			catalogue, manifests := &catalogues.Catalogue{}, map[string][]byte{}
			for _, path := range corpus.Below(t, filepath.Join(folder, "crds")) {
				src, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range catalogues.Definitions(path, path, src, true) {
					catalogue.Add(d)
				}
				all, _ := read(t, []*file{{path: path, src: src}}, crd.V1)
				for _, m := range all {
					manifests[m.name] = m.json
				}
			}
			to := &carry.Carrier{Options: carry.Options{To: carry.ToStorage}, Catalogue: catalogue}
			if named, err := os.ReadFile(filepath.Join(folder, "to")); err == nil {
				to.To = strings.TrimSpace(string(named))
			}
			byCRD := map[string][]carried{}
			for _, file := range corpus.Below(t, filepath.Join(folder, "objects")) {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				moved, _ := carryAll(t, to, file, src)
				for name, all := range moved {
					byCRD[name] = append(byCRD[name], all...)
				}
			}
			equal := 0
			for name, all := range byCRD {
				equal += showsAlike(t, manifests[name], all)
			}
			t.Logf("%d objects are shown alike", equal)
			if folder == folders[0] && equal < 7 {
				t.Errorf("only %d objects are carried", equal)
			}
		})
	}
}

// carryAll carries the objects of a file, and returns those that became others by the names of their CRDs, and what is left
// for a person.
func carryAll(t *testing.T, c *carry.Carrier, path string, src []byte) (all map[string][]carried, left []string) {
	t.Helper()
	all = map[string][]carried{}
	var edits []rewrite.Edit
	var moved []carry.Item
	var at []int // the document of each
	for i, d := range manifest.Parse(path, src).Documents {
		result := c.Document(d)
		edits = append(edits, result.Edits...)
		for _, item := range result.Items {
			switch {
			case item.State == carry.Moved && !item.Part:
				moved, at = append(moved, item), append(at, i)
			case item.State == carry.Refused:
				left = append(left, path+" "+item.ID())
			}
		}
	}
	after := manifest.Parse(path, rewrite.Apply(src, edits)).Documents
	for i, item := range moved {
		old, _, err := item.Tree()
		if err != nil {
			t.Fatal(err)
		}
		found, _ := catalogues.Find(after[at[i]].Root.YNode())
		n := slices.IndexFunc(found, func(o *catalogues.Object) bool { return o.Index == item.Index })
		is, _, err := found[n].Tree()
		if err != nil {
			t.Fatal(err)
		}
		if is["apiVersion"] != item.Group+"/"+item.To {
			t.Errorf("%s: it is at %v, and not at %s", path, is["apiVersion"], item.To)
		}
		name := item.Definition.Name
		all[name] = append(all[name], carried{path + " " + item.ID(), old, is})
	}
	return all, left
}

// showsAlike creates objects of a CRD of strategy None as they were and as they are, and counts those that the server shows alike at the
// new version. Those that it rejects, it rejects both times.
func showsAlike(t *testing.T, raw []byte, all []carried) (equal int) {
	t.Helper()
	s := today(t)
	var c v1.CustomResourceDefinition
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	if created, err := s.createCRD("v1", raw); err != nil || !created.ok() {
		t.Fatal(created.reason(), err)
	}
	defer func() {
		if err := s.deleteCRD(c.Name); err != nil {
			t.Error(err)
		}
	}()
	r, reason, err := s.serve(&c)
	if err != nil || r == nil {
		t.Fatal(reason, err)
	}
	for _, o := range all {
		if r.alike(t, o) {
			equal++
		}
	}
	return equal
}

// alike creates an object before and after it was carried, and reports whether the server shows both in the same way.
func (r *resources) alike(t *testing.T, o carried) bool {
	t.Helper()
	was, whyOld := r.createdAndShown(t, o.old, o.new)
	is, whyNew := r.createdAndShown(t, o.new, o.new)
	switch {
	case was == nil && is == nil:
		return true // it is rejected before and after
	case was == nil || is == nil:
		t.Errorf("%s: rejected before: %q, and after: %q", o.at, whyOld, whyNew)
		return false
	}
	if at := valuesDiffer(asWritten(was), asWritten(is), "shown"); at != "" {
		t.Errorf("%s: %s differs: it was\n\t%s\nand is\n\t%s", o.at, at, text(was), text(is))
		return false
	}
	return true
}

// createdAndShown creates an object at its version, reads it at that of another, and deletes it. Without one, it says why it is rejected.
func (r *resources) createdAndShown(t *testing.T, object, at map[string]any) (shown map[string]any, refused string) {
	t.Helper()
	object = asWritten(object)
	metadata := metadataOf(object)
	delete(metadata, "generation")
	delete(metadata, "namespace") // it is that of the path
	delete(metadata, "finalizers")
	delete(metadata, "ownerReferences") // of owners that are not there
	metadata["name"] = "carried"
	delete(metadata, "generateName")
	body, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	versionOf := func(o map[string]any) string {
		return strings.TrimPrefix(fmt.Sprint(o["apiVersion"]), r.crd.Spec.Group+"/")
	}
	a, err := r.server.request(http.MethodPost, r.path(versionOf(object), "", ""), body)
	if err != nil {
		t.Fatal(err)
	}
	if !a.ok() {
		return nil, a.reason()
	}
	if a, err = r.server.request(http.MethodGet, r.path(versionOf(at), "carried", ""), nil); err != nil {
		t.Fatal(err)
	}
	if !a.ok() {
		t.Errorf("%s is created, and cannot be read at %s: %s", body, versionOf(at), a.reason())
		if err := r.takeOut("carried"); err != nil {
			t.Fatal(err)
		}
		return nil, a.reason()
	}
	if shown, err = a.object(); err != nil {
		t.Fatal(err)
	}
	if a, err := r.server.request(http.MethodDelete, r.path(versionOf(object), "carried", ""), nil); err != nil || !a.ok() {
		t.Fatal(a.reason(), err)
	}
	return shown, ""
}

// TestMigrateByWebhooks carries made objects through a webhook that makes a mistake, and has a server take them that asks one which
// makes none: what is carried is shown alike.
func TestMigrateByWebhooks(t *testing.T) {
	g := inhabitGadgets(t)
	d := catalogues.Definitions("gadgets.yaml", "gadgets.yaml", webhooks.CRD, true)[0]
	catalogue := &catalogues.Catalogue{}
	catalogue.Add(d)
	server, why := d.Server()
	if why != "" {
		t.Fatal(why)
	}
	n := 25
	if corpus.All() {
		n = 2000
	}
	generator := sample.New(server, "v1", corpus.Seed(t))
	for _, fault := range []string{"", "field-lost", "swapped", "list-reversed"} {
		t.Run(fault, func(t *testing.T) {
			c := &carry.Carrier{Options: carry.Options{To: "v2", KeepAnnotations: true}, Catalogue: catalogue,
				Ask: func(d *catalogues.Definition) (carry.Asker, error) {
					return review.New(review.Config{CRD: d.Hub, Handler: webhooks.Handler(fault)})
				}}
			made, moved := 0, 0
			for i := range n {
				o := generator.Mended(i)
				if o == nil {
					continue
				}
				made++
				src := sample.Print(o, d.Root("v1"))
				all, _ := carryAll(t, c, fmt.Sprintf("%d.yaml", i), src)
				for _, one := range all[d.Name] {
					moved++
					g.alike(t, one)
				}
			}
			t.Logf("%d of %d objects are carried", moved, made)
			if fault == "" && moved < made*9/10 {
				t.Errorf("of %d objects only %d are carried", made, moved)
			}
		})
	}
}
