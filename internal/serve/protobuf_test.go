package serve_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"github.com/crdlift/crdlift/internal/serve"
)

// TestProtobuf writes built-in kinds as clients with Go types do, which send the options of a deletion in this form too.
func TestProtobuf(t *testing.T) {
	t.Parallel()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, corev1.AddToScheme, nodev1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	secret, deployment, class := corev1.SchemeGroupVersion.WithKind("Secret"), appsv1.SchemeGroupVersion.WithKind("Deployment"), nodev1.SchemeGroupVersion.WithKind("RuntimeClass")
	server, err := serve.New(serve.Config{Token: token, Also: []schema.GroupVersionKind{secret, deployment, class}})
	if err != nil {
		t.Fatal(err)
	}
	metadata := metav1.ObjectMeta{Name: "a"}
	for _, x := range []struct {
		method, path string
		body         runtime.Object
		kind         schema.GroupVersionKind
		code         int
	}{
		{http.MethodPost, "/api/v1/namespaces/default/secrets", &corev1.Secret{ObjectMeta: metadata}, secret, http.StatusCreated},
		{http.MethodPost, "/apis/apps/v1/namespaces/default/deployments", &appsv1.Deployment{ObjectMeta: metadata}, deployment, http.StatusCreated},
		{http.MethodPut, "/apis/apps/v1/namespaces/default/deployments/a/status", &appsv1.Deployment{ObjectMeta: metadata}, deployment, http.StatusOK},
		{http.MethodDelete, "/api/v1/namespaces/default/secrets/a", &metav1.DeleteOptions{}, corev1.SchemeGroupVersion.WithKind("DeleteOptions"), http.StatusOK},
		{http.MethodPost, "/apis/node.k8s.io/v1/runtimeclasses", &nodev1.RuntimeClass{ObjectMeta: metadata}, class, http.StatusBadRequest}, // too rare
	} {
		x.body.GetObjectKind().SetGroupVersionKind(x.kind)
		var body bytes.Buffer
		if err := protobuf.NewSerializer(scheme, scheme).Encode(x.body, &body); err != nil {
			t.Fatal(err)
		}
		req := httptest.NewRequest(x.method, x.path, &body)
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", runtime.ContentTypeProtobuf)
		w := httptest.NewRecorder()
		if server.ServeHTTP(w, req); w.Code != x.code {
			t.Errorf("%s %s: %d %s", x.method, x.path, w.Code, w.Body)
		}
	}
}
