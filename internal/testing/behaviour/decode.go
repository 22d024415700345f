package behaviour

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	install.Install(s)
	return s
}()

// Decode reads the CRDs of one file as kubectl and the API server do, defaulted in their own API version: the internal
// type and, for each, the API version it was written in. Documents that are not CRDs are passed over.
func Decode(file []byte) (crds []*apiextensions.CustomResourceDefinition, versions []string, err error) {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(file)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return crds, versions, nil
		}
		if err != nil {
			return crds, versions, err
		}
		var value map[string]any
		if err := yaml.Unmarshal(document, &value); err != nil {
			continue // not an object, or not YAML: nothing that a server would see
		}
		items := []any{value}
		if list, ok := value["items"].([]any); ok && value["kind"] == "List" {
			items = list
		}
		for _, item := range items {
			object, ok := item.(map[string]any)
			if !ok || object["kind"] != "CustomResourceDefinition" {
				continue
			}
			crd, err := decode(object)
			if err != nil {
				return crds, versions, err
			}
			crds = append(crds, crd)
			versions = append(versions, fmt.Sprint(object["apiVersion"]))
		}
	}
}

func decode(object map[string]any) (*apiextensions.CustomResourceDefinition, error) {
	text, err := yaml.Marshal(object)
	if err != nil {
		return nil, err
	}
	typeMeta := runtime.TypeMeta{}
	if err := yaml.Unmarshal(text, &typeMeta); err != nil {
		return nil, err
	}
	external, err := scheme.New(typeMeta.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	if err := yaml.Unmarshal(text, external); err != nil {
		return nil, err
	}
	scheme.Default(external)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(external, internal, nil); err != nil {
		return nil, err
	}
	return internal, nil
}
