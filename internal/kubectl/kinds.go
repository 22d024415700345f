package kubectl

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A kind is what of a CRD says how its objects are read.
type kind struct {
	name     string
	base     string // the path of its objects up to the version, and from there on
	rest     string
	versions []string // that are served: first the one by which objects are read
	unserved string   // why no object is served; "" if one may be
	service  string   // of its webhook, as NAMESPACE/NAME; "" for none
}

// kindOf takes from a CRD what is needed.
func (r *Reader) kindOf(c *v1.CustomResourceDefinition) kind {
	k := kind{name: c.Name, base: "/apis/" + url.PathEscape(c.Spec.Group) + "/", rest: "/" + url.PathEscape(c.Spec.Names.Plural)}
	if r.Namespace != "" {
		k.rest = "/namespaces/" + url.PathEscape(r.Namespace) + k.rest
	}
	for _, v := range c.Spec.Versions {
		switch {
		case v.Served && v.Storage: // which needs no webhook
			k.versions = slices.Insert(k.versions, 0, v.Name)
		case v.Served:
			k.versions = append(k.versions, v.Name)
		}
	}
	is := map[v1.CustomResourceDefinitionConditionType]v1.ConditionStatus{}
	for _, condition := range c.Status.Conditions {
		is[condition.Type] = condition.Status
	}
	switch {
	case r.Namespace != "" && c.Spec.Scope == v1.ClusterScoped:
		k.unserved = "--namespace"
	case is[v1.NamesAccepted] == v1.ConditionFalse:
		k.unserved = "its names are not accepted, so the server does not serve it"
	case is[v1.Established] != v1.ConditionTrue:
		k.unserved = "it is not established, so the server does not serve it"
	case len(k.versions) == 0:
		k.unserved = "no version of it is served"
	}
	if c.Spec.Conversion != nil && c.Spec.Conversion.Webhook != nil && c.Spec.Conversion.Webhook.ClientConfig != nil {
		if s := c.Spec.Conversion.Webhook.ClientConfig.Service; s != nil {
			k.service = s.Namespace + "/" + s.Name
		}
	}
	return k
}

// crds reads the CRDs of the groups. Without them there is nothing to read.
func (r *Reader) crds(ctx context.Context) ([]kind, error) {
	all := map[string]kind{}
	err := r.list(ctx, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", func(p *page) error {
		p.Items = slices.DeleteFunc(p.Items, func(item json.RawMessage) bool {
			c := &v1.CustomResourceDefinition{}
			err := json.Unmarshal(item, c)
			if len(r.Groups) > 0 && !slices.Contains(r.Groups, c.Spec.Group) {
				return true
			}
			if err == nil { // else who reads the dump says so
				all[c.Name] = r.kindOf(c)
			}
			return false
		})
		return r.add(p)
	})
	if err != nil {
		return nil, fmt.Errorf("the CRDs cannot be read (%w); check the connection, and grant the role of 'crdlift audit --print-rbac'", err)
	}
	return slices.SortedFunc(maps.Values(all), func(a, b kind) int { return cmp.Compare(a.name, b.name) }), nil
}

// objects reads the objects of all kinds.
func (r *Reader) objects(ctx context.Context, kinds []kind) error {
	for _, k := range kinds {
		why := k.unserved
		if r.SkipObjects {
			why = "--skip-objects"
		}
		err := error(&Failure{Line: why})
		if why == "" {
			err = r.list(ctx, k.base+k.versions[0]+k.rest, r.add)
		}
		if err := r.miss(k.name, err); err != nil {
			return err
		}
	}
	return nil
}

// probe asks for one object at each version that objects were not read by.
func (r *Reader) probe(ctx context.Context, kinds []kind) error {
	for _, k := range kinds {
		if k.unserved != "" {
			continue
		}
		for _, version := range k.versions[1:] {
			err := r.get(ctx, k.base+version+k.rest+"?limit=1", &page{})
			if err := r.miss(k.name+"/"+version, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// services reads the Services that CRDs name, and where their endpoints are.
func (r *Reader) services(ctx context.Context, kinds []kind) error {
	asked := map[string]bool{"": true}
	for _, k := range kinds {
		if asked[k.service] {
			continue
		}
		asked[k.service] = true
		if err := r.service(ctx, k.service); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) service(ctx context.Context, at string) error {
	namespace, name, _ := strings.Cut(at, "/")
	in, what := "/namespaces/"+url.PathEscape(namespace), "services/"+at
	var found json.RawMessage
	err := r.get(ctx, "/api/v1"+in+"/services/"+url.PathEscape(name), &found)
	if reasonOf(err) == "NotFound" {
		return r.note(what, "not found", true)
	}
	if err == nil {
		err = r.add(&page{APIVersion: "v1", Kind: "Service", Items: []json.RawMessage{found}})
	}
	if err := r.miss(what, err); err != nil {
		return err
	}
	what = "endpointslices/" + at
	p := &page{}
	err = r.get(ctx, "/apis/discovery.k8s.io/v1"+in+"/endpointslices?labelSelector="+url.QueryEscape("kubernetes.io/service-name="+name), p)
	if err == nil && len(p.Items) == 0 {
		return r.note(what, "not found", true)
	}
	if err == nil {
		err = r.add(p)
	}
	return r.miss(what, err)
}
