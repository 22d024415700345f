package webhooks

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// These are the types of a webhook that is written as most are: with pointers where absence counts, and omitempty elsewhere.
type (
	parcelV1 struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              specV1       `json:"spec,omitzero"`
		Status            parcelStatus `json:"status,omitzero"`
	}
	parcelV2 struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              specV2       `json:"spec,omitempty"`
		Status            parcelStatus `json:"status,omitempty"`
	}
	specV1 struct {
		parcelSpec `json:",inline"`
		Address    string       `json:"address,omitempty"`
		Recipient  string       `json:"recipient,omitempty"`
		Priority   string       `json:"priority,omitempty"`
		LegacyCode *string      `json:"legacyCode,omitempty"`
		Items      []parcelItem `json:"items,omitempty"`
	}
	specV2 struct {
		parcelSpec  `json:",inline"`
		Destination *parcelDestination `json:"destination,omitempty"`
		Urgency     string             `json:"urgency,omitempty"`
		Hold        *string            `json:"hold,omitempty"`
		Contents    []parcelItem       `json:"contents,omitempty"`
	}
	parcelDestination struct {
		Address   string `json:"address,omitempty"`
		Recipient string `json:"recipient,omitempty"`
	}
	parcelSpec struct {
		Insured  *bool               `json:"insured,omitempty"`
		Fragile  *bool               `json:"fragile,omitempty"`
		Copies   *int32              `json:"copies,omitempty"`
		Sequence int64               `json:"sequence,omitempty"`
		Weight   *float64            `json:"weight,omitempty"`
		Share    *float64            `json:"share,omitempty"`
		Stops    []string            `json:"stops,omitempty"`
		Selector map[string]string   `json:"selector,omitempty"`
		Legs     []parcelLeg         `json:"legs,omitempty"`
		Until    *metav1.Time        `json:"until,omitempty"`
		Wait     *metav1.Duration    `json:"wait,omitempty"`
		Storage  *string             `json:"storage,omitempty"`
		Limit    *intstr.IntOrString `json:"limit,omitempty"`
		Matrix   [][]int64           `json:"matrix,omitempty"`
		Extra    map[string]any      `json:"extra,omitempty"`
	}
	parcelItem struct {
		Name  string `json:"name"`
		Count *int32 `json:"count,omitempty"`
		Note  string `json:"note,omitempty"`
		Kind  string `json:"kind,omitempty"`
		Shelf string `json:"shelf,omitempty"` // of v1 only
	}
	parcelLeg struct {
		Via    string       `json:"via,omitempty"`
		Mode   string       `json:"mode,omitempty"`
		Depart *metav1.Time `json:"depart,omitempty"`
	}
	parcelStatus struct {
		Phase              string            `json:"phase,omitempty"`
		ObservedGeneration int64             `json:"observedGeneration,omitempty"`
		Counters           map[string]int64  `json:"counters,omitempty"`
		Conditions         []parcelCondition `json:"conditions,omitempty"`
	}
	parcelCondition struct {
		Type               string       `json:"type"`
		Status             string       `json:"status"`
		Message            string       `json:"message,omitempty"`
		LastTransitionTime *metav1.Time `json:"lastTransitionTime,omitempty"`
	}
)

// convertTypes converts by types.
func convertTypes(object map[string]any, to string) {
	member(object, "metadata")
	var out any
	if to == "v2" {
		var in parcelV1
		if runtime.DefaultUnstructuredConverter.FromUnstructured(object, &in) != nil {
			return // of what the schema rejects: the answer has the version of before
		}
		there := parcelV2{TypeMeta: in.TypeMeta, ObjectMeta: in.ObjectMeta, Status: in.Status}
		there.Spec = specV2{parcelSpec: in.Spec.parcelSpec, Contents: in.Spec.Items, Urgency: in.Spec.Priority}
		if in.Spec.Address != "" || in.Spec.Recipient != "" {
			there.Spec.Destination = &parcelDestination{in.Spec.Address, in.Spec.Recipient}
		}
		if word, found := urgencies[in.Spec.Priority]; found {
			there.Spec.Urgency = word.(string)
		}
		there.Annotations, there.Spec.Hold = carry(in.Annotations, codeAnnotation, in.Spec.LegacyCode, holdAnnotation)
		there.Annotations = unshelve(there.Annotations, there.Spec.Contents)
		out = &there
	} else {
		var in parcelV2
		if runtime.DefaultUnstructuredConverter.FromUnstructured(object, &in) != nil {
			return
		}
		back := parcelV1{TypeMeta: in.TypeMeta, ObjectMeta: in.ObjectMeta, Status: in.Status}
		back.Spec = specV1{parcelSpec: in.Spec.parcelSpec, Items: in.Spec.Contents, Priority: in.Spec.Urgency}
		if d := in.Spec.Destination; d != nil {
			back.Spec.Address, back.Spec.Recipient = d.Address, d.Recipient
		}
		for word, other := range urgencies {
			if in.Spec.Urgency == other {
				back.Spec.Priority = word.(string)
			}
		}
		back.Annotations, back.Spec.LegacyCode = carry(in.Annotations, holdAnnotation, in.Spec.Hold, codeAnnotation)
		back.Annotations = reshelve(back.Annotations, back.Spec.Items)
		out = &back
	}
	converted, err := runtime.DefaultUnstructuredConverter.ToUnstructured(out)
	if err != nil {
		panic(err)
	}
	clear(object)
	maps.Copy(object, converted)
	object["apiVersion"] = "example.com/" + to
}

// carry keeps a value that the other version has no field for in an annotation, and has the one that was kept for this one.
func carry(annotations map[string]string, name string, value *string, other string) (map[string]string, *string) {
	all := maps.Clone(annotations)
	if all == nil {
		all = map[string]string{}
	}
	if value != nil {
		all[name] = *value
	}
	kept, found := all[other]
	if !found {
		return all, nil
	}
	delete(all, other)
	return all, &kept
}
