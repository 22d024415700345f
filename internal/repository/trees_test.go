package repository

import (
	"fmt"
	"strings"
)

// whole is a CRD of a kind and its group, as a generator writes it, or a person.
func whole(kindOfGroup string, generated bool) string {
	kind, group, _ := strings.Cut(kindOfGroup, ".")
	annotations := ""
	if generated {
		annotations = "  annotations:\n    controller-gen.kubebuilder.io/version: v0.19.0\n"
	}
	return fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
%s  name: %ss.%s
spec:
  group: %s
  names:
    kind: %s
    plural: %[2]ss
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
`, annotations, strings.ToLower(kind), group, group, kind)
}
