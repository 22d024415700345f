package serve

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/request"
)

var namespaces = schema.GroupResource{Resource: "namespaces"}

// addBuiltIn serves the built-in kinds that were asked for, and namespaces, which every client may ask for.
func (s *Server) addBuiltIn() error {
	for _, gvk := range append([]schema.GroupVersionKind{corev1.SchemeGroupVersion.WithKind("Namespace")}, s.config.Also...) {
		namespaced, known := openapi.IsNamespaceScoped(yaml.TypeMeta{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind})
		if !known {
			return fmt.Errorf("%s/%s is not a built-in kind of Kubernetes; write GROUP/VERSION/KIND, such as v1/ConfigMap or apps/v1/Deployment", gvk.GroupVersion(), gvk.Kind)
		}
		k, err := builtIn(gvk, namespaced)
		if err != nil {
			return err
		}
		s.setKind(k)
	}
	k, err := builtIn(definitionKind, false)
	if err != nil {
		return err
	}
	k.builtIn = false // as it is judged
	k.crd.Spec.Names.ShortNames, k.crd.Spec.Names.Categories = []string{"crd", "crds"}, []string{"api-extensions"}
	s.setKind(k)
	return s.addNamespace(metav1.NamespaceDefault)
}

// addNamespace has a namespace be there, if it is not yet.
func (s *Server) addNamespace(name string) error {
	at := place{resource: namespaces, name: name}
	if found, _ := s.store.get(at); found.is() {
		return nil
	}
	_, err := s.store.write(at, func(there item) ([]byte, error) {
		if there.is() {
			return there.raw, nil
		}
		o := request.Object{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}
		beginNamespace(o)
		begin(o)
		return json.Marshal(o)
	})
	return err
}

// beginNamespace gives a new namespace what selectors of namespaces look for. See SetDefaults_Namespace and namespaceStrategy of k8s.io/kubernetes.
func beginNamespace(o request.Object) {
	name, _ := request.Keys("metadata", "name").In(o)
	request.Keys("metadata", "labels", corev1.LabelMetadataName).Set(o, name)
	request.Keys("status", "phase").Set(o, string(corev1.NamespaceActive))
}

// typed are the groups of built-in kinds that controllers write, and so clients send as protocol buffers. Each of the others would make
// the program larger.
var typed = sync.OnceValue(func() runtime.Decoder {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme, coordinationv1.AddToScheme,
		discoveryv1.AddToScheme, eventsv1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme, rbacv1.AddToScheme,
	} {
		utilruntime.Must(add(scheme))
	}
	return protobuf.NewSerializer(scheme, scheme)
})

// fromProtobuf makes JSON of a body that is a protocol buffer. Clients with Go types send built-in kinds so, and never custom resources.
func fromProtobuf(req *http.Request, raw []byte) ([]byte, error) {
	if named, _, _ := mime.ParseMediaType(req.Header.Get("Content-Type")); named != runtime.ContentTypeProtobuf {
		return raw, nil
	}
	o, gvk, err := typed().Decode(raw, nil, nil)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error() + ": crdlift serve reads this kind as JSON only")
	}
	req.Header.Set("Content-Type", runtime.ContentTypeJSON)
	o.GetObjectKind().SetGroupVersionKind(*gvk)
	return json.Marshal(o)
}
