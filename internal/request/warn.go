package request

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
)

// warn warns, if the object is accepted, of finalizers without a domain, on an update only of those that are new. See validateKubeFinalizerName of
// customresource.
func (r *reading) warn(was *reading) {
	if r.refused() {
		return
	}
	known := map[string]bool{}
	for _, name := range standardFinalizers {
		known[name] = true
	}
	if was != nil {
		for _, name := range was.meta.Finalizers {
			known[name] = true
		}
	}
	for i, name := range r.meta.Finalizers {
		if strings.Contains(name, "/") || known[name] {
			continue
		}
		known[name] = true
		detail := "prefer a domain-qualified finalizer name"
		if strings.Contains(name, ".") {
			detail += " including a path (/)"
		}
		detail += " to avoid accidental conflicts with other finalizer writers"
		if r.texts {
			detail = fmt.Sprintf("%q: %s", name, detail)
		}
		at := Path{Key("metadata"), Key("finalizers"), Index(i)}
		r.out.Warnings = append(r.out.Warnings, Warning{Kind: Finalizer, Path: at, Detail: detail})
	}
}

var standardFinalizers = []string{metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents, string(corev1.FinalizerKubernetes)}

// deprecation is the warning that a request to a deprecated version gets. See defaultDeprecationWarning.
func deprecation(hub *apiextensions.CustomResourceDefinition, v apiextensions.CustomResourceDefinitionVersion) string {
	if !v.Deprecated {
		return ""
	}
	if v.DeprecationWarning != nil {
		return *v.DeprecationWarning
	}
	text := fmt.Sprintf("%s/%s %s is deprecated", hub.Spec.Group, v.Name, hub.Spec.Names.Kind)
	newest := ""
	for _, other := range hub.Spec.Versions {
		if other.Served && !other.Deprecated && version.CompareKubeAwareVersionStrings(v.Name, other.Name) < 0 &&
			(newest == "" || version.CompareKubeAwareVersionStrings(newest, other.Name) < 0) {
			newest = other.Name
		}
	}
	if newest == "" {
		return text
	}
	return text + fmt.Sprintf("; use %s/%s %s", hub.Spec.Group, newest, hub.Spec.Names.Kind)
}
