package e2e

import (
	"bytes"
	"os"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// TestByHand is an upgrade in place whose objects, and what becomes of them, were written by a person rather than
// made from the schema.
func TestByHand(t *testing.T) {
	s := last(t)
	src, err := os.ReadFile("testdata/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all, _ := read(t, []*file{{path: "testdata/crd.yaml", src: src}}, crd.V1beta1)
	each(t, all, func(m *crdManifest, tally *tally) (err error) {
		if created, err := s.createCRD("v1beta1", m.json); err != nil || !created.ok() {
			tally.fail("rejected by 1.21", m, created.reason())
			return err
		}
		defer s.deleteBehind(m.name, &err)
		stored, err := s.readCRD(m.name)
		if err != nil {
			return err
		}
		r, reason, err := s.serve(stored)
		if err != nil || r == nil {
			tally.fail("not served", m, reason)
			return err
		}
		for _, object := range objects(t, "testdata/objects.yaml") {
			r.version = version(object)
			if reason, err := r.store(object); err != nil || reason != "" {
				tally.fail("an object is rejected", m, reason)
				return err
			}
		}
		r.version = r.storage
		before, err := r.readAll()
		if err != nil {
			return err
		}
		for _, object := range objects(t, "testdata/objects.yaml") {
			was := before[version(object)][name(object)]
			if at := objectsDiffer(withMetadataOf(object, was), was); at != "" {
				tally.fail("stored differently under v1beta1", m, name(object)+" at "+at)
			}
		}
		u := &convertedCRD{resources: r, m: m, tally: tally}
		same := func(object map[string]any, _ string) (map[string]any, []string) { return object, nil }
		if kept, err := u.to(policy.Preserve, before, same); err != nil || !kept {
			return err
		}
		pruned := map[string]map[string]any{}
		for _, object := range objects(t, "testdata/pruned.yaml") {
			pruned[name(object)] = object
		}
		_, err = u.to(policy.Prune, before, func(object map[string]any, _ string) (map[string]any, []string) {
			expected := withMetadataOf(pruned[name(object)], object)
			expected["apiVersion"] = object["apiVersion"]
			return expected, []string{"as written by hand"}
		})
		return err
	})
}

func objects(t *testing.T, path string) []map[string]any {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for _, document := range bytes.Split(src, []byte("\n---\n")) {
		raw, err := yaml.YAMLToJSON(document)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := utiljson.Unmarshal(raw, &object); err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
	return all
}

func name(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	return name
}

// version is what follows the group.
func version(object map[string]any) string {
	apiVersion, _ := object["apiVersion"].(string)
	return apiVersion[len("harbour.example.com/"):]
}

// withMetadataOf returns a hand-written object the metadata that a server added to it.
func withMetadataOf(object, from map[string]any) map[string]any {
	whole := map[string]any{}
	for key, value := range object {
		whole[key] = value
	}
	whole["metadata"] = from["metadata"]
	return whole
}
