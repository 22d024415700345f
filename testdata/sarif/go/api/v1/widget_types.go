// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WidgetSpec is what a user wants.
type WidgetSpec struct {
	// Size is in metres.
	Size int32 `json:"size,omitempty"`
}

// WidgetStatus is what was observed.
type WidgetStatus struct {
	Size int32 `json:"size,omitempty"`
	// Conditions are what was observed last.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Namespaced,shortName=wi;wi

// Widget is a thing.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec,omitempty"`
	Status WidgetStatus `json:"status,omitempty"`
}
