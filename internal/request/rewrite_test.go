package request_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
)

// rewrite tries an object in the place of one that is not known. Where there is no status to keep, it is rejected for what a
// create rejects. What is accepted is accepted in its own place, too, and stays as it is.
func (c *contest) rewrite(o request.Object) {
	c.tried["rewrite"]++
	before := runtime.DeepCopyJSON(o)
	got := c.version.Update(o, nil)
	if !reflect.DeepEqual(before, o) {
		c.fail("an update without an old object changes the object", o)
	}
	_, hasStatus := c.reference.stored(o)["status"]
	if created := c.version.Create(o); !hasStatus || !c.version.HasStatus() {
		if is, want := beyondMetadata(got), beyondMetadata(created); !slices.Equal(is, want) {
			c.fail("without an old object:\n  causes are "+lines(is)+"\n of a create are "+lines(want), o)
		}
	}
	if !got.Accepted() {
		return
	}
	again := c.version.Update(o, got.Object)
	switch {
	case slices.ContainsFunc(again.Causes, func(cause request.Cause) bool { return !comparesValues(cause) }):
		c.fail("in its own place, it is rejected for "+lines(toldAll(again)), o)
	case again.Accepted() && !reflect.DeepEqual(ungenerated(again.Object), ungenerated(got.Object)):
		c.fail("in its own place, it becomes\n"+text(again.Object)+"\n without an old object\n"+text(got.Object), o)
	}
}

// beyondMetadata are the causes that are not of ObjectMeta, which a create validates only if there are no others.
func beyondMetadata(o *request.Outcome) (causes []string) {
	for _, cause := range o.Causes {
		if cause.Stage != request.Metadata {
			causes = append(causes, told(cause))
		}
	}
	return causes
}

// comparesValues reports whether a rule that needs an old value rejects an object.
func comparesValues(c request.Cause) bool {
	return c.Stage == request.Rule && strings.Contains(c.Schema.XValidations[c.Rule].Rule, "oldSelf")
}

// ungenerated is an object without what only the server counts.
func ungenerated(o request.Object) request.Object {
	o = runtime.DeepCopyJSON(o)
	if metadata, ok := o["metadata"].(map[string]any); ok {
		delete(metadata, "generation")
		delete(metadata, "resourceVersion")
	}
	return o
}

// Of an object that is there, but not known, the status is taken to be what is there: it is kept, rules see it, and what was
// wrong in it before is excused. Nothing else is, and rules that compare do not run.
func TestUpdateOfUnknown(t *testing.T) {
	t.Parallel()
	v := serveCRD(t, versionOne(`{type: object, required: [spec], x-kubernetes-validations: [{rule: "!has(self.status) || self.status.used <= self.spec.size", message: too small}],
		properties: {spec: {type: object, x-kubernetes-validations: [{rule: "self.size == oldSelf.size", message: immutable}], properties: {size: {type: integer, maximum: 9}}},
		status: {type: object, properties: {used: {type: integer, minimum: 1, x-kubernetes-validations: [{rule: "self != 3", message: not 3}]}}}}}`, status)).Version("v1")
	for _, test := range []struct {
		about, members string
		causes, says   []string
		admitted       string
	}{
		{"a status", "spec: {size: 5}, status: {used: 4}", nil, nil, "spec: {size: 5}, status: {used: 4}"},
		{"no status", "spec: {size: 5}", nil, nil, "spec: {size: 5}"},
		{"a status that the rule of the root compares with the spec", "spec: {size: 5}, status: {used: 6}",
			[]string{": x-kubernetes-validations at  0 (too small)"}, nil, ""},
		{"a status that breaks the schema", "spec: {size: 5}, status: {used: 0}", nil, nil, "spec: {size: 5}, status: {used: 0}"},
		{"a status that breaks a rule of its own", "spec: {size: 5}, status: {used: 3}", nil,
			[]string{"status.used: x-kubernetes-validations at properties/status/properties/used 0 (not 3)"}, "spec: {size: 5}, status: {used: 3}"},
		{"an undeclared field in the status", "spec: {size: 5}, status: {used: 4, phase: Ready}", nil, []string{"pruned status.phase"}, "spec: {size: 5}, status: {used: 4}"},
		{"a spec that breaks the schema", "spec: {size: 10}", []string{"spec.size: maximum at properties/spec/properties/size"}, nil, ""},
		{"nothing but a status", "status: {used: 4}", []string{": ", "spec missing: required at "}, nil, ""},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			o := object(t, test.members)
			o["metadata"].(request.Object)["resourceVersion"] = "7"
			got := v.Update(o, nil)
			var says []string
			for _, w := range got.Warnings {
				says = append(says, told(*w.Cause))
			}
			for _, change := range got.Changes {
				if change.Kind != request.Pruned {
					t.Errorf("change %+v", change)
				}
				says = append(says, "pruned "+change.Path.String())
			}
			if causes := toldAll(got); !slices.Equal(causes, test.causes) || !slices.Equal(says, test.says) {
				t.Errorf("causes are\n%s\nwant\n%s\nand it says\n%s\nwant\n%s", lines(causes), lines(test.causes), lines(says), lines(test.says))
			}
			if got.Accepted() != (test.causes == nil) || got.Accepted() && !reflect.DeepEqual(bare(got.Object), bare(object(t, test.admitted))) {
				t.Errorf("it is admitted as %s", text(got.Object))
			}
		})
	}
}
