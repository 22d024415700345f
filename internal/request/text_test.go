package request_test

import (
	"testing"

	"github.com/crdlift/crdlift/internal/request"
)

// The texts of a rejection are the server's. That they are those of the strategies, the contests test.
func TestMessage(t *testing.T) {
	t.Parallel()
	version := serve(t, "{type: object, properties: {spec: {type: object, properties: {a: {type: string, enum: [b, c]}, i: {type: integer, maximum: 3}}}}}").Version("v1")
	for _, test := range []struct{ about, members, want string }{
		{"one cause", "spec: {i: 4}", `Test.example.com "test" is invalid: spec.i: Invalid value: 4: spec.i in body should be less than or equal to 3`},
		{"two causes", "spec: {a: d, i: 4}", `Test.example.com "test" is invalid: [spec.a: Unsupported value: "d": supported values: "b", "c", ` +
			`spec.i: Invalid value: 4: spec.i in body should be less than or equal to 3]`},
		{"a label that cannot be decoded", "metadata: {name: test, labels: {a: 1}}",
			`Test in version "v1" cannot be handled as a Test: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string`},
		{"another version", "apiVersion: example.com/v2", "the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)"},
		{"a resourceVersion", "metadata: {name: test, resourceVersion: '1'}", "resourceVersion should not be set on objects to be created"},
		{"accepted", "spec: {i: 3}", ""},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			o := object(t, test.members)
			if got := version.Create(o, request.WithTexts()).Message(); got != test.want {
				t.Errorf("the message is\n%s\nwant\n%s", got, test.want)
			}
			plain := version.Create(o)
			if got := plain.Message(); got != "" {
				t.Errorf("a request that does not ask for texts has the message %s", got)
			}
			for _, cause := range plain.Causes {
				if got := cause.Text(); got != "" {
					t.Errorf("a request that does not ask for texts keeps %s", got)
				}
			}
		})
	}
}
