package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/request"
)

// maxOperations is how many operations a JSON patch may have, as on a server.
const maxOperations = 10_000

// The operation "copy" makes objects larger than requests are: as on a server, by JSONPatchMaxCopyBytes at most.
func init() { jsonpatch.AccumulatedCopySizeLimit = 3 << 20 }

// patchTypes are those that servers know for custom resources.
var patchTypes = []string{string(types.JSONPatchType), string(types.MergePatchType), string(types.ApplyYAMLPatchType)}

// patchType is the kind of patch that a request has.
func (x *exchange) patchType() (types.PatchType, error) {
	named, _, _ := mime.ParseMediaType(x.req.Header.Get("Content-Type"))
	kind := types.PatchType(named)
	switch {
	case kind == types.StrategicMergePatchType && (x.kind.builtIn || x.kind.GroupResource == definitions):
		x.warn("crdlift serve merges a strategic merge patch as a merge patch: it replaces lists as a whole")
		return types.MergePatchType, nil
	case kind != types.JSONPatchType && kind != types.MergePatchType && kind != types.ApplyYAMLPatchType:
		return "", negotiation.NewUnsupportedMediaTypeError(patchTypes)
	}
	return kind, nil
}

func (x *exchange) patch() error {
	kind, err := x.patchType()
	if err != nil {
		return err
	}
	raw, err := x.body()
	if err != nil {
		return err
	}
	options := &metav1.PatchOptions{}
	if err := x.options(options, func() field.ErrorList { return metavalidation.ValidatePatchOptions(options, kind) }); err != nil {
		return err
	}
	w := x.writes(options.DryRun, options.FieldManager, options.FieldValidation)
	switch {
	case kind == types.ApplyYAMLPatchType:
		return x.apply(raw, w, options.Force != nil && *options.Force)
	case !json.Valid(raw):
		return apierrors.NewBadRequest("invalid JSON patch")
	case x.info.Subresource == "scale":
		return x.scale(w, func(was request.Object) (request.Object, error) {
			return x.patched(kind, raw, was, w, scaleKind)
		})
	}
	is, err := x.keep(w, func(was request.Object) (request.Object, error) {
		if was == nil {
			return nil, x.notFound()
		}
		o, err := x.patched(kind, raw, was, w, x.version.GroupVersionKind())
		if err == nil {
			err = x.checkPlace(o, true)
		}
		if err != nil {
			return nil, err
		}
		return x.replaced(o, was, w)
	})
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, is)
}

// patched is what a patch makes of an object. See jsonPatcher.applyPatchToCurrentObject of k8s.io/apiserver.
func (x *exchange) patched(kind types.PatchType, patch []byte, was request.Object, w write, of schema.GroupVersionKind) (request.Object, error) {
	current, err := json.Marshal(was)
	if err != nil {
		return nil, err
	}
	raw, strict, err := merged(kind, patch, current, w.directive != metav1.FieldValidationIgnore)
	if err != nil {
		return nil, err
	}
	invalid := func(said string) *apierrors.StatusError {
		return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{field.Invalid(field.NewPath("patch"), string(raw), said)})
	}
	json, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	o, more, found, err := x.decode(raw, json, w, of)
	if _, is := replicas(o); err == nil && of == scaleKind && !is {
		err = errors.New("json: cannot unmarshal into Go struct field ScaleSpec.spec.replicas of type int32")
	}
	if err != nil {
		return nil, invalid(err.Error())
	}
	if found.GroupVersion() != of.GroupVersion() { // which the strategy rejects
		must := field.Invalid(field.NewPath("apiVersion"), found.GroupVersion().String(), "must be "+of.GroupVersion().String())
		return nil, apierrors.NewInvalid(of.GroupKind(), x.info.Name, field.ErrorList{must})
	}
	if strict = append(strict, more...); len(strict) > 0 && w.directive == metav1.FieldValidationStrict {
		return nil, invalid(runtime.NewStrictDecodingError(strict).Error())
	}
	return o, x.judgeStrict(strict, w, of, invalid)
}

// A jsonPatchOp is an operation of a JSON patch to a strict reader.
type jsonPatchOp struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

// merged is jsonPatcher.applyJSPatch.
func merged(kind types.PatchType, patch, current []byte, strictly bool) (raw []byte, strict []error, err error) {
	if kind == types.MergePatchType {
		if strictly {
			if strict, err = kjson.UnmarshalStrict(patch, &map[string]any{}); err != nil {
				return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
			}
		}
		raw, err = jsonpatch.MergePatch(current, patch)
		if errors.Is(err, jsonpatch.ErrBadJSONPatch) {
			err = apierrors.NewBadRequest(err.Error())
		}
		return raw, strict, err
	}
	if strictly {
		if strict, err = kjson.UnmarshalStrict(patch, &[]jsonPatchOp{}); err != nil {
			said := strings.ReplaceAll(err.Error(), "serve.jsonPatchOp", "handlers.jsonPatchOp")
			return nil, nil, apierrors.NewBadRequest("error decoding patch: " + said)
		}
	}
	for i := range strict {
		strict[i] = fmt.Errorf("json patch %w", strict[i])
	}
	decoded, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	if len(decoded) > maxOperations {
		return nil, nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", maxOperations, len(decoded)))
	}
	if raw, err = decoded.Apply(current); err != nil {
		return nil, nil, apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", err.Error(), 0, false)
	}
	return raw, strict, nil
}

// apply is a server-side apply. See applyPatcher of k8s.io/apiserver.
func (x *exchange) apply(patch []byte, w write, force bool) error {
	if _, err := utilyaml.ToJSON(patch); err != nil { // which takes what begins with { as it is
		return apierrors.NewBadRequest(fmt.Sprintf("error encoding patch: %v", err))
	}
	o, broken := parsePatch(patch)
	strict := yaml.UnmarshalStrict(patch, &map[string]any{})
	code := http.StatusOK
	is, err := x.keep(w, func(was request.Object) (request.Object, error) {
		switch {
		case was == nil && x.info.Subresource != "":
			return nil, x.notFound()
		case broken != nil:
			return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", broken))
		case x.info.Subresource == "scale":
			return nil, apierrors.NewBadRequest("crdlift serve does not apply to the scale subresource; use a merge patch")
		}
		judge := x.version.Apply
		if x.info.Subresource == "status" {
			judge = x.version.ApplyStatus
		}
		if code = http.StatusOK; was == nil {
			code = http.StatusCreated
		}
		out := judge(o, was, request.Applier{Manager: w.manager, Force: force}, request.WithTexts(), request.Now())
		switch {
		case out.Err != nil || !out.MergedBy():
			return x.admitted(out)
		case strict != nil && w.directive == metav1.FieldValidationStrict:
			return nil, apierrors.NewBadRequest(fmt.Sprintf("error strict decoding patch: %v", strict))
		case strict != nil && w.directive == metav1.FieldValidationWarn:
			x.warnStrictly(strict)
		}
		if err := x.checkPlace(o, was == nil || (&unstructured.Unstructured{Object: o}).GetName() != ""); err != nil {
			return nil, err
		}
		return x.admitted(out)
	})
	if err != nil {
		return err
	}
	return x.answer(code, is)
}

// parsePatch reads what is applied, with whole numbers. The error is that of the server's parser, which makes all of them fractions.
func parsePatch(patch []byte) (o request.Object, err error) {
	if err := yaml.Unmarshal(patch, &o); err != nil {
		return nil, err
	}
	raw, err := yaml.YAMLToJSON(patch)
	if err == nil {
		err = utiljson.Unmarshal(raw, &o)
	}
	return o, err
}
