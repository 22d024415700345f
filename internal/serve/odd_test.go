package serve

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// Requests that nobody would write are answered, and none makes the server panic.
func TestOddRequests(t *testing.T) {
	t.Parallel()
	s, err := New(Config{Token: secret})
	if err != nil {
		t.Fatal(err)
	}
	crds := strings.Replace(kites, "    schema:\n", "    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}\n    schema:\n", 1)
	define(t, s, crds)
	dice := rand.New(rand.NewPCG(42, 42))
	one := func(of []string) string { return of[dice.IntN(len(of))] }
	steps := []string{"apis", "api", "v1", "example.org", "namespaces", "default", "kites", "one", "status", "scale", "watch", "proxy", "", ".", "..", "\x00", "é", "%2f", "openapi", "v3", "v2",
		"version", "crdlift", "objects", "apiextensions.k8s.io", "customresourcedefinitions", "kites.example.org", strings.Repeat("a", 300)}
	starts := []string{"", "/apis/example.org/v1", kitesPath, kitesPath + "/one", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "/api/v1/namespaces", "/openapi/v3"}
	keys := []string{"limit", "continue", "resourceVersion", "resourceVersionMatch", "labelSelector", "fieldSelector", "watch", "timeoutSeconds", "sendInitialEvents", "allowWatchBookmarks",
		"dryRun", "fieldManager", "fieldValidation", "force", "includeObject", "propagationPolicy", "gracePeriodSeconds", "pretty"}
	values := []string{"", "1", "0", "-1", "true", "x", "All", "Exact", "NotOlderThan", "a=b", "a in (b)", "metadata.name=one", "Strict", "Orphan", "\x00", "9223372036854775807", "None", "Object"}
	types := []string{"application/json", "application/yaml", "application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml",
		"application/strategic-merge-patch+json", "application/vnd.kubernetes.protobuf", "", ";", "text/plain"}
	accepts := append([]string{"application/json;as=Table;v=v1;g=meta.k8s.io", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
		"application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io", "*/*"}, types...)
	bodies := []string{"", "{}", "[]", "null", "1", `"x"`, "{", kite("one", 1, "x"), kite("", 1, "x"), `[{"op": "remove", "path": "/metadata"}]`, `[{"op": "add", "path": "", "value": null}]`,
		`[{"op": "add", "path": "/metadata/managedFields", "value": [null]}]`, `{"metadata": null}`, `{"metadata": []}`, `{"metadata": {"managedFields": [1]}}`, `{"spec": null}`, `{"kind": 1}`, `[null]`,
		`{"apiVersion": "example.org/v1", "kind": "Kite", "metadata": {"name": "one", "finalizers": ["a/b"], "ownerReferences": [null]}}`,
		`{"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "one"}, "spec": []}`, `{"apiVersion": "example.org/v1", "kind": "Kite", "metadata": null, "items": 1}`,
		`{"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"uid": "x"}}`, strings.TrimSpace(kites), `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "one"}}`}
	for range 20_000 {
		path := one(starts)
		for range dice.IntN(4) {
			path += "/" + one(steps)
		}
		query := url.Values{"timeoutSeconds": {"1"}}
		for range dice.IntN(3) {
			query.Add(one(keys), one(values))
		}
		if query.Get("watch") != "" || strings.Contains(path, "/watch") {
			continue // which takes its time
		}
		req := httptest.NewRequest(one([]string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}), "/", strings.NewReader(one(bodies)))
		req.URL = &url.URL{Path: path, RawQuery: query.Encode()}
		req.Header = http.Header{"Authorization": {"Bearer " + secret}, "Content-Type": {one(types)}, "Accept": {one(accepts)}, "User-Agent": {one(values)}}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		if said := w.Body.String(); strings.Contains(said, "panic") || w.Code < 200 {
			t.Errorf("%s %s is answered %d %s", req.Method, req.URL, w.Code, said)
		}
		if dice.IntN(500) == 0 {
			define(t, s, crds) // as a client may have deleted it
		}
	}
}
