package plan

import (
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation"
)

// Added is the plan for a CRD that was not there before.
func Added(crd *apiextensions.CustomResourceDefinition) (*Plan, error) {
	return &Plan{CRDs: []string{crd.Name}, Summary: "is new, so there is nothing to migrate", Releases: []Release{}}, plain(crd)
}

// Deleted is the plan for a CRD that is not there any more.
func Deleted(crd *apiextensions.CustomResourceDefinition) (*Plan, error) {
	get := getAll(crd)
	return &Plan{
		CRDs:     []string{crd.Name},
		Summary:  "is deleted",
		Warnings: []string{"The API server deletes all objects of a CRD together with it, and whatever they own."},
		Releases: []Release{{
			Title: "delete the CRD",
			Steps: []Step{
				{Do: "Ship a release that deprecates all versions and says what users do with their objects, and wait until it is everywhere."},
				{Do: "In every cluster, look for objects that are left, and keep a copy.", Commands: []string{
					get, fmt.Sprintf("%s --output yaml > %s.yaml", get, crd.Name),
				}},
				{Do: "Delete the CRD while its controller still runs: objects with finalizers are gone only when their controller has let them go.",
					Commands: []string{"kubectl delete customresourcedefinition " + crd.Name}},
			},
		}},
	}, plain(crd)
}

func getAll(crd *apiextensions.CustomResourceDefinition) string {
	get := "kubectl get " + crd.Spec.Names.Plural + "." + crd.Spec.Group
	if crd.Spec.Scope != apiextensions.ClusterScoped {
		get += " --all-namespaces"
	}
	return get
}

// plain says that a name is none that an API server takes. Such a name must not get into a command. It takes no version
// twice either.
func plain(crd *apiextensions.CustomResourceDefinition) error {
	names := []string{crd.Name, crd.Spec.Group, crd.Spec.Names.Plural}
	for _, v := range crd.Spec.Versions {
		if slices.Contains(names[3:], v.Name) {
			return fmt.Errorf("%s has the version %s twice, which no API server takes", crd.Name, v.Name)
		}
		names = append(names, v.Name)
	}
	for _, name := range names {
		if len(validation.IsDNS1123Subdomain(name)) > 0 {
			return fmt.Errorf("%q is a name that no API server takes; 'crdlift lint' says more", name)
		}
	}
	return nil
}
