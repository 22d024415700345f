package request_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
)

// TestUnappliable holds what is said of any apply against that of one by a new manager, over managedFields made at random.
func TestUnappliable(t *testing.T) {
	t.Parallel()
	server := serveCRD(t, crates("", "v1", "a: {type: string}, b: {type: string}, n: {type: string, default: x}", "v2", "a: {type: string}, b: {type: integer}, n: {type: string}", "v3", "a: {type: string}"))
	random := rand.New(rand.NewPCG(1, 2))
	refused, accepted := 0, 0
	for range 400 {
		var entries []any
		for i := range random.IntN(4) {
			version := []string{"v0", "v1", "v2", "v3"}[random.IntN(4)]
			entries = append(entries, map[string]any{
				"apiVersion": "example.org/" + version, "manager": fmt.Sprint("m", i), "operation": []string{"Apply", "Update"}[random.IntN(2)],
				"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": map[string]any{"f:a": map[string]any{}}},
			})
		}
		spec := map[string]any{"a": "x"}
		if random.IntN(3) == 0 {
			spec["b"] = "y"
		}
		version := server.Version([]string{"v1", "v2", "v3"}[random.IntN(3)])
		metadata := map[string]any{"name": "o", "namespace": "n", "uid": "u", "resourceVersion": "1"}
		if entries != nil {
			metadata["managedFields"] = entries
		}
		live, err := version.Serve(request.Object{"apiVersion": "example.org/v1", "kind": "Crate", "metadata": metadata, "spec": spec})
		if err != nil {
			t.Fatal(err)
		}
		got, unknown, err := version.Unappliable(live)
		if err != nil || unknown {
			t.Fatalf("unknown is %t, the error %v", unknown, err)
		}
		body := request.Object{"apiVersion": "example.org/" + version.Name, "kind": "Crate", "metadata": map[string]any{"name": "o", "namespace": "n"}, "status": map[string]any{"p": "x"}}
		out := version.Apply(body, live, request.Applier{Manager: "new"})
		want := slices.DeleteFunc(out.Causes, func(c request.Cause) bool { return c.Stage != request.Owners })
		if reasons(got) != reasons(want) {
			t.Errorf("%v at %s: %s, want %s", entries, version.Name, reasons(got), reasons(want))
		}
		if len(got) == 0 {
			accepted++
		} else {
			refused++
		}
	}
	if refused < 100 || accepted < 100 {
		t.Errorf("%d rejected and %d accepted, want 100 of each at least", refused, accepted)
	}
}

// TestUnappliableWithWebhook finds versions that are gone beside others that only a webhook could tell of.
func TestUnappliableWithWebhook(t *testing.T) {
	t.Parallel()
	version := serveCRD(t, crates(webhook, "v1", lid, "v2", lid)).Version("v1")
	live := func(versions ...string) request.Object {
		var entries []any
		for _, v := range versions {
			entries = append(entries, map[string]any{"apiVersion": "example.org/" + v, "manager": v, "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": map[string]any{}})
		}
		return request.Object{"apiVersion": "example.org/v1", "kind": "Crate", "metadata": map[string]any{"name": "o", "namespace": "n", "uid": "u", "managedFields": entries}}
	}
	for _, tt := range []struct {
		versions []string
		says     string
		unknown  bool
	}{
		{[]string{"v1"}, "", false},
		{[]string{"v2"}, "", true},
		{[]string{"v2", "v0"}, "live metadata.managedFields[1].apiVersion  example.org/v0", true},
	} {
		o := live(tt.versions...)
		causes, unknown, err := version.Unappliable(o)
		if reasons(causes) != tt.says || unknown != tt.unknown || err != nil {
			t.Errorf("%s: %q, unknown is %t, %v; want %q, %t", tt.versions, reasons(causes), unknown, err, tt.says, tt.unknown)
		}
		if content(o) != content(live(tt.versions...)) || owners(o) != owners(live(tt.versions...)) {
			t.Errorf("%s: the object is changed", tt.versions)
		}
	}
}
