package request

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// Message is what the server says to a refused request that is made WithTexts, but for the order of the causes, which it takes from
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
	kind schema.GroupKind
	name string
}

func (r *reading) answered() answered {
	kind, _ := r.object["kind"].(string)
	return answered{schema.GroupKind{Group: r.version.server.kind.Group, Kind: kind}, r.meta.Name}
}
