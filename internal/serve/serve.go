// Package serve is an API server for custom resources, in memory: it speaks HTTP and keeps objects. What becomes of an object is decided by
// internal/request, as in every other command; what is repeated here of k8s.io/apiserver v0.37.2, pkg/endpoints and pkg/registry/generic,
// is the order of steps around that, as these packages link etcd's client.
//
// Read serve.go first: what comes in and what goes out. exchange.go has what requests have in common; read.go, write.go, patch.go and
// delete.go the operations, watch.go the streams, store.go what is kept. kind.go has what is prepared for a CRD, definition.go the CRDs
// themselves as objects, builtin.go the built-in kinds. discovery.go and openapi.go say what there is.
package serve

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"

	"github.com/crdlift/crdlift/internal/request"
)

// A Config says what is served.
type Config struct {
	Token string                    // that every request has to have
	Also  []schema.GroupVersionKind // built-in kinds, as plain storage
	// Converter makes what converts the objects of a CRD with a webhook between versions; to is an apiVersion.
	Converter func(hub *apiextensions.CustomResourceDefinition) (func(to string, o request.Object) (request.Object, error), error)
	Log       func(method, path string, code int, took time.Duration) // nil for none
}

// A Server serves kinds of objects and keeps these. It may be used by several goroutines.
type Server struct {
	config            Config
	paths             apirequest.RequestInfoFactory
	store             *store
	limits            limits
	requests, streams atomic.Int64 // that go on

	lock     sync.RWMutex
	kinds    map[schema.GroupResource]*kind
	defining sync.Mutex // CRDs change one after another
}

// New makes a server that has no CRDs yet. The error is that a built-in kind cannot be served.
func New(config Config) (*Server, error) {
	s := &Server{
		config: config, store: newStore(usual.stored), limits: usual,
		paths: apirequest.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")},
		kinds: map[schema.GroupResource]*kind{},
	}
	return s, s.addBuiltIn()
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	begun := time.Now()
	counted := &counter{ResponseWriter: w, code: http.StatusOK}
	s.serve(counted, req)
	if s.config.Log != nil {
		s.config.Log(req.Method, req.URL.RequestURI(), counted.code, time.Since(begun))
	}
}

// A counter remembers the status of an answer.
type counter struct {
	http.ResponseWriter
	code int
}

func (c *counter) WriteHeader(code int) {
	c.code = code
	c.ResponseWriter.WriteHeader(code)
}

// Unwrap is for http.ResponseController.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (s *Server) serve(w http.ResponseWriter, req *http.Request) {
	switch req.URL.Path {
	case "/healthz", "/readyz", "/livez":
		fmt.Fprint(w, "ok")
		return
	}
	x := &exchange{Server: s, w: w, req: req}
	defer func() {
		// upstream's code may panic for what nobody has tried
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			x.fail(request.Broken(fmt.Sprintf("crdlift serve panics (%T): please report the request and the CRD", p)))
		} else if p != nil {
			panic(p)
		}
	}()
	if !s.knows(req) {
		x.fail(apierrors.NewUnauthorized("Unauthorized: send the token of the kubeconfig that crdlift serve has made"))
		return
	}
	info, err := s.paths.NewRequestInfo(req)
	if err != nil {
		x.fail(apierrors.NewBadRequest(err.Error()))
		return
	}
	x.info = info
	if err := s.admit(x); err != nil {
		x.fail(err)
	}
}

// knows reports whether a request has the token.
func (s *Server) knows(req *http.Request) bool {
	token, is := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer ")
	return is && token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(s.config.Token)) == 1
}

// admit answers a request once there is room for it.
func (s *Server) admit(x *exchange) error {
	end, err := s.begin(x)
	if err != nil {
		return err
	}
	defer end()
	if !x.info.IsResourceRequest {
		return x.about()
	}
	at := schema.GroupResource{Group: x.info.APIGroup, Resource: x.info.Resource}
	if x.kind = s.kindOf(at); x.kind != nil {
		x.version = x.kind.version(x.info.APIVersion)
	}
	if x.version == nil {
		return s.missing(x)
	}
	if x.kind.GroupResource == namespaces {
		x.info.Namespace = "" // which is its name
	}
	across := x.info.Verb == "list" || x.info.Verb == "watch" // see possiblyAcrossAllNamespacesVerbs of k8s.io/apiextensions-apiserver
	if in := x.info.Namespace != ""; in != x.kind.namespaced() && (in || !across) {
		return errNoPath
	}
	return x.resource()
}

// errNoPath is what servers answer where nothing is.
var errNoPath = &apierrors.StatusError{ErrStatus: metav1.Status{
	Status: metav1.StatusFailure, Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound, Message: "the server could not find the requested resource",
	Details: &metav1.StatusDetails{},
}}

// missing is the answer for a resource that is not served. Clients tell by the code that it is not there; people read the words.
func (s *Server) missing(x *exchange) error {
	said := *errNoPath
	if group := x.info.APIGroup; !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io") {
		said.ErrStatus.Message += fmt.Sprintf(": crdlift serve has only custom resources of its CRDs, not %s; "+
			"--also GROUP/VERSION/KIND, such as v1/ConfigMap, stores a built-in kind without validation; envtest and clusters have all kinds", x.info.Resource)
	}
	return &said
}

func (s *Server) kindOf(at schema.GroupResource) *kind {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return s.kinds[at]
}

// allKinds are the kinds that are served, in no order.
func (s *Server) allKinds() (all []*kind) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	for _, k := range s.kinds {
		all = append(all, k)
	}
	return all
}

// Reset removes all objects but CRDs, whatever finalizers they have.
func (s *Server) Reset() error {
	s.store.clear(func(r schema.GroupResource) bool { return r == definitions })
	return s.addNamespace(metav1.NamespaceDefault)
}
