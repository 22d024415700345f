package kubectl

import (
	"fmt"
	"slices"
	"strings"
)

// rbac is a ClusterRole for what a Reader reads, but for the groups of custom resources.
const rbac = `# What 'crdlift audit --kubectl' reads. Bind the role to who runs it.
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
func RBAC(groups []string) string {
	custom := ""
	if len(groups) > 0 {
		custom = fmt.Sprintf("- apiGroups: [%s]\n  resources: [\"*\"]\n  verbs: [get, list]\n", strings.Join(slices.Compact(slices.Sorted(slices.Values(groups))), ", "))
	}
	return fmt.Sprintf(rbac, custom)
}
