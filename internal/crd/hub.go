package crd

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// scheme knows the types of both API versions and upstream's own defaulting and conversion between them.
var scheme = newScheme()

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	install.Install(s)
	return s
}

// An Object is a CustomResourceDefinition as an API server holds it after decoding and defaulting.
type Object struct {
	// Hub is the internal type, which all versions convert to. It has the shape of v1beta1.
	Hub *apiextensions.CustomResourceDefinition
	// Strict lists what only strict decoding complains about: unknown and duplicate fields. A server drops them.
	Strict []error
	// Known says that UnknownFields has nothing to tell; it may also have nothing when this is false.
	Known bool
	// PlainKeys says that no mapping has a key twice, and none has a plain one that is not a string to YAML 1.1. They may
	// be like that when this is false, too.
	PlainKeys bool
}

// Decode reads a CRD as the API server of its version does: YAML 1.1, case-sensitive JSON, that version's defaulting,
// conversion to the internal type. The error is the one that the server would answer with 400, or reports that the
// version does not exist.
func (c *CRD) Decode() (*Object, error) {
	if c.decoded != nil {
		return c.decoded()
	}
	return c.decode()
}

func (c *CRD) decode() (*Object, error) {
	if obj, in := newObject(c.Version), (&decoder{toHub: true}); obj != nil && in.into(c.Node, obj) {
		d, err := toHub(obj, nil)
		if err == nil {
			in.restore(d.Hub)
			d.Known, d.PlainKeys = true, !in.oddKeys
		}
		return d, err
	}
	raw, err := yaml11.ToJSON(c.Node)
	if err != nil {
		return nil, err
	}
	return decodeJSON(c.Node, raw, c.Version)
}

// newObject is an empty object of an API version; nil for a version that does not exist.
func newObject(version Version) runtime.Object {
	switch version {
	case V1:
		return &v1.CustomResourceDefinition{}
	case V1beta1:
		return &v1beta1.CustomResourceDefinition{}
	}
	return nil
}

// DecodeJSON is Decode for a CRD in JSON.
func DecodeJSON(raw []byte, version Version) (*Object, error) {
	return decodeJSON(parseJSON(raw), raw, version)
}

// decodeJSON decodes JSON that was made of a tree.
func decodeJSON(tree *yaml.Node, raw []byte, version Version) (decoded *Object, err error) {
	defer crashed(&err)
	obj := newObject(version)
	var strict []error
	switch obj := obj.(type) {
	case *v1.CustomResourceDefinition:
		strict, err = kjson.UnmarshalStrict(raw, obj)
	case *v1beta1.CustomResourceDefinition:
		strict, err = decodeV1beta1(tree, raw, obj)
	default:
		err = fmt.Errorf("there is no version %q of %s: it is v1, or v1beta1 on servers up to 1.21", version, Group)
	}
	if err != nil {
		return nil, err
	}
	return toHub(obj, strict)
}

// crashed makes an error of a panic.
func crashed(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("decoding failed: %v", p)
	}
}

// toHub defaults and converts a decoded object.
func toHub(obj runtime.Object, strict []error) (decoded *Object, err error) {
	defer crashed(&err)
	scheme.Default(obj)
	hub := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(obj, hub, nil); err != nil {
		return nil, err
	}
	if keeps := hub.Spec.PreserveUnknownFields; keeps != nil {
		// Convert_bool_To_Pointer_bool of apimachinery points into the object, and so would keep all of it.
		hub.Spec.PreserveUnknownFields = new(*keeps)
	}
	return &Object{Hub: hub, Strict: strict}, nil
}

// ToV1 converts with upstream's own functions, which never default the result. The two share what they have in common:
// neither may be modified below its own fields.
func ToV1(hub *apiextensions.CustomResourceDefinition) (*v1.CustomResourceDefinition, error) {
	out := &v1.CustomResourceDefinition{}
	if err := scheme.Convert(hub, out, nil); err != nil {
		return nil, err
	}
	return out, nil
}
