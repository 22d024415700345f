package serve

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
)

// A write is what a request says of how it writes.
type write struct {
	manager   string
	dry       bool
	directive string // of fields that nobody declares
}

// by are the options of the judge for it.
func (w write) by() []request.Option {
	return []request.Option{request.WithTexts(), request.ManagedBy(w.manager), request.Now()}
}

func (x *exchange) writes(dryRun []string, manager, directive string) write {
	if manager == "" {
		manager = managerOf(x.req.UserAgent())
	}
	if directive == "" {
		directive = metav1.FieldValidationWarn
	}
	if x.kind.builtIn && x.kind.GroupResource != namespaces { // of which every test makes some
		x.warn(fmt.Sprintf("crdlift serve stores %s as it is, without the validation and the defaults of a cluster", x.kind.crd.Spec.Names.Kind))
	}
	return write{manager, len(dryRun) > 0, directive}
}

// sent reads the object that a request has in its body. See createHandler and transformDecodeError of k8s.io/apiserver.
func (x *exchange) sent(w write) (request.Object, error) {
	raw, err := x.body()
	if err == nil && x.kind.builtIn {
		raw, err = fromProtobuf(x.req, raw)
	}
	if err != nil {
		return nil, err
	}
	info, err := x.format()
	if err != nil {
		return nil, err
	}
	kind := x.version.GroupVersionKind()
	o, strict, found, err := x.decode(raw, info, w, kind)
	switch {
	case err != nil && found != nil && found.Kind != "":
		err = apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", found.Kind, found.Version, kind.Kind, err))
	case err != nil:
		err = apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)", kind.Kind, err, summary(raw)))
	default:
		err = x.judgeStrict(strict, w, *found, apierrors.NewBadRequest)
	}
	if err == nil && found.GroupVersion() != kind.GroupVersion() {
		err = apierrors.NewBadRequest(fmt.Sprintf("the API version in the data (%s) does not match the expected API version (%s)", found.GroupVersion(), kind.GroupVersion()))
	}
	return o, err
}

// format is the one that the body of a request has.
func (x *exchange) format() (runtime.SerializerInfo, error) {
	return negotiation.NegotiateInputSerializer(x.req, false, codecs)
}

// decode reads an object, finds what only a strict reader minds, and what the object says that it is.
func (x *exchange) decode(raw []byte, info runtime.SerializerInfo, w write, kind schema.GroupVersionKind) (o request.Object, strict []error, found *schema.GroupVersionKind, err error) {
	decoder := info.Serializer
	if w.directive != metav1.FieldValidationIgnore {
		decoder = info.StrictSerializer
	}
	into := &unstructured.Unstructured{}
	_, found, err = decoder.Decode(raw, &kind, into)
	if all, is := runtime.AsStrictDecodingError(err); is {
		strict, err = all.Errors(), nil
	}
	switch {
	case err != nil:
	case x.kind.GroupResource == definitions:
		raw, _ := into.MarshalJSON() // as it was read
		if decoded, err := crd.DecodeJSON(raw, crd.V1); err == nil {
			strict = append(strict, decoded.Strict...)
		}
	case kind == x.version.GroupVersionKind():
		read := x.version.Read(into.Object, request.WithTexts())
		if len(read.Causes) > 0 {
			err = x.version.Undecodable(into.Object)
		}
		for _, at := range read.Undeclared() {
			strict = append(strict, fmt.Errorf("unknown field %q", fieldName(at)))
		}
	}
	return into.Object, strict, found, err
}

// judgeStrict rejects or tells what only a strict reader minds in an object of a kind.
func (x *exchange) judgeStrict(errs []error, w write, kind schema.GroupVersionKind, refuse func(string) *apierrors.StatusError) error {
	switch {
	case len(errs) == 0 || w.directive == metav1.FieldValidationIgnore:
	case w.directive == metav1.FieldValidationStrict:
		return refuse(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", kind.Kind, kind.Version, kind.Kind, runtime.NewStrictDecodingError(errs)))
	default:
		for _, err := range errs {
			x.warnStrictly(err)
		}
	}
	return nil
}

// warnStrictly tells an error of a strict reader; that of YAML has several. See parseYAMLWarnings of k8s.io/apiserver.
func (x *exchange) warnStrictly(err error) {
	_, several, is := strings.Cut(err.Error(), "yaml: unmarshal errors:\n")
	if !is {
		x.warn(err.Error())
		return
	}
	for line := range strings.SplitSeq(several, "\n") {
		x.warn(strings.TrimSpace(line))
	}
}

// summary is summarizeData of k8s.io/apiserver.
func summary(raw []byte) string {
	const most = 30
	more := ""
	if len(raw) > most {
		raw, more = raw[:most], " ..."
	}
	switch {
	case len(raw) == 0:
		return "<empty>"
	case raw[0] == '{':
		return string(raw) + more
	}
	return hex.EncodeToString(raw) + more
}

// fieldName is upstream's name of a path: keys joined with dots.
func fieldName(at request.Path) (name string) {
	for _, step := range at {
		switch {
		case step.IsIndex():
			name += fmt.Sprintf("[%d]", step.Index)
		case name == "":
			name = step.Key
		default:
			name += "." + step.Key
		}
	}
	return name
}

// checkPlace rejects an object that says it is elsewhere than the request, and gives it the namespace that it lacks. Named says that the
// request has a name. See checkName of k8s.io/apiserver.
func (x *exchange) checkPlace(o request.Object, named bool) error {
	metadata := &unstructured.Unstructured{Object: o}
	if err := checkNamespace(metadata, x.info.Namespace); err != nil || !named {
		return err
	}
	switch name := metadata.GetName(); name {
	case x.info.Name:
		return nil
	case "":
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: %v", x.info.Name, errors.New("name must be provided")))
	default:
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", name, x.info.Name))
	}
}

// checkNamespace is rest.EnsureObjectNamespaceMatchesRequestNamespace for an object whose metadata may be anything.
func checkNamespace(o *unstructured.Unstructured, namespace string) error {
	if _, is := o.Object["metadata"].(map[string]any); !is {
		return nil // which the judge rejects
	}
	return rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, o)
}
