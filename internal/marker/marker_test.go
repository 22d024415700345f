package marker

import (
	"slices"
	"strings"
	"testing"
)

// TestTexts writes markers for values, also such as no marker can have. Those that controller-gen has to understand are in
// test/gotypes.
func TestTexts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		keyword string
		value   any
		want    []string
	}{
		{"maxItems", 5.0, []string{"+kubebuilder:validation:MaxItems=5"}},
		{"maxItems", "5", nil},
		{"maximum", 0.5, []string{"+kubebuilder:validation:Maximum=0.5"}},
		{"nullable", true, []string{"+nullable"}},
		{"nullable", false, []string{}},
		{"served", true, []string{}},
		{"uniqueItems", false, []string{"+kubebuilder:validation:UniqueItems=false"}},
		{"enum", []any{}, nil},
		{"enum", []any{"a", "1", "b c"}, []string{`+kubebuilder:validation:Enum=a;"1";"b c"`}},
		{"enum", []any{"true", "false", "", "-a", "a-b_c"}, []string{`+kubebuilder:validation:Enum="true";"false";"";"-a";a-b_c`}},
		{"enum", []any{"a\nb", "c"}, nil},
		{"pattern", 5.0, nil},
		{"pattern", "a", []string{`+kubebuilder:validation:Pattern="a"`}},
		{"default", []any{}, nil},
		{"default", map[string]any{}, []string{"+kubebuilder:default={}"}},
		{"default", "a\nb", nil},
		{"default", nil, nil},
		{"pattern", "a\nb", nil},
		{"pattern", "\x1b]0;a\x07", nil},
		{"x-kubernetes-list-map-keys", []any{"a", "b"}, []string{"+listMapKey=a", "+listMapKey=b"}},
		{"x-kubernetes-validations", []any{"a"}, nil},
		{"additionalPrinterColumns", []any{map[string]any{"name": "Age", "JSONPath": ".a"}}, []string{"+kubebuilder:printcolumn:name=\"Age\",JSONPath=`.a`"}},
		{"additionalPrinterColumns", []any{map[string]any{"name": "date", "type": "date", "format": "a b", "jsonPath": ".a"}}, []string{"+kubebuilder:printcolumn:name=\"date\",type=date,JSONPath=`.a`,format=\"a b\""}},
		{"subresources.scale", map[string]any{"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n", "labelSelectorPath": ".a['b c']"}, []string{"+kubebuilder:subresource:scale:specpath=.spec.n,statuspath=.status.n,selectorpath=\".a['b c']\""}},
		{"subresources.status", map[string]any{}, []string{"+kubebuilder:subresource:status"}},
		{"spec.names.shortNames", []any{"a", "b"}, []string{"+kubebuilder:resource:shortName=a;b"}},
	} {
		row, ok := Of(test.keyword)
		if !ok {
			t.Fatalf("there is no marker for %s", test.keyword)
		}
		got := row.Texts(test.value)
		if !slices.Equal(got, test.want) || (got == nil) != (test.want == nil) {
			t.Errorf("%s of %v: got %q, want %q", test.keyword, test.value, got, test.want)
		}
	}
	if row, ok := Of("title"); ok {
		t.Errorf("title is %s", row.Name)
	}
}

// TestWith changes arguments of markers that are there, and leaves the others as they are written.
func TestWith(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, name, value, want string }{
		{"+kubebuilder:resource", "scope", "Cluster", "+kubebuilder:resource:scope=Cluster"},
		{"+kubebuilder:resource:path=a,shortName={a,b},scope=Cluster", "shortName", "c", "+kubebuilder:resource:path=a,shortName=c,scope=Cluster"},
		{"+kubebuilder:resource:path=a,scope=Cluster", "path", "", "+kubebuilder:resource:scope=Cluster"},
		{"+kubebuilder:printcolumn:name=\"A, b=c\",JSONPath=`.a,b`,type=string", "type", "date", "+kubebuilder:printcolumn:name=\"A, b=c\",JSONPath=`.a,b`,type=date"},
		{`+kubebuilder:validation:XValidation:rule="a == \"b,\"",message='it''s'`, "message", `"c"`, `+kubebuilder:validation:XValidation:rule="a == \"b,\"",message="c"`},
		{"+kubebuilder:validation:XValidation:rule=`a`,message=`b`", "message", `"c"`, "+kubebuilder:validation:XValidation:rule=`a`,message=`c`"},
	} {
		p, ok := Parse(test.text)
		if !ok {
			t.Fatalf("%s is not read", test.text)
		}
		if got := p.With([2]string{test.name, test.value}); got != test.want {
			t.Errorf("%s with %s=%s: got %s", test.text, test.name, test.value, got)
		}
	}
}

// TestLike keeps the quotes that a marker has where a new value can have them.
func TestLike(t *testing.T) {
	t.Parallel()
	const name = "+kubebuilder:validation:Pattern="
	for _, test := range [][3]string{
		{"`[A-Z]`", `"^[A-Z]$"`, "`^[A-Z]$`"},
		{"`a`", `"a` + "`" + `"`, `"a` + "`" + `"`},
		{`"\\d"`, "`^\\d$`", `"^\\d$"`},
		{"a", `"^a$"`, `"^a$"`},
		{"5", "7", "7"},
	} {
		old, _ := Parse(name + test[0])
		p, _ := Parse(name + test[1])
		if got := p.Like(old); got != name+test[2] {
			t.Errorf("%s like %s: got %s", test[1], test[0], got)
		}
	}
}

// TestParse reads markers in the spellings that there are.
func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"+optional":                                     "optional",
		"+kubebuilder:validation:Optional":              "optional",
		"+k8s:required":                                 "required",
		"+kubebuilder:default:={}":                      "default",
		"+default=1":                                    "default",
		"+kubebuilder:validation:items:MaxLength=4":     "maxLength of items",
		"+kubebuilder:validation:XValidation:rule=\"\"": "x-kubernetes-validations",
		"+kubebuilder:subresource:scale:specpath=.a":    "subresources.scale",
		"+kubebuilder:rbac:groups=apps,verbs=get":       "",
		"+":          "",
		"":           "",
		"+:=":        "",
		"+genclient": "",
	} {
		p, ok := Parse(text)
		got := p.Row.Keyword
		if p.Items {
			got += " of items"
		}
		if got != want || ok != (want != "") {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

// FuzzParse: whatever is behind a plus sign, arguments are its parts, and no text of more than one line is made.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"+kubebuilder:resource:path=a,shortName={a,b}", "+kubebuilder:printcolumn:name=\"a", "+listType=", "+kubebuilder:metadata:annotations={\"a=b\",c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := Parse(text)
		if !ok {
			return
		}
		for _, a := range p.Arguments {
			if !strings.Contains(text, a[0]) || !strings.Contains(text, a[1]) {
				t.Errorf("%q has no argument %q", text, a)
			}
		}
		if again, ok := Parse(p.With()); len(p.Arguments) > 0 && (!ok || again.Row.Name != p.Row.Name) {
			t.Errorf("%q is written as %q", text, p.With())
		}
	})
}
