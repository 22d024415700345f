package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// resources are the custom resources of one CRD.
type resources struct {
	server  *server
	crd     *v1.CustomResourceDefinition
	storage string   // the storage version
	version string   // the one to write through: the storage version if it is served
	served  []string // all that can be read: with a webhook only the storage version, as there is none to call
}

// byVersion are objects by the version they were read through and their name.
type byVersion map[string]map[string]map[string]any

// touched is the annotation that a write adds.
const touched = "e2e.crdlift.example/touched"

// crashed is the reason when the server panics and closes the connection: 0.21 divides by zero for a multipleOf below 1.
const crashed = "the server breaks off"

// serve waits until the server answers for a CRD's objects. It returns nil, and why, when it never will.
func (s *server) serve(c *v1.CustomResourceDefinition) (*resources, string, error) {
	r := s.resourcesOf(c)
	if r == nil {
		return nil, "no version is served that needs no webhook", nil
	}
	if reason, err := s.establish(c.Name); reason != "" || err != nil {
		return nil, reason, err
	}
	return r, "", wait("serving "+c.Name, func() (bool, error) {
		a, err := s.request(http.MethodGet, r.path(r.version, "", ""), nil)
		return a.ok(), err
	})
}

// resourcesOf are those of a CRD; nil when it serves none that need no webhook.
func (s *server) resourcesOf(c *v1.CustomResourceDefinition) *resources {
	r := &resources{server: s, crd: c}
	for _, v := range c.Spec.Versions {
		if v.Served {
			r.served = append(r.served, v.Name)
		}
		if v.Storage {
			r.storage = v.Name
		}
	}
	if c.Spec.Conversion != nil && c.Spec.Conversion.Strategy == v1.WebhookConverter {
		r.served = slices.DeleteFunc(r.served, func(name string) bool { return name != r.storage })
	}
	if len(r.served) == 0 {
		return nil
	}
	r.version = r.served[0]
	if slices.Contains(r.served, r.storage) {
		r.version = r.storage
	}
	return r
}

// replace replaces the CRD by a v1 manifest, and waits until requests for its objects are answered by the new one.
//
// Servers do not say when that is so, and it takes them a while. The update therefore also adds a printer column; a
// table of the objects that has it was made by the new CRD.
func (r *resources) replace(manifest []byte, column string) (answer, error) {
	a, err := r.put(manifest, column)
	if err != nil || !a.ok() {
		return a, err
	}
	return a, wait("updating "+r.crd.Name, func() (bool, error) {
		table, err := r.server.requestAs(http.MethodGet, r.path(r.version, "", "")+"?limit=1",
			"application/json;as=Table;v=v1;g=meta.k8s.io", nil)
		var columns metav1.Table
		if err != nil || !table.ok() || json.Unmarshal(table.body, &columns) != nil {
			return false, err
		}
		return slices.ContainsFunc(columns.ColumnDefinitions, func(c metav1.TableColumnDefinition) bool { return c.Name == column }), nil
	})
}

// put replaces the CRD by a v1 manifest with a further column, and does not wait.
func (r *resources) put(manifest []byte, column string) (answer, error) {
	var c v1.CustomResourceDefinition
	if err := json.Unmarshal(manifest, &c); err != nil {
		return answer{}, err
	}
	current, err := r.server.readCRD(c.Name)
	if err != nil {
		return answer{}, err
	}
	c.ResourceVersion = current.ResourceVersion
	for i := range c.Spec.Versions {
		v := &c.Spec.Versions[i]
		v.AdditionalPrinterColumns = append(v.AdditionalPrinterColumns,
			v1.CustomResourceColumnDefinition{Name: column, Type: "string", JSONPath: ".metadata.name"})
	}
	body, err := json.Marshal(&c)
	if err != nil {
		return answer{}, err
	}
	return r.server.request(http.MethodPut, crdsOf("v1")+"/"+c.Name, body)
}

// path is where an object is, or with an empty name all of them are.
func (r *resources) path(version, name, subresource string) string {
	path := "/apis/" + r.crd.Spec.Group + "/" + version
	if r.crd.Spec.Scope == v1.NamespaceScoped {
		path += "/namespaces/default"
	}
	path += "/" + r.crd.Spec.Names.Plural
	if name != "" {
		path += "/" + url.PathEscape(name)
	}
	if subresource != "" {
		path += "/" + subresource
	}
	return path
}

func (r *resources) hasStatus() bool {
	for _, v := range r.crd.Spec.Versions {
		if v.Name == r.version {
			return v.Subresources != nil && v.Subresources.Status != nil
		}
	}
	return false
}

// store creates an object, with its status. The reason is why the server rejects it.
func (r *resources) store(object map[string]any) (reason string, err error) {
	body, err := json.Marshal(object)
	if err != nil {
		return "", err
	}
	a, err := r.server.request(http.MethodPost, r.path(r.version, "", ""), body)
	switch {
	case errors.Is(err, io.EOF):
		return crashed, nil
	case err != nil || !a.ok():
		return a.reason(), err
	}
	status, ok := object["status"]
	if !ok || !r.hasStatus() {
		return "", nil
	}
	created, err := a.object()
	if err != nil {
		return "", err
	}
	created["status"] = status
	if body, err = json.Marshal(created); err != nil {
		return "", err
	}
	metadata := created["metadata"].(map[string]any)
	// A status that is not valid leaves the object without one.
	_, err = r.server.request(http.MethodPut, r.path(r.version, fmt.Sprint(metadata["name"]), "status"), body)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return "", err
}

// readAll reads all objects through all served versions.
func (r *resources) readAll() (byVersion, error) {
	all := byVersion{}
	for _, version := range r.served {
		a, err := r.server.get(r.path(version, "", ""))
		if err != nil {
			return nil, err
		}
		list, err := a.object()
		if err != nil {
			return nil, err
		}
		all[version] = map[string]map[string]any{}
		items, _ := list["items"].([]any)
		for _, item := range items {
			object := item.(map[string]any)
			all[version][fmt.Sprint(object["metadata"].(map[string]any)["name"])] = object
		}
	}
	return all, nil
}

// writeAll annotates every object. It gives the reasons why the server rejects some of them, by name.
func (r *resources) writeAll() (refused map[string]string, err error) {
	all, err := r.readAll()
	if err != nil {
		return nil, err
	}
	refused = map[string]string{}
	for name, object := range all[r.version] {
		metadata := object["metadata"].(map[string]any)
		annotations, _ := metadata["annotations"].(map[string]any)
		if annotations == nil {
			annotations = map[string]any{}
		}
		count, _ := annotations[touched].(string)
		annotations[touched] = count + "x" // a write that changes nothing is none
		metadata["annotations"] = annotations
		body, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		a, err := r.server.request(http.MethodPut, r.path(r.version, name, ""), body)
		if err != nil {
			return nil, err
		}
		if !a.ok() {
			refused[name] = a.reason()
		}
	}
	return refused, nil
}

// objectsDiffer is the path of the first difference between two objects, but for what every write changes.
func objectsDiffer(a, b map[string]any) string {
	if a == nil || b == nil {
		return "(object)"
	}
	return valuesDiffer(settled(a), settled(b), "")
}

func settled(object map[string]any) map[string]any {
	object = runtime.DeepCopyJSON(object)
	metadata, _ := object["metadata"].(map[string]any)
	delete(metadata, "resourceVersion")
	delete(metadata, "managedFields")
	delete(metadata, "generation")
	if annotations, ok := metadata["annotations"].(map[string]any); ok {
		delete(annotations, touched)
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	return object
}
