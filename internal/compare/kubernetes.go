package compare

import (
	"maps"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

// Many CRDs embed types of k8s.io/api and k8s.io/apimachinery: a PodSpec, a label selector, a condition. With a new
// version of those modules their schemas change in ways that are not the CRD's, and are known. The types are told by
// their fields.

// atomicTypes have `+structType=atomic`, which generators wrote out as x-kubernetes-map-type only later.
var atomicTypes = sets.New(
	"matchExpressions matchLabels", // LabelSelector
	"name",                         // LocalObjectReference
	"name namespace",               // SecretReference
	"key name optional",            // ConfigMapKeySelector, SecretKeySelector
	"apiVersion fieldPath",         // ObjectFieldSelector
	"containerName divisor resource",
	"nodeSelectorTerms",
	"matchExpressions matchFields", // NodeSelectorTerm
	"apiVersion fieldPath kind name namespace resourceVersion uid", // ObjectReference
	"apiGroup kind name",   // TypedLocalObjectReference
	"apiVersion kind name", // CrossVersionObjectReference
)

// emptyDefaults are fields with the default "", by the fields beside them. The default means the same as leaving out
// the field.
var emptyDefaults = map[string]sets.Set[string]{
	"name":    sets.New("name", "key name optional", "name optional", "items name optional", "defaultMode items name optional"),
	"service": sets.New("port service"), // GRPCAction
}

// listKeys are the lists of a PodSpec and its containers that merge by keys.
var listKeys = map[string]string{
	"claims": "name", "containers": "name", "env": "name", "ephemeralContainers": "name", "hostAliases": "ip",
	"imagePullSecrets": "name", "initContainers": "name", "ports": "containerPort protocol", "resourceClaims": "name",
	"schedulingGates": "name", "topologySpreadConstraints": "topologyKey whenUnsatisfiable",
	"volumeDevices": "devicePath", "volumeMounts": "mountPath", "volumes": "name",
}

// shape names a schema by its fields.
func shape(s *v1.JSONSchemaProps) string {
	return strings.Join(slices.Sorted(maps.Keys(s.Properties)), " ")
}

// FromKubernetes reports whether a change is one that a new version of k8s.io/api makes to a type of its own, and that
// changes nothing for users: atomic selectors and references, and the default "" of their names.
func (c *Change) FromKubernetes() bool {
	switch {
	case c.Node == nil:
	case c.Field == "x-kubernetes-map-type":
		return c.New == "atomic" && atomicTypes.Has(shape(c.Node.New))
	case c.Field == "default" && c.Kind == Added && c.New == "" && c.Node.Via == "properties":
		return emptyDefaults[c.Node.Name].Has(shape(c.Node.Parent.New))
	}
	return false
}

// MergesAsInPod reports whether a change gives a list of a pod or a container the keys that Kubernetes merges it by.
func (c *Change) MergesAsInPod() bool {
	n := c.Node
	return n != nil && c.Field == "x-kubernetes-list-type" && c.Old == "atomic" && c.New == "map" && n.Via == "properties" &&
		listKeys[n.Name] == strings.Join(slices.Sorted(slices.Values(n.New.XListMapKeys)), " ")
}

// BecameCondition reports whether the node has the validation of metav1.Condition now, and had not.
func (n *Node) BecameCondition() bool { return isCondition(n.New) && !isCondition(n.Old) }

// isCondition tells metav1.Condition by its fields and their bounds.
func isCondition(s *v1.JSONSchemaProps) bool {
	for name, length := range map[string]int64{"message": 32768, "reason": 1024, "type": 316} {
		if p, ok := s.Properties[name]; !ok || p.MaxLength == nil || *p.MaxLength != length {
			return false
		}
	}
	_, time := s.Properties["lastTransitionTime"]
	return time && len(s.Properties["status"].Enum) == 3
}
