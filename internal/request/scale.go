package request

import (
	"fmt"
	"math"
	"strings"

	"github.com/crdlift/crdlift/internal/apply"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateScale is ValidateScaleSpec and ValidateScaleStatus of customresource.
func (r *reading) validateScale(ofSpec bool) {
	scale := r.version.scale
	if scale == nil {
		return
	}
	if ofSpec {
		r.validateReplicas(scale.SpecReplicasPath)
	}
	r.validateReplicas(scale.StatusReplicasPath)
	if at := scale.LabelSelectorPath; at != nil {
		if selector, _, err := unstructured.NestedString(r.object, members(*at)...); err != nil {
			r.refuse(scaleCause(*at, r.object, field.Invalid(field.NewPath(*at), selector, err.Error())))
		}
	}
}

// refuseScale is what scaleFromCustomResource of customresource makes errors of: the answer is 500.
func (r *reading) refuseScale() {
	scale := r.version.scale
	refuse := func(at string, err error) {
		cause := scaleCause(at, r.object, err)
		cause.Type, cause.Field = "", ""
		r.refuse(cause)
	}
	for _, at := range []string{scale.SpecReplicasPath, scale.StatusReplicasPath} {
		if _, _, err := unstructured.NestedInt64(r.object, members(at)...); err != nil {
			refuse(at, err)
		}
	}
	if at := scale.LabelSelectorPath; at != nil {
		if _, _, err := unstructured.NestedString(r.object, members(*at)...); err != nil {
			refuse(*at, err)
		}
	}
}

func (r *reading) validateReplicas(at string) {
	n, _, err := unstructured.NestedInt64(r.object, members(at)...)
	if err == nil && 0 <= n && n <= math.MaxInt32 {
		return
	}
	said := func(detail string) error { return field.Invalid(field.NewPath(at), n, detail) }
	if err != nil {
		r.refuse(scaleCause(at, r.object, said(err.Error())))
		return
	}
	cause := scaleCause(at, r.object, said("should be a non-negative integer"))
	cause.Keyword, cause.Found = "minimum", ""
	if n > 0 {
		cause.Keyword, cause.upstream = "maximum", said(fmt.Sprintf("should be less than or equal to %d", math.MaxInt32))
	}
	r.refuse(cause)
}

// ReplicasPath is where objects have the number that the scale subresource writes; nil where there is no such subresource.
func (v *Version) ReplicasPath() Path {
	if v.scale == nil {
		return nil
	}
	return Keys(members(v.scale.SpecReplicasPath)...)
}

// ScalePaths are where the scale subresource finds the wanted and the actual number, and the selector if there is one.
func (v *Version) ScalePaths() (all []Path) {
	if v.scale == nil {
		return nil
	}
	all = []Path{Keys(members(v.scale.SpecReplicasPath)...), Keys(members(v.scale.StatusReplicasPath)...)}
	if at := v.scale.LabelSelectorPath; at != nil {
		all = append(all, Keys(members(*at)...))
	}
	return all
}

// trackScale has the field manager note who writes the number of replicas.
func (r *reading) trackScale(was *reading, replicas int64) (err error) {
	if r.manager == "" {
		return nil
	}
	paths := map[string][]string{}
	for _, v := range r.version.server.versions {
		if paths[v.apiVersion()] = nil; v.scale != nil {
			paths[v.apiVersion()] = members(v.scale.SpecReplicasPath)
		}
	}
	before, found, _ := unstructured.NestedInt64(was.object, paths[r.version.apiVersion()]...)
	if !found {
		before = math.MinInt32
	}
	entries, err := apply.Scale(was.managed, r.version.GroupVersionKind().GroupVersion(), paths, before, replicas, r.manager)
	r.managed = r.untimed(entries, was.managed)
	return err
}

// members are the names in a path of the scale subresource.
func members(jsonPath string) []string { return strings.Split(strings.TrimPrefix(jsonPath, "."), ".") }

// scaleCause is about the value that is mapped, or the first one on the way to it that has no members.
func scaleCause(at string, o Object, err error) Cause {
	cause := Cause{Stage: Scale, Type: field.ErrorTypeInvalid, Field: at, Keyword: "type", Rule: -1, Actual: -1, upstream: err}
	var value any = o
	for _, name := range members(at) {
		object, ok := value.(map[string]any)
		if !ok {
			break
		}
		value = object[name]
		cause.Path = append(cause.Path, Key(name))
	}
	cause.Found = jsonType(value)
	return cause
}
