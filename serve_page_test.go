package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/serve"
)

// A trial is a request, and what its answer says, in its body or in a warning. The body may be that of a file.
type trial struct {
	method, path, body string
	code               int
	says, header       string // the header is one of the request
}

const (
	secret      = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"data":{"a":1}}`
	shelves     = "/apis/shop.example.com/v1/namespaces/nowhere/shelves"
	crds        = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	shelvesFile = "examples/test/crd/shelves.yaml"
)

// shelfOf is a shelf with more in its metadata.
func shelfOf(name, metadata string) string {
	return `{"apiVersion":"shop.example.com/v1","kind":"Shelf","metadata":{"name":"` + name + `"` + metadata + `},"spec":{"min":1}}`
}

// absent are the requests that the rows of docs/guides/serve.md are tried with, all to a new server.
var absent = map[string][]trial{
	"admission webhooks and policies": {
		{"POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", "{}", 404, "not validatingwebhookconfigurations", ""},
		{"POST", "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies", "{}", 404, "not mutatingadmissionpolicies", ""},
	},
	"users and RBAC": {
		{"GET", shelves, "", 200, `"items":[]`, "Impersonate-User: nobody"},
		{"POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "{}", 404, "", ""},
		{"POST", "/apis/authentication.k8s.io/v1/tokenreviews", "{}", 404, "", ""},
	},
	"garbage collection": {
		{"POST", shelves, shelfOf("owner", ""), 201, "", ""},
		{"POST", shelves, shelfOf("owned", `,"ownerReferences":[{"apiVersion":"shop.example.com/v1","kind":"Shelf","name":"owner","uid":"1"}]`), 201, "", ""},
		{"DELETE", shelves + "/owner?propagationPolicy=Foreground", "", 200, "no garbage collector: propagationPolicy Foreground is ignored", ""},
		{"GET", shelves + "/owner", "", 404, "", ""},
		{"GET", shelves + "/owned", "", 200, "", ""},
	},
	"built-in kinds": {
		{"GET", "/api/v1/pods", "", 404, "--also GROUP/VERSION/KIND", ""},
		{"GET", "/api/v1/secrets", "", 200, "", ""},
	},
	"validation and defaults of built-in kinds": {
		{"POST", "/api/v1/namespaces/nowhere/secrets", secret, 201, "stores Secret as it is, without the validation and the defaults of a cluster", ""},
		{"GET", "/api/v1/namespaces/nowhere/secrets/a", "", 200, `"data":{"a":1},"kind":"Secret"`, ""},
	},
	"strategic merge patches of built-in kinds": {
		{"POST", "/api/v1/namespaces/nowhere/secrets", strings.Replace(secret, `"name"`, `"finalizers":["example.com/a"],"name"`, 1), 201, "", ""},
		{"PATCH", "/api/v1/namespaces/nowhere/secrets/a", `{"metadata":{"finalizers":["example.com/b"]}}`, 200, "it replaces lists as a whole", "Content-Type: application/strategic-merge-patch+json"},
		{"GET", "/api/v1/namespaces/nowhere/secrets/a", "", 200, `"finalizers":["example.com/b"]`, ""},
	},
	"controllers of built-in kinds": {
		{"POST", "/apis/apps/v1/namespaces/nowhere/deployments", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"replicas":3}}`, 201, "", ""},
		{"GET", "/apis/apps/v1/namespaces/nowhere/replicasets", "", 200, `"items":[]`, ""},
	},
	"namespaces as a boundary": {
		{"GET", "/api/v1/namespaces/nowhere", "", 404, "", ""},
		{"POST", shelves, shelfOf("a", ""), 201, "", ""},
		{"GET", "/api/v1/namespaces/nowhere", "", 200, "", ""},
		{"DELETE", "/api/v1/namespaces/nowhere", "", 200, "", ""},
		{"GET", shelves + "/a", "", 200, "", ""},
	},
	"conflicts between the names of CRDs": {
		{"POST", crds, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"racks.shop.example.com"},
"spec":{"group":"shop.example.com","scope":"Namespaced","names":{"kind":"Shelf","plural":"racks"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`, 201, "", ""},
		{"GET", "/apis/shop.example.com/v1/racks", "", 200, `"kind":"ShelfList"`, ""},
		{"GET", "/apis/shop.example.com/v1/shelves", "", 200, `"kind":"ShelfList"`, ""},
	},
	"the time that a cluster takes": {
		{"POST", shelves, shelfOf("a", `,"finalizers":["example.com/a"]`), 201, "", ""},
		{"DELETE", crds + "/shelves.shop.example.com", "", 200, "", ""},
		{"GET", crds + "/shelves.shop.example.com", "", 404, "", ""},
		{"GET", shelves + "/a", "", 404, "", ""},
		{"POST", crds, shelvesFile, 201, `"type":"Established"`, "Content-Type: application/yaml"},
		{"GET", shelves, "", 200, `"items":[]`, ""},
	},
	"protocol buffers in responses": {
		{"GET", "/api/v1/secrets", "", 406, "only the following media types are accepted: application/json, application/yaml", "Accept: application/vnd.kubernetes.protobuf"},
		{"GET", "/api/v1/secrets", "", 200, `"kind":"SecretList"`, "Accept: application/vnd.kubernetes.protobuf,application/json"},
	},
	"other releases": {{"GET", "/version", "", 200, `"minor":"37"`, ""}},
	"metrics, logs and audit": {
		{"GET", "/metrics", "", 404, "", ""},
		{"GET", "/logs", "", 404, "", ""},
	},
}

// TestServePage tries each row of what is not there, in docs/guides/serve.md.
func TestServePage(t *testing.T) {
	t.Parallel()
	rows := rowsOf(read(t, filepath.Join("docs", "guides", "serve.md")), "| what | here |")
	if len(rows) != len(absent) {
		t.Errorf("the page has %d rows, and %d are tried", len(rows), len(absent))
	}
	for _, row := range rows {
		t.Run(row[0], func(t *testing.T) {
			t.Parallel()
			if absent[row[0]] == nil {
				t.Fatal("nothing tries it")
			}
			server := shelfServer(t)
			for _, x := range absent[row[0]] {
				x.on(t, server)
			}
		})
	}
}

func shelfServer(t *testing.T) *serve.Server {
	t.Helper()
	server, err := serve.New(serve.Config{Token: "secret", Also: []schema.GroupVersionKind{
		{Version: "v1", Kind: "Secret"}, {Group: "apps", Version: "v1", Kind: "Deployment"}, {Group: "apps", Version: "v1", Kind: "ReplicaSet"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := crd.Parse([]byte(read(t, filepath.FromSlash(shelvesFile))))[0].Decode()
	if err == nil {
		err = server.Define(decoded.Hub)
	}
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func (x trial) on(t *testing.T, server http.Handler) {
	t.Helper()
	if strings.HasSuffix(x.body, ".yaml") {
		x.body = read(t, filepath.FromSlash(x.body))
	}
	r := httptest.NewRequest(x.method, x.path, strings.NewReader(x.body))
	r.Header.Set("Authorization", "Bearer secret")
	r.Header.Set("Content-Type", "application/json")
	if name, value, is := strings.Cut(x.header, ": "); is {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	if said := strings.Join(w.Header()["Warning"], "\n") + w.Body.String(); w.Code != x.code || !strings.Contains(said, x.says) {
		t.Errorf("%s %s: %d %.500s", x.method, x.path, w.Code, said)
	}
}
