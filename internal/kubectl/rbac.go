package kubectl

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// rbac is a ClusterRole for what a Reader reads, but for the groups of custom resources.
const rbac = `# What 'crdlift audit --kubectl' reads. Bind the role to the account that runs it.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: crdlift-audit
rules:
- apiGroups: [apiextensions.k8s.io]
  resources: [customresourcedefinitions]
  verbs: [get, list]
%s# The services of conversion webhooks, and where their endpoints are.
- apiGroups: [""]
  resources: [services]
  verbs: [get]
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [list]
- apiGroups: [storagemigration.k8s.io]
  resources: [storageversionmigrations]
  verbs: [list]
- nonResourceURLs: [/version, /apis/storagemigration.k8s.io]
  verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: crdlift-audit
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: crdlift-audit
subjects:
- kind: ServiceAccount
  name: crdlift-audit
  namespace: default
`

// RBAC returns the manifests of a role that allows what a Reader reads of these groups, and nothing else, in the order of their names.
// The error is about a name that no group has: "*" or "" would allow to read much more.
func RBAC(groups []string) (string, error) {
	groups = slices.Compact(slices.Sorted(slices.Values(groups)))
	for _, group := range groups {
		if len(validation.IsDNS1123Subdomain(group)) > 0 {
			return "", fmt.Errorf("%q is not the name of a group, so no role is printed; name groups such as apps.example.com", group)
		}
	}
	custom := ""
	if len(groups) > 0 {
		custom = fmt.Sprintf("- apiGroups: [\"%s\"]\n  resources: [\"*\"]\n  verbs: [get, list]\n", strings.Join(groups, `", "`))
	}
	return fmt.Sprintf(rbac, custom), nil
}
