package objects

import (
	"strings"
	"testing"
)

// TestWebhooks is the table of which webhooks see the objects of a CRD on their way.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks:\n- name: w.example.com\n"
	d := Definitions("crd.yaml", "crd.yaml", []byte(crdOf("Alpha", servedV1+","+unservedV2)), false)[0]
	rule := func(groups, versions, operations, resources string) string {
		return head + "  rules: [{apiGroups: [" + groups + "], apiVersions: [" + versions + "], operations: [" + operations + "], resources: [" + resources + "]}]\n"
	}
	for why, test := range map[string]struct {
		src       string
		operation string
		want      bool
	}{
		"its kind":               {rule("example.com", "v1", "CREATE, UPDATE", "alphas"), "create", true},
		"its updates":            {rule("example.com", "v1", "CREATE, UPDATE", "alphas"), "update", true},
		"only its updates":       {rule("example.com", "v1", "UPDATE", "alphas"), "create", false},
		"everything":             {rule("'*'", "'*'", "'*'", "'*'"), "create", true},
		"and what is in it":      {rule("'*'", "'*'", "'*'", "'*/*'"), "create", true},
		"another group":          {rule("example.org", "v1", "CREATE", "alphas"), "create", false},
		"another resource":       {rule("example.com", "v1", "CREATE", "betas"), "create", false},
		"a subresource":          {rule("example.com", "v1", "CREATE", "alphas/status"), "create", false},
		"a version that is not":  {rule("example.com", "v2", "CREATE", "alphas"), "create", false},
		"that of another of it":  {strings.Replace(rule("example.com", "v1", "CREATE", "alphas"), "  rules", "  matchPolicy: Equivalent\n  rules", 1), "create", true},
		"the second of two":      {rule("example.org", "v1", "CREATE", "alphas") + strings.Replace(rule("example.com", "v1", "CREATE", "alphas"), head, "- name: v.example.com\n", 1), "create", true},
		"of a list":              {"apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(rule("example.com", "v1", "CREATE", "alphas")), "\n", "\n  "), "create", true},
		"one that validates":     {strings.Replace(rule("example.com", "v1", "CREATE", "alphas"), "Mutating", "Validating", 1) + "# MutatingWebhookConfiguration\n", "create", false},
		"of another group's API": {strings.Replace(rule("example.com", "v1", "CREATE", "alphas"), "admissionregistration.k8s.io", "example.com", 1), "create", false},
		"in a template":          {"{{ if .Values.webhook }}\n" + rule("example.com", "v1", "CREATE", "alphas") + "{{ end }}\n", "create", true},
		"that does not parse":    {rule("example.com", "v1", "CREATE", "alphas") + "---\nkind: MutatingWebhookConfiguration: {\n", "create", true},
		"a part of one":          {head, "create", false},
		"by rules to be written": {head + "  sideEffects: None\n", "create", true},
		"no rules":               {head + "  sideEffects: None\n  rules: []\n", "create", false},
	} {
		sees := false
		for _, w := range Webhooks("w.yaml", "w.yaml", []byte(test.src)) {
			sees = sees || w.Sees(d, "v1", test.operation)
			if !strings.HasSuffix(w.Name, ".example.com") || w.At.File != "w.yaml" || w.At.Line < 5 {
				t.Errorf("%s: %s at %v", why, w.Name, w.At)
			}
		}
		if sees != test.want {
			t.Errorf("%s: seen %t, want %t", why, sees, test.want)
		}
	}
}

// TestWebhookOfOtherVersions: by default a request in another version is made one of the version that a webhook asks for.
func TestWebhookOfOtherVersions(t *testing.T) {
	t.Parallel()
	servedV2 := strings.Replace(unservedV2, "served: false", "served: true", 1)
	d := Definitions("crd.yaml", "crd.yaml", []byte(crdOf("Alpha", servedV1+","+servedV2)), false)[0]
	for policy, want := range map[string]bool{"": true, "matchPolicy: Equivalent, ": true, "matchPolicy: Exact, ": false} {
		src := "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nwebhooks: [{" + policy + "name: '{{ .Values.name }}', rules: [{apiGroups: [example.com], apiVersions: [v2], operations: [CREATE], resources: [alphas]}]}]\n"
		w := Webhooks("w.yaml", "w.yaml", []byte(src))[0]
		if got := w.Sees(d, "v1", "create"); got != want {
			t.Errorf("%q: seen %t, want %t", policy, got, want)
		}
	}
}
