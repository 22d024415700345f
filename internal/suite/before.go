package suite

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/request"
)

// before is a server with the CRD as it was when the old object was written.
func (r *run) before() (*request.Server, error) {
	b := &r.Case.Before
	switch {
	case b.At == nil:
		return r.server, nil
	case b.CRD != "":
		d, why := r.Earlier(r.Suite, b.CRD, r.Definition.Hub.Spec.Names.Kind)
		if d == nil {
			return nil, fmt.Errorf("%s", why)
		}
		server, why := r.serverOf(d, "")
		if why == "" && server.Version(r.Version) == nil {
			why = fmt.Sprintf("the earlier CRD has no version %s; correct before or version", r.Version)
		}
		if why != "" {
			return nil, fmt.Errorf("%s", why)
		}
		return server, nil
	}
	if b.Patches != nil {
		return r.patched(r.Definition, r.Version, b.Patches, r.Case.Old.Object)
	}
	hub := r.Definition.Whole().DeepCopy()
	for _, c := range b.Without {
		if err := c.Remove(hub, r.Version); err != nil {
			return nil, err
		}
	}
	return request.New(hub)
}

// Remove takes the constraint out of a version of a CRD, or gives it the value that it had.
func (c *Constraint) Remove(hub *apiextensions.CustomResourceDefinition, version string) error {
	validation, err := apiextensions.GetSchemaForVersion(hub, version)
	if err != nil || validation == nil || validation.OpenAPIV3Schema == nil {
		return fmt.Errorf("version %s has no schema", version)
	}
	found := false
	err = change(validation.OpenAPIV3Schema, c, func(s *apiextensions.JSONSchemaProps) (err error) {
		found, err = c.removeFrom(s)
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("version %s has no %s", version, c)
	}
	return err
}

// change changes the schema that a constraint is of.
func change(s *apiextensions.JSONSchemaProps, c *Constraint, do func(*apiextensions.JSONSchemaProps) error) error {
	for i, step := range c.Path {
		switch {
		case step.IsIndex() || step.Key == "*":
			if s.Items == nil || s.Items.Schema == nil {
				return fmt.Errorf("%s is no list", c.Path[:i])
			}
			s = s.Items.Schema
		default:
			if property, ok := s.Properties[step.Key]; ok {
				rest := *c
				rest.Path = c.Path[i+1:]
				err := change(&property, &rest, do)
				s.Properties[step.Key] = property
				return err
			}
			if s.AdditionalProperties == nil || s.AdditionalProperties.Schema == nil {
				return fmt.Errorf("the schema has no %s", c.Path[:i+1])
			}
			s = s.AdditionalProperties.Schema
		}
	}
	return do(s)
}

func (c *Constraint) String() string {
	at := c.Path.String()
	if at != "" {
		at += "."
	}
	if c.Rule != "" {
		return at + "rule[" + c.Rule + "]"
	}
	return at + c.Keyword
}
