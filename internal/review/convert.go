package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
)

// Object is a custom resource as JSON has it: whole numbers are int64, others float64.
type Object = map[string]any

// An Answer is what a conversion came to.
type Answer struct {
	// Objects are the converted objects as the server takes them, with the metadata that it restores; in the order of those
	// that were given. nil when there is an error.
	Objects []Object
	// Raw are the objects as the webhook made them, in the order of its answer; nil in place of one that cannot be decoded.
	Raw     []Object
	Err     error // the API server's, with its text; nil when it takes the answer
	Kind    Kind  // of the error
	Status  int   // of the HTTP response; 0 if there is none, or it is not read to its end
	Elapsed time.Duration
	UID     string // of the request; empty when the webhook is not asked
}

// A Kind is what is wrong with a response.
type Kind int

// The kinds of errors, in the order in which an API server comes to them.
const (
	Accepted  Kind = iota // there is none
	Unasked               // the API server has an error before it asks the webhook
	Transport             // there is no answer: no connection, no trust, or it ends too early
	Timeout               // the answer does not come in time
	HTTP                  // the HTTP status is an error
	Contract              // the answer is not what is to be answered
	Failure               // the webhook says that it did not convert
)

// Convert has objects converted to a version, all by one request: a single object as upstream's ConvertToVersion has it
// converted, and several as the items of a list. The request has the ConversionReview version that is given, or with "" the
// one that the server picks. As on the server, objects that are at the version already are not sent. When ctx ends first,
// the error is one that errors.Is finds ctx.Err in. The objects are not changed.
func (c *Client) Convert(ctx context.Context, reviewVersion, to string, objects ...Object) *Answer {
	answer := &Answer{}
	if err := guard(func() { c.convert(ctx, reviewVersion, to, objects, answer) }); err != nil {
		answer.refuse(Contract, err)
	}
	return answer
}

// guard calls a function that upstream's code may panic in.
func guard(do func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the API server's code panics: %v", p)
		}
	}()
	do()
	return nil
}

func (a *Answer) refuse(kind Kind, err error) { a.Objects, a.Kind, a.Err = nil, kind, err }

// A question is what an API server has to convert.
type question struct {
	objects []*unstructured.Unstructured
	isList  bool
	kind    schema.GroupVersionKind // of the object or the list
	to      schema.GroupVersion
}

func (c *Client) question(to string, objects []Object) *question {
	q := &question{isList: len(objects) != 1, to: schema.GroupVersion{Group: c.group, Version: to}}
	for _, o := range objects {
		q.objects = append(q.objects, &unstructured.Unstructured{Object: o})
	}
	if q.isList {
		q.kind = q.to.WithKind(c.listKind) // customresource_handler.go: a list has the version that is asked for
	} else {
		q.kind = q.objects[0].GroupVersionKind()
	}
	return q
}

// convert is crConverter.ConvertToVersion and webhookConverter.Convert.
func (c *Client) convert(ctx context.Context, reviewVersion, to string, objects []Object, answer *Answer) {
	q := c.question(to, objects)
	if err := c.checkVersions(q); err != nil {
		answer.refuse(Unasked, err)
		return
	}
	if !q.isList && isEmpty(q.objects[0]) {
		answer.Objects = []Object{q.emptyObject()}
		return
	}
	answer.UID = string(uuid.NewUUID())
	versions := c.reviewVersions
	if reviewVersion != "" {
		versions = []string{reviewVersion}
	}
	sent := q.toConvert()
	request, response, err := review(versions, sent, q.to.String(), types.UID(answer.UID))
	switch {
	case err != nil:
		answer.UID = ""
		answer.refuse(Unasked, err)
	case len(sent) == 0:
		answer.UID = ""
		answer.Objects = q.result(nil)
	case c.post(ctx, q, request, response, answer):
		q.judge(response, len(sent), answer)
	}
}

// checkVersions is what crConverter.ConvertToVersion checks.
func (c *Client) checkVersions(q *question) error {
	if _, ok := q.to.KindForGroupVersionKinds([]schema.GroupVersionKind{q.kind}); !ok {
		return fmt.Errorf("%v is unstructured and is not suitable for converting to %q", q.kind.String(), q.to)
	}
	if !c.versions[q.to] {
		return fmt.Errorf("request to convert CR to an invalid group/version: %s", q.to)
	}
	if from := q.kind.GroupVersion(); !c.versions[from] {
		return fmt.Errorf("request to convert CR from an invalid group/version: %s", from)
	}
	if q.isList {
		for i, o := range q.objects {
			if from := o.GroupVersionKind().GroupVersion(); !c.versions[from] {
				return fmt.Errorf("request to convert CR list failed, list index %d has invalid group/version: %s", i, from)
			}
		}
	}
	return nil
}

// isEmpty is isEmptyUnstructuredObject: such an object is not sent.
func isEmpty(o *unstructured.Unstructured) bool {
	_, hasKind := o.Object["kind"]
	_, hasVersion := o.Object["apiVersion"]
	return len(o.Object) == 2 && hasKind && hasVersion
}

// emptyObject is what nopConverter makes of the only object.
func (q *question) emptyObject() Object {
	o := q.objects[0].DeepCopy()
	o.SetGroupVersionKind(q.to.WithKind(q.kind.Kind))
	return o.Object
}

// isAtVersion reports whether an object is not to be sent, as getObjectsToConvert has it.
func (q *question) isAtVersion(o *unstructured.Unstructured) bool {
	if q.isList {
		return o.GetAPIVersion() == q.to.String()
	}
	return q.kind.GroupVersion() == q.to
}

func (q *question) toConvert() (objects []runtime.RawExtension) {
	for _, o := range q.objects {
		if !q.isAtVersion(o) {
			objects = append(objects, runtime.RawExtension{Object: o})
		}
	}
	return objects
}

// result has the converted objects in place of those that were sent.
func (q *question) result(converted []Object) []Object {
	objects := make([]Object, len(q.objects))
	for i, o := range q.objects {
		if q.isAtVersion(o) {
			objects[i] = o.DeepCopy().Object
		} else {
			objects[i], converted = converted[0], converted[1:]
		}
	}
	return objects
}

// review is createConversionReviewObjects.
func review(versions []string, objects []runtime.RawExtension, to string, uid types.UID) (request, response runtime.Object, err error) {
	for _, version := range versions {
		switch version {
		case v1beta1.SchemeGroupVersion.Version:
			return &v1beta1.ConversionReview{
				Request:  &v1beta1.ConversionRequest{Objects: objects, DesiredAPIVersion: to, UID: uid},
				Response: &v1beta1.ConversionResponse{},
			}, &v1beta1.ConversionReview{}, nil
		case v1.SchemeGroupVersion.Version:
			return &v1.ConversionReview{
				Request:  &v1.ConversionRequest{Objects: objects, DesiredAPIVersion: to, UID: uid},
				Response: &v1.ConversionResponse{},
			}, &v1.ConversionReview{}, nil
		}
	}
	return nil, nil, errors.New("no supported conversion review versions")
}

// post sends the request, and reports whether there is a response to judge.
func (c *Client) post(ctx context.Context, q *question, request, response runtime.Object, answer *Answer) bool {
	begun := time.Now()
	result := c.rest.Post().Timeout(c.timeout).Body(request).Do(ctx)
	answer.Elapsed = time.Since(begun)
	err := result.StatusCode(&answer.Status).Into(response)
	if err == nil {
		return true
	}
	kind := Contract
	var status *apierrors.StatusError
	switch isStatus := errors.As(err, &status); {
	case answer.Status == 0 && !isStatus: // with one, the type of the answer cannot be read
		kind = KindOf(err)
	case answer.Status != 0 && (answer.Status < 200 || answer.Status > 206):
		kind = HTTP
	}
	answer.refuse(kind, fmt.Errorf("conversion webhook for %v failed: %w", q.kind, err))
	return false
}

// KindOf is the kind of an error that came instead of a response: Transport or Timeout.
func KindOf(err error) Kind {
	var late interface{ Timeout() bool }
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &late) && late.Timeout() {
		return Timeout
	}
	return Transport
}
