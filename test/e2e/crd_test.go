package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func crdsOf(version string) string {
	return "/apis/apiextensions.k8s.io/" + version + "/customresourcedefinitions"
}

// createCRD is what kubectl does with a manifest of that version.
func (s *server) createCRD(version string, manifest []byte) (answer, error) {
	// A server before 1.25 does not know the parameter, and ignores it.
	return s.request(http.MethodPost, crdsOf(version)+"?fieldValidation=Strict", manifest)
}

// readCRD reads a CRD as v1, in which both servers have it.
func (s *server) readCRD(name string) (*v1.CustomResourceDefinition, error) {
	a, err := s.get(crdsOf("v1") + "/" + name)
	if err != nil {
		return nil, err
	}
	c := &v1.CustomResourceDefinition{}
	return c, json.Unmarshal(a.body, c)
}

// deleteCRD deletes a CRD with its objects and waits until the server has finished: the next one may have its name.
func (s *server) deleteCRD(name string) error {
	path := crdsOf("v1") + "/" + name
	if a, err := s.request(http.MethodDelete, path, nil); err != nil || !a.ok() && a.code != http.StatusNotFound {
		return fmt.Errorf("DELETE %s: %s: %w", path, a.reason(), err)
	}
	return wait("deleting "+name, func() (bool, error) {
		a, err := s.request(http.MethodGet, path, nil)
		return a.code == http.StatusNotFound, err
	})
}

// deleteBehind deletes the CRD that a check was about; it fails the check if nothing did before.
func (s *server) deleteBehind(name string, err *error) {
	if failed := s.deleteCRD(name); *err == nil {
		*err = failed
	}
}

// establish waits until the server has accepted the CRD's names. The reason is why it never will.
func (s *server) establish(name string) (reason string, err error) {
	err = wait("establishing "+name, func() (bool, error) {
		c, err := s.readCRD(name)
		if err != nil {
			return false, err
		}
		reason = refusedNames(c)
		return reason != "" || apihelpers.IsCRDConditionTrue(c, v1.Established), nil
	})
	return reason, err
}

// refusedNames is why the server does not accept all names of a CRD; "" as long as it does.
func refusedNames(c *v1.CustomResourceDefinition) string {
	if condition := apihelpers.FindCRDCondition(c, v1.NamesAccepted); condition != nil && condition.Status == v1.ConditionFalse {
		return condition.Message
	}
	return ""
}
