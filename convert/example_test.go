package convert_test

import (
	"fmt"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
)

func ExampleFile() {
	const manifest = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  version: v1 # the only one
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  preserveUnknownFields: false
  validation:
    openAPIV3Schema: {type: object}
`
	result, err := convert.File("crd.yaml", []byte(manifest), policy.Options{To: policy.V1})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s: %s\n%s", result.CRDs[0].Name, result.CRDs[0].State, result.Output)
	// Output:
	// widgets.example.com: converted
	// apiVersion: apiextensions.k8s.io/v1
	// kind: CustomResourceDefinition
	// metadata:
	//   name: widgets.example.com
	// spec:
	//   group: example.com
	//   versions: # the only one
	//   - name: v1
	//     served: true
	//     storage: true
	//     schema:
	//       openAPIV3Schema: {type: object}
	//   names: {kind: Widget, plural: widgets}
	//   scope: Namespaced
}
