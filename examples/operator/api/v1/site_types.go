package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// SiteSpec is what the user wants.
type SiteSpec struct {
	// Hosts are the names of the site.
	// +kubebuilder:validation:MaxItem=20
	Hosts []string `json:"hosts"`

	// Replicas is the number of web servers.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`

	// Size is the size of each web server.
	// +kubebuilder:validation:Enum=small;large
	// +kubebuilder:default=medium
	// +optional
	Size string `json:"size,omitempty"`
}

// SiteStatus is what the operator found.
type SiteStatus struct {
	// +optional
	URL string `json:"url,omitempty"`
}

// Site is a web site.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.status.address`
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SiteSpec   `json:"spec,omitempty"`
	Status SiteStatus `json:"status,omitempty"`
}
