package marker

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/version"
)

// TestReject tells what is wrong with markers that controller-gen makes nothing of. test/gotypes asks controller-gen.
func TestReject(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text      string
		above     Target
		generator string // "" for the newest
		want      Fault
		words     string // Instead, Since or Takes
	}{
		{"+kubebuilder:default:10", AboveField, "", Misspelt, "+kubebuilder:default=10"},
		{"+kubebuilder:default:{a: 1}", AboveField, "", Misspelt, "+kubebuilder:default={a: 1}"},
		{"+kubebuilder:default:", AboveField, "", None, ""},
		{"+kubebuilder:default:=10", AboveField, "", None, ""},
		{"+kubebuilder:default = 10", AboveField, "", Misspelt, "+kubebuilder:default=10"},
		{"+kubebuilder:validation:default=10", AboveField, "", Misspelt, "+kubebuilder:default=10"},
		{"+kubebuilder:Default=10", AboveField, "", Misspelt, "+kubebuilder:default=10"},
		{"+kubebuilder:defualt=10", AboveField, "", Misspelt, "+kubebuilder:default=10"},
		{"+kubebuilder:default=10", AboveType, "", Misplaced, ""},
		{"+kubebuilder:default=10", AboveField, "v0.2.1", TooNew, "v0.2.2"},
		{"+kubebuilder:default=10", AboveField, "v0.2.9", None, ""},
		{"+kubebuilder:validation:XPreserveUnknownFields", AboveType, "v0.2.2", TooNew, "v0.2.3"},
		{"+kubebuilder:validation:XEmbeddedResource", AboveField, "v0.2.3", None, ""},
		{"+kubebuilder:validation:EmbeddedResource", AboveField, "v0.2.2", TooNew, "v0.2.3"},
		{"+kubebuilder:pruning:PreserveUnknownFields", AboveField, "v0.2.2", TooNew, "v0.2.3"},
		{"+kubebuilder:unservedversion", AboveKind, "v0.2.7", TooNew, "v0.2.8"},
		{"+default=10", AboveType, "", None, ""},
		{"+default is ten", AboveField, "", None, ""},
		{"+kubebuilder:validation:UniqueItems:true", AboveField, "", Misspelt, "+listType=set"},
		{"+kubebuilder:validation:UniqueItems:false", AboveField, "", Misspelt, "+kubebuilder:validation:UniqueItems=false"},
		{"+kubebuilder:validation:UniqueItems", AboveField, "", Refused, "true or false"},
		{"+kubebuilder:validation:Minimum:3", AboveType, "", Misspelt, "+kubebuilder:validation:Minimum=3"},
		{"+kubebuilder:validation:Minimum:many", AboveType, "", Unknown, ""},
		{"+kubebuilder:validation:Minimum=-.5e3", AboveType, "", None, ""},
		{"+kubebuilder:validation:Minimum=", AboveType, "", Refused, "a number"},
		{"+kubebuilder:validation:MaxLength=3.5", AboveField, "", Refused, "an integer"},
		{"+kubebuilder:validation:MaxLenght=3", AboveField, "", Misspelt, "+kubebuilder:validation:MaxLength=3"},
		{"+kubebuilder:validation:Frobnicate=3", AboveField, "", Unknown, ""},
		{"+kubebuilder:validation:Frobnicate=3", AboveField, "v0.99.0", None, ""},
		{"+kubebuilder:validation:Pattern:^a=b$", AboveField, "", None, ""}, // it takes b$ then
		{"+kubebuilder:validation:items:MaxLength:3", AboveField, "", Misspelt, "+kubebuilder:validation:items:MaxLength=3"},
		{"+kubebuilder:validation:items:MaxLength=3", AboveField, "v0.14.0", TooNew, "v0.15.0"},
		{"+kubebuilder:validation:items:Optional", AboveField, "", Unknown, ""},
		{"+kubebuilder:MaxLength=3", AboveField, "", Misspelt, "+kubebuilder:validation:MaxLength=3"},
		{"+validation:Enum=a;b", AboveField, "", Misspelt, "+kubebuilder:validation:Enum=a;b"},
		{"+kubebuilder:validation:XValidation:rule", AboveField, "", Misspelt, "+kubebuilder:validation:XValidation:rule"},
		{"+kubebuilder:validation:ExactlyOneOf=a;b", AboveField, "", Misplaced, ""},
		{"+kubebuilder:validation:Optional", AboveType, "", Misplaced, ""},
		{"+kubebuilder:Default:=https://example.com", AboveField, "", Misspelt, `+kubebuilder:default="https://example.com"`},
		{"+kubebuilder:default:{a: b}", AboveField, "", Misspelt, "+kubebuilder:default={a: b}"},
		{"+kubebuilder:validation:pattern:^a{1,2}$", AboveField, "", Misspelt, `+kubebuilder:validation:Pattern="^a{1,2}$"`},
		{`+kubebuilder:validation:pattern="^a{1,2}$"`, AboveField, "", Misspelt, `+kubebuilder:validation:Pattern="^a{1,2}$"`},
		{"+kubebuilder:storageversion:false", AboveKind, "", Denied, ""},
		{"+kubebuilder:storageversion:true", AboveKind, "", Misspelt, "+kubebuilder:storageversion"},
		{"+required - the address", AboveField, "", Misspelt, "+required on a line of its own"},
		{"+Optional", AboveField, "", Misspelt, "+optional"},
		{"+optional if there is none", AboveField, "", Misspelt, "+optional on a line of its own"},
		{"+ optional", AboveField, "", Misspelt, "+optional"},
		{"+ optional fields are left out", AboveField, "", None, ""},
		{"+optional", AboveType, "", None, ""},
		{"+optional=true", AboveField, "", Refused, "no value"},
		{"+nullable", AboveType, "", Misplaced, ""},
		{"+listType map", AboveField, "", Misspelt, "+listType=map"},
		{"+listType=map", AboveType, "v0.9.0", None, ""}, // generators of Kubernetes read it
		{"+kubebuilder:printcolumn name=A,type=string,JSONPath=.a", AboveKind, "", Misspelt, "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.a"},
		{"+kubebuilder:printcolumns:name=A,type=string,JSONPath=.a", AboveKind, "", Misspelt, "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.a"},
		{"+kubebuilder:printcolumn:name=A,type=string,JSONPath=.a", AboveType, "", Misplaced, ""},
		{"+kubebuilder:resource", AboveKind, "", None, ""},
		{"+kubebuilder:subresource:Status", AboveKind, "", Misspelt, "+kubebuilder:subresource:status"},
		{"+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list", AboveKind, "", None, ""},
		{"+kubebuilder:webhook:path=/validate,mutating=false", AboveKind, "", None, ""},
		{"+kubebuilder:object:root=true", AboveKind, "", None, ""},
		{"+kubebuilder:object:generate=false", AboveType, "", None, ""},
		{"+kubebuilder:ac:generate=true", AboveKind, "", None, ""},
		{"+kubebuilder:scaffold:imports", AboveKind, "", None, ""},
		{"+kubebuilder:docs-gen:collapse=Imports", AboveType, "", None, ""},
		{"+genclient", AboveKind, "", None, ""},
		{"+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object", AboveKind, "", None, ""},
		{"+k8s:maxLength=3", AboveField, "", None, ""},
		{"+patchStrategy=merge", AboveField, "", None, ""},
		{"+", AboveField, "", None, ""},
		{"+:=", AboveField, "", None, ""},
	} {
		var generator *version.Version
		if test.generator != "" {
			generator = version.MustParseGeneric(test.generator)
		}
		got := Reject(test.text, test.above, generator)
		if got.Prose {
			got.Instead += " on a line of its own"
		}
		if words := got.Instead + got.Since + got.Takes; got.Fault != test.want || words != test.words {
			t.Errorf("%s above %d: got %d %q", test.text, test.above, got.Fault, words)
		}
	}
}
