package kubectl

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestRBAC reads the role, and compares what it allows.
func TestRBAC(t *testing.T) {
	t.Parallel()
	for want, groups := range map[string][]string{
		"": nil,
		"[a.example.com true] [*] [] [get list]; ": {"true", "a.example.com", "true"},
	} {
		printed, err := RBAC(groups)
		if err != nil {
			t.Fatal(err)
		}
		documents := strings.Split(printed, "---\n")
		var role struct {
			Kind  string
			Rules []struct{ APIGroups, Resources, NonResourceURLs, Verbs []string }
		}
		var binding struct {
			Kind    string
			RoleRef struct{ Name string }
		}
		if err := yaml.UnmarshalStrict([]byte(documents[0]), &map[string]any{}); err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal([]byte(documents[0]), &role); err != nil {
			t.Fatal(err)
		}
		if err := yaml.UnmarshalStrict([]byte(documents[1]), &map[string]any{}); err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal([]byte(documents[1]), &binding); err != nil {
			t.Fatal(err)
		}
		rules := ""
		for _, r := range role.Rules {
			rules += fmt.Sprint(r.APIGroups, " ", r.Resources, " ", r.NonResourceURLs, " ", r.Verbs, "; ")
		}
		want = "[apiextensions.k8s.io] [customresourcedefinitions] [] [get list]; " + want + "[] [services] [] [get]; " +
			"[discovery.k8s.io] [endpointslices] [] [list]; [storagemigration.k8s.io] [storageversionmigrations] [] [list]; " +
			"[] [] [/version /apis/storagemigration.k8s.io] [get]; "
		if kinds := []string{role.Kind, binding.Kind, binding.RoleRef.Name}; rules != want || !reflect.DeepEqual(kinds, []string{"ClusterRole", "ClusterRoleBinding", "crdlift-audit"}) {
			t.Errorf("%v\n%s\nwant\n%s", kinds, rules, want)
		}
	}
}

// TestRBACOfNoGroup has names in a dump that would make the role say something else.
func TestRBACOfNoGroup(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"", "*", "a], resources: [b", "a\n- verbs: [\"*\"]", `a", "`} {
		if printed, err := RBAC([]string{"example.com", group}); err == nil || printed != "" {
			t.Errorf("%q: %v\n%s", group, err, printed)
		}
	}
}
