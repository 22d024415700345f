package request_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/applying"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A step of a case is a request with a server's answer, or the CRD's replacement.
type step struct {
	CRD     string
	Request struct {
		Op, Version, Manager, Body, FieldValidation string
		Force                                       bool
		DryRun                                      any
	}
	Expected struct {
		Code          int
		Message       string
		Causes        []string
		ManagedFields []any
		Object        map[string]any
		SpecInEtcd    map[string]any
	}
}

// TestApplyCases tells the stories that a real server was told, and compares codes, causes, objects and managedFields.
func TestApplyCases(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(corpus.Cases(), "apply", "*", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return strings.HasPrefix(filepath.Base(filepath.Dir(path)), "crd-") })
	if len(paths) == 0 {
		t.Skipf("no cases of apply in %s: set CRDLIFT_CORPUS to a folder beside them", corpus.Cases())
	}
	for _, path := range paths {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var story struct{ Steps []step }
			if err := utiljson.Unmarshal([]byte(readFile(t, path)), &story); err != nil {
				t.Fatal(err)
			}
			s := &applying.Server{CRD: serveCRD(t, readFile(t, filepath.Join(dir, "crd.yaml")))}
			for _, step := range story.Steps {
				if step.CRD != "" {
					s.CRD = serveCRD(t, readFile(t, filepath.Join(dir, step.CRD)))
					continue
				}
				step.check(t, s, dir)
			}
		})
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (step step) check(t *testing.T, s *applying.Server, dir string) {
	t.Helper()
	r := applying.Request{
		Op: step.Request.Op, Version: step.Request.Version, Manager: step.Request.Manager, Force: step.Request.Force,
		FieldValidation: step.Request.FieldValidation, DryRun: step.Request.DryRun != nil,
	}
	if step.Request.Body != "" {
		r.Body = []byte(readFile(t, filepath.Join(dir, step.Request.Body)))
	}
	name := r.Op + " " + step.Request.Body
	got, err := s.Do(r)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want := step.Expected
	if got.Code != want.Code {
		t.Fatalf("%s: the code is %d, want %d: %s\n%+v", name, got.Code, want.Code, want.Message, got.Causes)
	}
	if got.Code/100 != 2 {
		step.checkCauses(t, name, got.Causes)
		return
	}
	object, managed := withoutServer(got.Object)
	wanted := want.Object
	if !reflect.DeepEqual(object, wanted) {
		t.Errorf("%s: the object is\n%s\nwant\n%s", name, text(object), text(wanted))
	}
	if !reflect.DeepEqual(managed, entries(want.ManagedFields)) {
		t.Errorf("%s: managedFields are\n%s\nwant\n%s", name, strings.Join(managed, "\n"), strings.Join(entries(want.ManagedFields), "\n"))
	}
	if want.SpecInEtcd != nil && !reflect.DeepEqual(s.Stored["spec"], any(want.SpecInEtcd)) {
		t.Errorf("%s: the spec in etcd is %v, want %v", name, s.Stored["spec"], want.SpecInEtcd)
	}
}

// checkCauses compares causes by their fields. Where the server only has a message, it must be about one of the places.
func (step step) checkCauses(t *testing.T, name string, causes []request.Cause) {
	t.Helper()
	var got, want []string
	named := len(causes) == 0
	for _, c := range causes {
		got = append(got, c.Field)
		named = named || c.Field == "" || strings.Contains(step.Expected.Message, c.Field+": ")
	}
	for _, cause := range step.Expected.Causes {
		at, _, _ := strings.Cut(cause, ": ")
		want = append(want, at)
	}
	if len(want) > 0 && !slices.Equal(set(got), set(want)) {
		t.Errorf("%s: causes are %q, want %q", name, got, want)
	}
	if !named {
		t.Errorf("%s: none of %q is in %q", name, got, step.Expected.Message)
	}
}

// withoutServer is an object without what only a server knows, and the entries of its managedFields.
func withoutServer(o request.Object) (request.Object, []string) {
	o = runtime.DeepCopyJSON(o)
	metadata := o["metadata"].(map[string]any)
	managed, _ := metadata["managedFields"].([]any)
	for _, key := range []string{"uid", "resourceVersion", "creationTimestamp", "managedFields"} {
		delete(metadata, key)
	}
	return o, entries(managed)
}

// entries are those of managedFields in any order, without times.
func entries(managed []any) (texts []string) {
	for _, entry := range managed {
		e := entry.(map[string]any)
		delete(e, "time")
		delete(e, "fieldsType")
		text, _ := json.Marshal(e)
		texts = append(texts, string(text))
	}
	slices.Sort(texts)
	return texts
}
