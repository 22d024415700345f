// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Gear struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GearSpec `json:"spec,omitempty"`
}

type GearSpec struct {
	// +kubebuilder:validation:Enum=brass;brass
	Metal string `json:"metal,omitempty"`
}
