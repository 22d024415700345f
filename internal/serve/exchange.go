package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternalversionscheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/request"
)

// An exchange is a request for a resource, and its answer.
type exchange struct {
	*Server
	w        http.ResponseWriter
	req      *http.Request
	info     *apirequest.RequestInfo
	kind     *kind
	version  *request.Version
	accepted negotiation.MediaTypeOptions
	warned   []string
	headed   bool // a table with headers was sent
}

// codecs read and write JSON and YAML, and what clients ask for beside objects.
var codecs = wire{metainternalversionscheme.Codecs}

// A wire offers JSON and YAML alone: of other formats, the objects of CRDs have none, and built-in kinds are read in builtin.go.
type wire struct{ serializer.CodecFactory }

func (w wire) SupportedMediaTypes() []runtime.SerializerInfo {
	return slices.DeleteFunc(slices.Clone(w.CodecFactory.SupportedMediaTypes()), func(i runtime.SerializerInfo) bool {
		return i.MediaType != runtime.ContentTypeJSON && i.MediaType != runtime.ContentTypeYAML
	})
}

// restrictions allow what answers can be transformed into. See RequestScope.AllowsMediaTypeTransform of k8s.io/apiserver.
type restrictions struct {
	negotiation.EndpointRestrictions
}

func (restrictions) AllowsMediaTypeTransform(_, _ string, target *schema.GroupVersionKind) bool {
	if target == nil {
		return true
	}
	known := target.Group == metav1.GroupName && (target.Version == "v1" || target.Version == "v1beta1")
	return known && slices.Contains([]string{"Table", "PartialObjectMetadata", "PartialObjectMetadataList"}, target.Kind)
}

func (restrictions) AllowsStreamSchema(schema string) bool { return schema == "watch" }

// resource answers a request for objects. See crdHandler.ServeHTTP of k8s.io/apiextensions-apiserver.
func (x *exchange) resource() (err error) {
	if warning := x.version.Deprecation(); warning != "" {
		x.warn(warning)
	}
	handle := map[string]func() error{"get": x.get, "update": x.update, "patch": x.patch}
	switch sub := x.info.Subresource; {
	case sub == "":
		maps.Copy(handle, map[string]func() error{"list": x.list, "watch": x.watch, "create": x.create, "delete": x.delete, "deletecollection": x.deleteCollection})
	case sub == "status" && x.version.HasStatus(), sub == "scale" && x.version.HasScale():
	default:
		return x.notFound()
	}
	verb := x.info.Verb
	if handle[verb] == nil {
		return apierrors.NewMethodNotSupported(x.kind.GroupResource, verb)
	}
	if verb == "patch" {
		if _, err := x.patchType(); err != nil {
			return err
		}
	}
	if x.info.Name == "" && (verb == "update" || verb == "patch") {
		return apierrors.NewBadRequest("name must be provided") // see ContextBasedNaming of k8s.io/apiserver
	}
	if x.accepted, _, err = negotiation.NegotiateOutputMediaType(x.req, codecs, restrictions{negotiation.DefaultEndpointRestrictions}); err != nil {
		return err
	}
	return handle[verb]()
}

// place is where the object of the request is.
func (x *exchange) place() place { return place{x.kind.GroupResource, x.info.Namespace, x.info.Name} }

// notFound is the answer where there is no such object.
func (x *exchange) notFound() error { return apierrors.NewNotFound(x.kind.GroupResource, x.info.Name) }

// options reads the options of a request from its query, and validates them.
func (x *exchange) options(into runtime.Object, validate func() field.ErrorList) error {
	if err := metainternalversionscheme.ParameterCodec.DecodeParameters(x.req.URL.Query(), metav1.SchemeGroupVersion, into); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return invalid(into, validate())
}

// invalid is the answer to options with errors; nil where there are none.
func invalid(options runtime.Object, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: reflect.TypeOf(options).Elem().Name()}, "", errs)
}

// warn adds a warning to the answer, once, and no more than clients take. See WithWarningRecorder of k8s.io/apiserver, which shortens all
// of many warnings.
func (x *exchange) warn(texts ...string) {
	for _, text := range texts {
		if slices.Contains(x.warned, text) || len(strings.Join(append(x.warned, text), "")) > maxWarnings {
			continue
		}
		x.warned = append(x.warned, text)
		if header, err := utilnet.NewWarningHeader(299, "-", text); err == nil {
			x.w.Header().Add("Warning", header)
		}
	}
}

// body reads what a request carries.
func (x *exchange) body() ([]byte, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(x.w, x.req.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBody))
	case err != nil:
		return nil, apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	}
	return raw, nil
}

// answer writes an object or a list.
func (x *exchange) answer(code int, o runtime.Object) error {
	shown, err := x.shown(o)
	if err != nil {
		return err
	}
	x.write(code, shown)
	return nil
}

// write writes anything in the format that the client accepts.
func (x *exchange) write(code int, value any) {
	raw, err := json.Marshal(value)
	if info := x.accepted.Accepted; err == nil && info.MediaType == runtime.ContentTypeYAML {
		raw, err = yaml.JSONToYAML(raw)
		x.w.Header().Set("Content-Type", runtime.ContentTypeYAML)
	} else {
		x.w.Header().Set("Content-Type", runtime.ContentTypeJSON)
	}
	if err != nil {
		code, raw = http.StatusInternalServerError, []byte(err.Error())
	}
	x.w.WriteHeader(code)
	_, _ = x.w.Write(raw) // a client that has gone does not miss it
}

// fail answers with an error.
func (x *exchange) fail(err error) {
	var known apierrors.APIStatus
	if !errors.As(err, &known) {
		known = request.Broken(err.Error())
	}
	if x.accepted.Accepted.MediaType == "" { // it failed before: JSON, unless the client accepts YAML alone
		x.accepted, _, _ = negotiation.NegotiateOutputMediaType(x.req, codecs, negotiation.DefaultEndpointRestrictions)
	}
	status := known.Status()
	status.Kind, status.APIVersion = "Status", "v1"
	if seconds := status.Details; seconds != nil && seconds.RetryAfterSeconds > 0 {
		x.w.Header().Set("Retry-After", fmt.Sprint(seconds.RetryAfterSeconds))
	}
	x.write(int(status.Code), status)
}

// served is an item as a read at the version of the request shows it.
func (x *exchange) served(i item) (request.Object, error) { return serveItem(x.version, i) }

func serveItem(v *request.Version, i item) (request.Object, error) {
	o, err := decodeStored(i.raw)
	if err != nil {
		return nil, err
	}
	if o, err = v.Serve(o); err != nil {
		return nil, err
	}
	setRevision(o, i.revision)
	return o, nil
}
