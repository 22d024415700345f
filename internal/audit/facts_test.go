package audit

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/lint"
)

var pots = schema.GroupKind{Group: "example.com", Kind: "Pot"}

// pot is an object that managers wrote, each "NAME VERSION".
func pot(managers ...[2]string) map[string]any {
	var entries []any
	for _, m := range managers {
		entries = append(entries, map[string]any{"manager": m[0], "operation": "Update", "apiVersion": "example.com/" + m[1]})
	}
	return map[string]any{"metadata": map[string]any{"managedFields": entries}}
}

func named(i int) *lint.Object { return &lint.Object{Kind: "Pot", Name: fmt.Sprint(i)} }

// TestJoin cuts a dump into pieces of any size: what is known of it stays the same.
func TestJoin(t *testing.T) {
	t.Parallel()
	const objects = 300
	of := func(from, to int) *Facts {
		f := &Facts{}
		for i := from; i < to; i++ {
			o := pot([2]string{fmt.Sprint("made-up-", i), "v1"}, [2]string{"flux", "v1beta1"}, [2]string{"flux", "v1beta1"})
			if i%50 == 49 {
				o["metadata"].(map[string]any)["deletionTimestamp"] = "2026-01-01T00:00:00Z"
				o["metadata"].(map[string]any)["finalizers"] = []any{"example.com/free"}
			}
			f.Custom(pots, o, named(i))
			f.Other("v1", "Service", func() map[string]any {
				return map[string]any{"metadata": map[string]any{"namespace": "tools", "name": fmt.Sprint(i)}}
			}, nil)
		}
		return f
	}
	whole := of(0, objects)
	for _, size := range []int{1, 7, 299, 300} {
		joined := &Facts{}
		for from := 0; from < objects; from += size {
			joined.Join(of(from, min(objects, from+size)))
		}
		joined.Join(nil)
		if diff := cmp.Diff(whole, joined, cmpopts.IgnoreUnexported(Kind{})); diff != "" {
			t.Errorf("in pieces of %d: %s", size, diff)
		}
	}
	k := whole.Kind(pots)
	if n := len(k.Writers); n != maxWriters+2 {
		t.Errorf("%d writers are kept, want the first %d of v1, the others as one, and flux", n, maxWriters)
	}
	if flux := k.Writers[Writer{"v1beta1", "flux"}]; flux == nil || flux.Count != objects || len(flux.First) != examples || flux.First[0].Name != "0" {
		t.Errorf("flux wrote %+v", flux)
	}
	if rest := k.Writers[Writer{"v1", Others}]; rest == nil || rest.Count != objects-maxWriters {
		t.Errorf("the others wrote %+v", rest)
	}
	if k.Objects != objects || k.Held.Count != 6 || k.Held.First[0].Name != "49" || len(whole.Services) != objects {
		t.Errorf("%d objects, %+v held", k.Objects, k.Held)
	}
	if unknown := (*Facts)(nil).Kind(pots); unknown.Objects != 0 {
		t.Errorf("%+v is known of nothing", unknown)
	}
}

// TestMadeUpVersions keeps the number of versions in bounds.
func TestMadeUpVersions(t *testing.T) {
	t.Parallel()
	f := &Facts{}
	for i := range 10 * maxVersions {
		f.Custom(pots, pot([2]string{"flux", fmt.Sprint("v", i)}), named(i))
	}
	if n := len(f.Kind(pots).Writers); n != maxVersions {
		t.Errorf("%d writers", n)
	}
}

// TestCustomTakesAnything gives it managedFields and finalizers that no server writes.
func TestCustomTakesAnything(t *testing.T) {
	t.Parallel()
	for _, metadata := range []any{
		nil, "text", []any{}, map[string]any{"managedFields": "text"}, map[string]any{"managedFields": []any{nil, "text", map[string]any{"manager": 5}}},
		map[string]any{"deletionTimestamp": true, "finalizers": []any{5, map[string]any{}}}, map[string]any{"deletionTimestamp": true, "finalizers": "text"},
	} {
		f := &Facts{}
		f.Custom(pots, map[string]any{"metadata": metadata}, named(0))
		if k := f.Kind(pots); k.Objects != 1 || len(k.Writers) != 0 || k.Held.Count != 0 {
			t.Errorf("%v: %+v", metadata, k)
		}
	}
	f := &Facts{}
	for _, kind := range []string{"Service", "Secret"} {
		f.Other("v1", kind, func() map[string]any { return map[string]any{"spec": []any{}} }, nil)
	}
	f.Other("discovery.k8s.io/v1", "EndpointSlice", func() map[string]any { return map[string]any{"endpoints": []any{nil, "text"}} }, nil)
	f.Other("storagemigration.k8s.io/v1", "StorageVersionMigration", func() map[string]any { return map[string]any{"status": map[string]any{"conditions": []any{"text"}}} },
		func(name string) string { return name })
	if len(f.Services) != 1 || len(f.Endpoints) != 1 || len(f.Migrations) != 1 || f.Migrations[0].Failed {
		t.Errorf("%+v", f)
	}
}

// TestNote reads what Note writes.
func TestNote(t *testing.T) {
	t.Parallel()
	want := []Unread{{"pots.example.com", "403 Forbidden", false}, {"services/tools/conv", "404", true}}
	f := &Facts{}
	for _, u := range want {
		if !f.Other(NoteAPIVersion, NoteKind, u.Note, nil) {
			t.Error("this is no note")
		}
	}
	if diff := cmp.Diff(want, f.Unread); diff != "" {
		t.Error(diff)
	}
	if missing := f.Missing(); len(missing) != 1 || missing[0] != want[0] {
		t.Errorf("%v is missing", missing)
	}
	f.NotRead("pots.example.com", "again")
	f.NotRead("lids.example.com", "once")
	if len(f.Unread) != 3 {
		t.Errorf("%v", f.Unread)
	}
}

// TestReadyEndpoints counts an endpoint as ready unless it says that it is not.
func TestReadyEndpoints(t *testing.T) {
	endpoint := func(conditions map[string]any) any { return map[string]any{"conditions": conditions} }
	f := &Facts{}
	f.Other("discovery.k8s.io/v1", "EndpointSlice", func() map[string]any {
		return map[string]any{
			"metadata":  map[string]any{"namespace": "tools", "labels": map[string]any{"kubernetes.io/service-name": "conv"}},
			"endpoints": []any{endpoint(map[string]any{"ready": true}), endpoint(map[string]any{"ready": false}), endpoint(map[string]any{"ready": false}), endpoint(nil)},
		}
	}, nil)
	if e := f.Endpoints["tools/conv"]; e == nil || *e != (Endpoints{Ready: 2, Total: 4}) {
		t.Errorf("it is %+v", e)
	}
}

// TestUnreachable has what is said of a service by what the dump has.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	service := func(ports ...int64) map[string]*Service { return map[string]*Service{"tools/conv": {Ports: ports}} }
	other := map[string]*Service{"tools/other": {}}
	for name, test := range map[string]struct {
		facts       Facts
		why, unread string
	}{
		"nothing was read":      {Facts{}, "", "services/tools/conv"},
		"others were read":      {Facts{Services: other}, "there is no such service", ""},
		"this one was rejected": {Facts{Services: other, Unread: []Unread{{What: "services/tools/conv"}}}, "", "services/tools/conv"},
		"it is absent":          {Facts{Unread: []Unread{{What: "services/tools/conv", Absent: true}}}, "there is no such service", ""},
		"another port":          {Facts{Services: service(80, 8443)}, "the service does not have the port 443", ""},
		"no slices":             {Facts{Services: service(443)}, "", "endpointslices/tools/conv"},
		"slices are absent":     {Facts{Services: service(443), Unread: []Unread{{What: "endpointslices/tools/conv", Absent: true}}}, "the service has no endpoint", ""},
		"slices of others":      {Facts{Services: service(443), Endpoints: map[string]*Endpoints{"tools/other": {1, 1}}}, "the service has no endpoint", ""},
		"empty slices":          {Facts{Services: service(443), Endpoints: map[string]*Endpoints{"tools/conv": {}}}, "the service has no endpoint", ""},
		"none is ready":         {Facts{Services: service(443), Endpoints: map[string]*Endpoints{"tools/conv": {0, 2}}}, "no endpoint of the service is ready", ""},
		"one is ready":          {Facts{Services: service(443), Endpoints: map[string]*Endpoints{"tools/conv": {1, 2}}}, "", ""},
		"it is another's place": {Facts{Services: map[string]*Service{"tools/conv": {External: true}}}, "", ""},
	} {
		if why, unread := test.facts.Unreachable("tools/conv", 443); why != test.why || unread != test.unread {
			t.Errorf("%s: %q, unread %q", name, why, unread)
		}
	}
}
