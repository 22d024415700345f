// Command v121 judges CustomResourceDefinitions as the last API server that served apiextensions.k8s.io/v1beta1 did: it
// links k8s.io/apiextensions-apiserver v0.21.14 and runs what that server runs on create. It answers for v1 documents
// too, as that old server would.
//
// It is a module and a process of its own because one Go program cannot link two versions of a module. Package
// internal/testing/v121 of the main module is its client.
//
// The program reads manifests from standard input, one JSON value per line, and writes one answer per line in the same
// order until the input ends. It does not know admission plugins, server-side field tracking (managedFields are taken
// as they are written) or what already exists in a cluster.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// An answer is the server's verdict. At most one of DecodeError, Panic and Errors says why the manifest was not
// accepted.
type answer struct {
	Accepted    bool         `json:"accepted"`
	DecodeError string       `json:"decodeError,omitempty"`
	Panic       string       `json:"panic,omitempty"`
	Errors      []fieldError `json:"errors"`
	// V1 is upstream's conversion of Defaulted to v1, accepted or not. It is absent when the manifest did not decode.
	V1 json.RawMessage `json:"v1,omitempty"`
	// Defaulted is the decoded manifest with the defaults of its own version.
	Defaulted json.RawMessage `json:"defaulted,omitempty"`
}

// A fieldError is one field.Error.
type fieldError struct {
	// Type is the constant's text: FieldValueInvalid, FieldValueRequired, ...
	Type string `json:"type"`
	// Field is a path of the internal type, which has v1beta1's shape.
	Field  string `json:"field"`
	Detail string `json:"detail"`
	// BadValue is absent where the error's text does not show it.
	BadValue json.RawMessage `json:"badValue,omitempty"`
}

// scheme and decoder are the server's: the two served versions, the internal one, their defaults and conversions, and
// its JSON serializer, which ignores unknown fields and tells upper from lower case in keys.
var (
	scheme  = newScheme()
	decoder = serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{})
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	install.Install(s)
	return s
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("v121: ")
	if err := serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func serve(in io.Reader, out io.Writer) error {
	manifests := json.NewDecoder(in)
	buffered := bufio.NewWriter(out)
	answers := json.NewEncoder(buffered)
	answers.SetEscapeHTML(false)
	for {
		var manifest json.RawMessage // as written: duplicate keys and the case of keys are for the server's own decoder to judge
		switch err := manifests.Decode(&manifest); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading a manifest: %w", err)
		}
		if err := answers.Encode(judge(manifest)); err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
		// The client waits for this answer before it sends the next manifest.
		if err := buffered.Flush(); err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
	}
}

// judge does what the server does with a POST of the manifest to the endpoint of the manifest's own apiVersion, up to
// the point of storing it.
func judge(manifest json.RawMessage) (ans answer) {
	ans.Errors = []fieldError{}
	// Upstream panics on some schemas; the server answers 500 and goes on.
	defer func() {
		if p := recover(); p != nil {
			ans.Accepted = false
			ans.Panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()

	versioned, gvk, err := decoder.Decode(manifest, nil, nil)
	if err != nil {
		ans.DecodeError = err.Error()
		return ans
	}
	switch versioned.(type) {
	case *v1beta1.CustomResourceDefinition, *v1.CustomResourceDefinition:
	default:
		ans.DecodeError = fmt.Sprintf("%v is not a CustomResourceDefinition of a served version", gvk)
		return ans
	}

	scheme.Default(versioned)
	ans.Defaulted = encode(versioned)

	// Conversions may share memory with their input, and preparing the object for creation resets its status; so each
	// reader gets its own copy.
	ans.V1 = encode(convert(convert(versioned.DeepCopyObject(), apiextensions.SchemeGroupVersion), v1.SchemeGroupVersion))
	internal := convert(versioned, apiextensions.SchemeGroupVersion)

	for _, e := range create(internal, gvk.GroupVersion()) {
		ans.Errors = append(ans.Errors, report(e))
	}
	ans.Accepted = len(ans.Errors) == 0
	return ans
}

// create runs the server's own preparation and validation of a new object and returns the errors of the validation. The
// request's version gv decides how strict it is.
func create(obj runtime.Object, gv schema.GroupVersion) field.ErrorList {
	ctx := genericrequest.WithRequestInfo(context.Background(), &genericrequest.RequestInfo{
		APIGroup:   gv.Group,
		APIVersion: gv.Version,
	})
	s := &strategy{RESTCreateStrategy: customresourcedefinition.NewStrategy(scheme)}
	err := rest.BeforeCreate(s, ctx, obj)
	if err != nil && len(s.errs) == 0 {
		// What BeforeCreate checks beyond the strategy is implied by it.
		panic(fmt.Sprintf("rejected by something other than the strategy: %v", err))
	}
	return s.errs
}

// A strategy is the server's create strategy. It keeps the validation errors, which rest.BeforeCreate turns into an
// HTTP status without their bad values.
type strategy struct {
	rest.RESTCreateStrategy
	errs field.ErrorList
}

func (s *strategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	s.errs = s.RESTCreateStrategy.Validate(ctx, obj)
	return s.errs
}

// GenerateName leaves the name empty, where the server would append a random suffix. Either name is rejected, as neither
// is <plural>.<group>, and this one is rejected in the same words each time.
func (*strategy) GenerateName(string) string { return "" }

func convert(obj runtime.Object, gv schema.GroupVersion) runtime.Object {
	out, err := scheme.ConvertToVersion(obj, gv)
	if err != nil {
		panic(err)
	}
	return out
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func report(e *field.Error) fieldError {
	f := fieldError{Type: string(e.Type), Field: e.Field, Detail: e.Detail}
	switch e.Type {
	case field.ErrorTypeRequired, field.ErrorTypeForbidden, field.ErrorTypeTooLong, field.ErrorTypeInternal:
		// These are the types whose text leaves the value out.
	default:
		f.BadValue = badValue(e.BadValue)
	}
	return f
}

// badValue is v as JSON, or as a JSON string of its Go form where v has no JSON form: upstream reports some internal
// types and floating point infinities.
func badValue(v any) json.RawMessage {
	if b, err := json.Marshal(v); err == nil {
		return b
	}
	return encode(fmt.Sprintf("%#v", v))
}
