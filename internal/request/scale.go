package request

import (
	"math"
	"strings"

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
		if _, _, err := unstructured.NestedString(r.object, members(*at)...); err != nil {
			r.refuse(scaleCause(*at, r.object))
		}
	}
}

// refuseScale is what scaleFromCustomResource of customresource makes errors of: the answer is 500.
func (r *reading) refuseScale() {
	scale := r.version.scale
	refuse := func(at string) {
		cause := scaleCause(at, r.object)
		cause.Type, cause.Field = "", ""
		r.refuse(cause)
	}
	for _, at := range []string{scale.SpecReplicasPath, scale.StatusReplicasPath} {
		if _, _, err := unstructured.NestedInt64(r.object, members(at)...); err != nil {
			refuse(at)
		}
	}
	if at := scale.LabelSelectorPath; at != nil {
		if _, _, err := unstructured.NestedString(r.object, members(*at)...); err != nil {
			refuse(*at)
		}
	}
}

func (r *reading) validateReplicas(at string) {
	n, _, err := unstructured.NestedInt64(r.object, members(at)...)
	if err == nil && 0 <= n && n <= math.MaxInt32 {
		return
	}
	cause := scaleCause(at, r.object)
	if err == nil {
		cause.Keyword, cause.Found = "minimum", ""
		if n > 0 {
			cause.Keyword = "maximum"
		}
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

// members are the names in a path of the scale subresource.
func members(jsonPath string) []string { return strings.Split(strings.TrimPrefix(jsonPath, "."), ".") }

// scaleCause is about the value that is mapped, or the first one on the way to it that has no members.
func scaleCause(at string, o Object) Cause {
	cause := Cause{Stage: Scale, Type: field.ErrorTypeInvalid, Field: at, Keyword: "type", Rule: -1, Actual: -1}
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
