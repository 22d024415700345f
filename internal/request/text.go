package request

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// WithTexts has causes keep upstream's errors, so that Cause.Text and Outcome.Message tell them. They have values of the object in
// them: it is for objects of tests, whose authors have written them, and not for those of a dump.
func WithTexts() Option { return func(r *reading) { r.texts = true } }

// Text is what the server says of the cause; empty for a request without WithTexts.
func (c Cause) Text() string {
	if c.upstream == nil {
		return ""
	}
	return c.upstream.Error()
}

// Message is what the server says to a rejected request that is made WithTexts, but for the order of the causes, which it takes from
// its maps. See apierrors.NewInvalid.
func (o *Outcome) Message() string {
	var errs field.ErrorList
	for _, c := range o.Causes {
		err, ok := c.upstream.(*field.Error)
		if c.Type == "" || !ok {
			return c.Text()
		}
		errs = append(errs, err)
	}
	if errs == nil {
		return ""
	}
	return apierrors.NewInvalid(o.kind, o.name, errs).Error()
}

// Refusal is the server's answer to a rejected request for an object of a resource, made WithTexts. The causes are in the order in which
// they are found, since clients hold messages against texts with more than one. See ErrorToAPIStatus of k8s.io/apiserver for errors that
// are no answers yet.
func (o *Outcome) Refusal(resource schema.GroupResource, name string) *apierrors.StatusError {
	var errs field.ErrorList
	for _, c := range slices.SortedFunc(slices.Values(o.Causes), func(a, b Cause) int { return cmp.Compare(a.found, b.found) }) {
		var status *apierrors.StatusError
		err, is := c.upstream.(*field.Error)
		switch {
		case errors.As(o.refusal, &status):
			return status
		case c.Type != "" && is:
			errs = append(errs, err)
		case c.Stage == Outdated && slices.Equal(c.Path, resourceVersion):
			return apierrors.NewConflict(resource, name, ErrOutdated)
		case c.Stage == Outdated:
			return apierrors.NewConflict(resource, name, errors.New(c.Text()))
		case c.Stage.code() == http.StatusBadRequest:
			return apierrors.NewBadRequest(c.Text())
		default:
			message := c.Text()
			if o.refusal != nil {
				message = o.refusal.Error()
			}
			return Broken(message)
		}
	}
	return apierrors.NewInvalid(o.kind, o.name, errs)
}

// ErrOutdated is OptimisticLockErrorMsg of k8s.io/apiserver's registry, which links etcd's client.
var ErrOutdated = errors.New("the object has been modified; please apply your changes to the latest version and try again")

// Broken is the response to a request on which a server fails.
func Broken(message string) *apierrors.StatusError {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Reason: metav1.StatusReasonUnknown, Message: message,
	}}
}

// MergedBy reports whether the field manager has taken what was applied, whatever became of it then.
func (o *Outcome) MergedBy() bool { return o.refusal == nil }

// undecoded is the text of an object that cannot be decoded. See transformDecodeError of k8s.io/apiserver.
func (r *reading) undecoded(err error) error {
	gvk := r.version.GroupVersionKind()
	return fmt.Errorf("%s in version %q cannot be handled as a %s: %w", gvk.Kind, gvk.Version, gvk.Kind, err)
}

// otherVersion is the text of an object of another version. See createHandler of k8s.io/apiserver.
func (r *reading) otherVersion(apiVersion string) error {
	return fmt.Errorf("the API version in the data (%s) does not match the expected API version (%s)", apiVersion, r.version.apiVersion())
}

// An answered is the object that a message is about, of the kind that it says it is.
type answered struct {
	kind    schema.GroupKind
	name    string
	refusal error // the field manager's
}

func (r *reading) answered() answered {
	kind, _ := r.object["kind"].(string)
	return answered{kind: schema.GroupKind{Group: r.version.server.kind.Group, Kind: kind}, name: r.meta.Name}
}
