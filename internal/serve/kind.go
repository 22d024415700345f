package serve

import (
	"fmt"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/util/jsonpath"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
)

// A kind is how the objects of one CRD are served, or those of a built-in kind as if there were a CRD that takes all of them. It does not
// change: another form of the CRD is another kind.
type kind struct {
	schema.GroupResource
	crd     *v1.CustomResourceDefinition
	judge   *request.Server
	builtIn bool
	forms   map[string]func() (*form, error) // of the versions
}

// A form is what a version of a kind has besides what its objects are judged by.
type form struct {
	table      rest.TableConvertor
	selectable map[string]*jsonpath.JSONPath // by the labels of field selectors
}

// newKind prepares what is needed of any kind. Schemas and rules of a version are prepared when it is asked for.
func newKind(hub *apiextensions.CustomResourceDefinition, convert func(to string, o request.Object) (request.Object, error)) (*kind, error) {
	judge, err := request.New(hub)
	if err != nil {
		return nil, err
	}
	judge.ConvertBy(convert)
	definition, err := crd.ToV1(hub)
	if err != nil {
		return nil, err
	}
	k := &kind{
		GroupResource: schema.GroupResource{Group: hub.Spec.Group, Resource: hub.Spec.Names.Plural},
		crd:           definition, judge: judge, forms: map[string]func() (*form, error){},
	}
	for i := range definition.Spec.Versions {
		v := &definition.Spec.Versions[i]
		k.forms[v.Name] = sync.OnceValues(func() (*form, error) { return newForm(v) })
	}
	return k, nil
}

// age is the column that the server adds to a CRD without any. See serveDefaultColumnIfEmpty of k8s.io/apiextensions-apiserver.
var age = v1.CustomResourceColumnDefinition{
	Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp", Description: metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"],
}

func newForm(v *v1.CustomResourceDefinitionVersion) (*form, error) {
	columns := v.AdditionalPrinterColumns
	if len(columns) == 0 {
		columns = []v1.CustomResourceColumnDefinition{age}
	}
	table, err := tableconvertor.New(columns)
	f := &form{table, map[string]*jsonpath.JSONPath{}}
	for _, s := range v.SelectableFields {
		path := jsonpath.New("selectableField").AllowMissingKeys(true)
		if err := path.Parse("{" + s.JSONPath + "}"); err != nil {
			return nil, err
		}
		f.selectable[s.JSONPath[1:]] = path
	}
	return f, err
}

// version is a version that is served; nil for others.
func (k *kind) version(name string) *request.Version {
	if v := k.judge.Version(name); v != nil && v.Served {
		return v
	}
	return nil
}

func (k *kind) namespaced() bool { return k.crd.Spec.Scope == v1.NamespaceScoped }

// label is a field selector's name for a field, if it can be selected by. See crConverter.ConvertFieldLabel.
func (k *kind) label(version, label, value string) (string, string, error) {
	form, err := k.forms[version]()
	if err != nil {
		return "", "", err
	}
	switch selectable := form.selectable[label]; {
	case label == "metadata.name", label == "metadata.namespace" && k.namespaced(), selectable != nil:
		return label, value, nil
	}
	return "", "", fmt.Errorf("field label not supported: %s", label)
}

// fields are those of an object that field selectors may ask for. See customResourceStrategy.selectableFields.
func (f *form) fields(k *kind, o *unstructured.Unstructured) fields.Set {
	set := fields.Set{"metadata.name": o.GetName()}
	if k.namespaced() {
		set["metadata.namespace"] = o.GetNamespace()
	}
	for name, path := range f.selectable {
		set[name] = ""
		if found, err := path.FindResults(o.Object); err == nil && len(found) > 0 && len(found[0]) > 0 {
			if value := found[0][0].Interface(); value != nil {
				set[name] = fmt.Sprint(value)
			}
		}
	}
	return set
}

// shortNames are those of built-in kinds that people type.
var shortNames = map[string][]string{
	"Namespace": {"ns"}, "ConfigMap": {"cm"}, "Service": {"svc"}, "Pod": {"po"}, "Node": {"no"}, "ServiceAccount": {"sa"}, "Event": {"ev"},
	"PersistentVolumeClaim": {"pvc"}, "Deployment": {"deploy"}, "StatefulSet": {"sts"}, "DaemonSet": {"ds"}, "ReplicaSet": {"rs"},
	"CronJob": {"cj"}, "Ingress": {"ing"}, "NetworkPolicy": {"netpol"}, "HorizontalPodAutoscaler": {"hpa"}, "PodDisruptionBudget": {"pdb"},
}

// builtIn is a kind of Kubernetes' own, as plain storage: its objects may have any fields.
func builtIn(gvk schema.GroupVersionKind, namespaced bool) (*kind, error) {
	plural, singular := meta.UnsafeGuessKindToResource(gvk)
	scope := apiextensions.ClusterScoped
	if namespaced {
		scope = apiextensions.NamespaceScoped
	}
	preserve := true
	k, err := newKind(&apiextensions.CustomResourceDefinition{Spec: apiextensions.CustomResourceDefinitionSpec{
		Group: gvk.Group, Scope: scope,
		Names: apiextensions.CustomResourceDefinitionNames{
			Plural: plural.Resource, Singular: singular.Resource, Kind: gvk.Kind, ListKind: gvk.Kind + "List", ShortNames: shortNames[gvk.Kind],
		},
		Versions: []apiextensions.CustomResourceDefinitionVersion{{
			Name: gvk.Version, Served: true, Storage: true,
			Schema:       &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &preserve}},
			Subresources: &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}},
		}},
	}}, nil)
	if k != nil {
		k.builtIn = true
	}
	return k, err
}
