package e2e

import (
	"encoding/json"
	"net/http"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// An operation is a way to write an object.
type operation string

const (
	create       operation = "create"
	update       operation = "update"
	updateStatus operation = "update of the status"
	updateScale  operation = "update of the scale"
)

// A write is a request that writes an object.
type write struct {
	operation
	version  string
	about    string         // what is special about it
	object   map[string]any // as it is sent; of updateScale, as it is now
	old      map[string]any // as it is served before; nil on create
	strict   bool           // fieldValidation=Strict, not Warn
	replicas int32          // of updateScale
}

func (w write) String() string {
	mode := "Warn"
	if w.strict {
		mode = "Strict"
	}
	before := ""
	if w.old != nil {
		before = "\nbefore " + text(w.old)
	}
	return string(w.operation) + " at " + w.version + " with " + mode + ", " + w.about + ": " + text(w.object) + before
}

// send has the server do a write. The answer to a create has the object's name.
func (r *resources) send(w write) (answer, error) {
	method, path := http.MethodPut, ""
	name := name(w.object)
	var body any = w.object
	switch w.operation {
	case create:
		method, path = http.MethodPost, r.path(w.version, "", "")
	case update:
		path = r.path(w.version, name, "")
	case updateStatus:
		path = r.path(w.version, name, "status")
	case updateScale:
		path = r.path(w.version, name, "scale")
		body = scaleOf(w.object, w.replicas)
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	mode := "?fieldValidation=Warn"
	if w.strict {
		mode = "?fieldValidation=Strict"
	}
	return r.server.request(method, path+mode, raw)
}

// scaleOf is what a client sends that wants an object to have that many replicas.
func scaleOf(object map[string]any, replicas int32) *autoscalingv1.Scale {
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	revision, _ := metadata["resourceVersion"].(string)
	return &autoscalingv1.Scale{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: "Scale"},
		ObjectMeta: metav1.ObjectMeta{Name: name(object), Namespace: namespace, ResourceVersion: revision},
		Spec:       autoscalingv1.ScaleSpec{Replicas: replicas},
	}
}

// verdict is what the server made of a write, by its answer, by what it shows afterwards and by what is in etcd.
func (r *resources) verdict(w write, a answer) (v verdict, err error) {
	v = verdict{code: a.code, warnings: a.warnings}
	if !a.ok() {
		v.causes, err = a.refusal()
		return v, err
	}
	object := w.object
	if w.operation == create {
		if object, err = a.object(); err != nil {
			return v, err
		}
	}
	if v.stored, err = r.stored(name(object)); err != nil {
		return v, err
	}
	v.served = map[string]map[string]any{}
	for _, version := range r.served {
		if v.served[version], err = r.read(version, name(object)); err != nil {
			return v, err
		}
	}
	return v, nil
}

// read is an object as a version serves it, but for what the server alone keeps.
func (r *resources) read(version, name string) (map[string]any, error) {
	a, err := r.server.get(r.path(version, name, ""))
	if err != nil {
		return nil, err
	}
	object, err := a.object()
	delete(metadataOf(object), "managedFields")
	return object, err
}
