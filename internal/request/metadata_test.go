package request_test

import (
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
)

// Upstream counts owner references without those that are there again, but a cause leads to the one in the user's list.
func TestOwnersAgain(t *testing.T) {
	t.Parallel()
	v := serve(t, "{type: object, properties: {status: {type: object, properties: {a: {type: string}}}}}", status).Version("v1")
	with := func(owners string) request.Object {
		o := object(t, "a: 1")
		o["metadata"].(request.Object)["ownerReferences"] = object(t, "owners: ["+owners+"]")["owners"]
		return o
	}
	const (
		one      = "{apiVersion: v1, kind: Pod, name: a, uid: b}"
		another  = "{apiVersion: v1, kind: Pod, name: c, uid: d}"
		nameless = "{apiVersion: v1, kind: Pod, uid: e}"
	)
	old := with(one)
	for _, test := range []struct {
		about    string
		outcome  *request.Outcome
		causes   []string
		warnings []string
	}{
		{"of a new object", v.Create(with(one + ", " + one + ", " + another + ", " + one + ", " + nameless)),
			[]string{"metadata.ownerReferences[4].name missing: "}, []string{"metadata.ownerReferences[1]", "metadata.ownerReferences[3]"}},
		{"of an update", v.Update(with(one+", "+one+", "+nameless), old),
			[]string{"metadata.ownerReferences[2].name missing: "}, []string{"metadata.ownerReferences[1]"}},
		{"of an update of the status, which drops them all", v.UpdateStatus(with(one+", "+one+", "+nameless), old), nil, []string{"metadata.ownerReferences[1]"}},
		{"of an object that an update of the status leaves broken", v.UpdateStatus(with(one+", "+one+", "+one), with(one+", "+nameless)),
			[]string{"metadata.ownerReferences[1].name missing: "}, []string{"metadata.ownerReferences[1]", "metadata.ownerReferences[2]"}},
		{"without any again", v.Create(with(one + ", " + nameless)), []string{"metadata.ownerReferences[1].name missing: "}, nil},
	} {
		var warnings []string
		for _, w := range test.outcome.Warnings {
			warnings = append(warnings, w.Path.String())
		}
		if causes := toldAll(test.outcome); !slices.Equal(causes, test.causes) || !slices.Equal(warnings, test.warnings) {
			t.Errorf("%s: causes are %q, warnings %q; want %q and %q", test.about, causes, warnings, test.causes, test.warnings)
		}
	}
}
