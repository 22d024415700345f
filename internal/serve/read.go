package serve

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metainternalversionscheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdlift/crdlift/internal/request"
)

func (x *exchange) get() error {
	options := &metav1.GetOptions{}
	if err := x.options(options, func() field.ErrorList { return nil }); err != nil {
		return err
	}
	if _, err := x.parseRevision(options.ResourceVersion); err != nil {
		return err
	}
	found, _ := x.store.get(x.place())
	if !found.is() {
		return x.notFound()
	}
	o, err := x.served(found)
	if err != nil {
		return err
	}
	if x.info.Subresource == "scale" {
		return x.answerScale(o)
	}
	return x.answer(http.StatusOK, &unstructured.Unstructured{Object: o})
}

// A selection is which objects a list or a watch is about.
type selection struct {
	internalversion.ListOptions
	version  *request.Version
	kind     *kind
	form     *form
	revision int64 // 0 for none
}

// selection reads the options of a request for objects of a kind. See ListResource of k8s.io/apiserver.
func (x *exchange) selection() (s *selection, err error) {
	s = &selection{kind: x.kind, version: x.version}
	if s.form, err = x.kind.forms[x.info.APIVersion](); err != nil {
		return nil, err
	}
	options := &s.ListOptions
	if err := x.options(options, func() field.ErrorList {
		internalversion.SetListOptionsDefaults(options, true)
		return validation.ValidateListOptions(options, true)
	}); err != nil {
		return nil, err
	}
	if options.FieldSelector != nil {
		if options.FieldSelector, err = options.FieldSelector.Transform(func(label, value string) (string, string, error) {
			return x.kind.label(x.info.APIVersion, label, value)
		}); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	}
	if options.Continue == "" || x.info.Verb == "watch" { // a list goes on at the one of its token
		if s.revision, err = x.parseRevision(options.ResourceVersion); err != nil {
			return nil, err
		}
	}
	if name := x.info.Name; name != "" { // of a watch at the path of an object, or selected by its name
		if options.FieldSelector == nil || options.FieldSelector.Empty() {
			options.FieldSelector = fields.OneTermEqualSelector("metadata.name", name)
		} else if selected, is := options.FieldSelector.RequiresExactMatch("metadata.name"); !is || selected != name {
			return nil, apierrors.NewBadRequest("fieldSelector metadata.name doesn't match requested name")
		}
	}
	if options.LabelSelector == nil {
		options.LabelSelector = labels.Everything()
	}
	if options.FieldSelector == nil {
		options.FieldSelector = fields.Everything()
	}
	return s, nil
}

// parseRevision reads a resourceVersion; 0 for none. The answers are those of APIObjectVersioner.ParseResourceVersion, which servers make
// two of.
func (x *exchange) parseRevision(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	revision, err := strconv.ParseUint(text, 10, 63)
	now := x.store.now()
	switch {
	case err != nil && x.info.Verb == "list":
		return 0, apierrors.NewBadRequest(fmt.Sprintf("invalid resource version: resourceVersion: Invalid value: %q: %v", text, err))
	case err != nil:
		return 0, request.Broken(fmt.Sprintf("resourceVersion: Invalid value: %q: %v", text, err))
	case int64(revision) > now:
		return 0, tooLarge(int64(revision), now)
	}
	return int64(revision), nil
}

// item is what is kept as the version shows it, if it is selected; nil for nothing.
func (s *selection) item(i item) (*unstructured.Unstructured, error) {
	if !i.is() {
		return nil, nil
	}
	served, err := serveItem(s.version, i)
	if err != nil {
		return nil, err
	}
	o := &unstructured.Unstructured{Object: served}
	if s.LabelSelector.Matches(labels.Set(o.GetLabels())) && (s.FieldSelector.Empty() || s.FieldSelector.Matches(s.form.fields(s.kind, o))) {
		return o, nil
	}
	return nil, nil
}

// A token is where a list goes on. See EncodeContinue of k8s.io/apiserver's storage.
type token struct {
	Version  string `json:"v"`
	Revision int64  `json:"rv"`
	After    string `json:"start"` // the key of the last item
}

const tokenVersion = "meta.k8s.io/v1"

func (t token) String() string {
	raw, _ := json.Marshal(t) // which cannot fail
	return base64.RawURLEncoding.EncodeToString(raw)
}

func parseToken(text string) (t token, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &t)
	}
	switch {
	case err == nil && t.Version != tokenVersion:
		err = fmt.Errorf("server does not recognize this encoded version %v", t.Version)
	case err == nil && t.Revision <= 0:
		err = errors.New("incorrect encoded start resourceVersion (version meta.k8s.io/v1)")
	}
	if err != nil {
		return t, apierrors.NewBadRequest(fmt.Sprintf("invalid continue token: continue key is not valid: %v", err))
	}
	return t, nil
}

func (x *exchange) list() error {
	s, err := x.selection()
	if err != nil {
		return err
	}
	if x.accepted.Convert != nil {
		list, err := x.whole(s)
		if err != nil {
			return err
		}
		return x.answer(http.StatusOK, list)
	}
	items := []json.RawMessage{} // of which objects have ten times the size
	list, err := x.page(s, func(o *unstructured.Unstructured) error {
		raw, err := o.MarshalJSON()
		items = append(items, raw)
		return err
	})
	if err != nil {
		return err
	}
	list.Object["items"] = items
	x.write(http.StatusOK, list.Object)
	return nil
}

// whole is a page with its objects.
func (x *exchange) whole(s *selection) (*unstructured.UnstructuredList, error) {
	var items []unstructured.Unstructured
	list, err := x.page(s, func(o *unstructured.Unstructured) error {
		items = append(items, *o)
		return nil
	})
	if err == nil {
		list.Items = items
	}
	return list, err
}

// page hands on the objects of a list, or of the part of it that the limit and the token leave, and returns the list around them.
func (x *exchange) page(s *selection, item func(*unstructured.Unstructured) error) (*unstructured.UnstructuredList, error) {
	if x.info.Name != "" && s.Continue == "" && (x.info.Namespace != "" || !x.kind.namespaced()) {
		s.Limit = 0 // as upstream, which looks for the one object there; see ListPredicate of its generic registry
	}
	at, from := int64(0), token{}
	switch {
	case s.Continue != "":
		var err error
		if from, err = parseToken(s.Continue); err != nil {
			return nil, err
		}
		if s.ResourceVersion != "" && s.ResourceVersion != "0" { // see ValidateListOptions of k8s.io/apiserver's storage
			return nil, apierrors.NewBadRequest("specifying resource version is not allowed when using continue")
		}
		at = from.Revision
	case s.ResourceVersionMatch == metav1.ResourceVersionMatchExact, s.Limit > 0 && s.ResourceVersionMatch == "" && s.revision > 0:
		at = s.revision
	case s.ResourceVersion == "0" && s.ResourceVersionMatch != metav1.ResourceVersionMatchExact:
		s.Limit = 0 // as from a server's watch cache
	}
	all, revision, err := x.store.list(x.kind.GroupResource, x.info.Namespace, at)
	if err != nil {
		return nil, apierrors.NewResourceExpired(fmt.Sprintf("The provided continue parameter or resourceVersion is too old: %v. Start a new list without it.", err))
	}
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(x.version.GroupVersionKind().GroupVersion().WithKind(x.kind.crd.Spec.Names.ListKind))
	list.SetResourceVersion(strconv.FormatInt(revision, 10))
	list.SetContinue("") // which JSON has
	var found int64
	for i, k := range all {
		if from.After != "" && k.key() <= from.After {
			continue
		}
		o, err := s.item(k.item)
		if err != nil {
			return nil, err
		}
		if o == nil {
			continue
		}
		if err := item(o); err != nil {
			return nil, err
		}
		if found++; s.Limit > 0 && found == s.Limit && i+1 < len(all) {
			list.SetContinue(token{tokenVersion, revision, k.key()}.String())
			if rest := int64(len(all) - i - 1); s.LabelSelector.Empty() && s.FieldSelector.Empty() {
				list.SetRemainingItemCount(&rest)
			}
			break
		}
	}
	return list, nil
}

// tooLarge is NewTooLargeResourceVersionError of k8s.io/apiserver's storage.
func tooLarge(asked, now int64) error {
	err := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", asked, now), 1)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"}}
	return err
}

// shown is an object or a list in the form that the client accepts. See doTransformObject of k8s.io/apiserver.
func (x *exchange) shown(o runtime.Object) (runtime.Object, error) {
	to := x.accepted.Convert
	if to == nil {
		return o, nil
	}
	list, isList := o.(*unstructured.UnstructuredList)
	switch to.Kind {
	case "Table":
		return x.table(o)
	case "PartialObjectMetadata":
		if isList {
			return nil, notAcceptable("you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)")
		}
		return partial(o.(*unstructured.Unstructured), *to), nil
	}
	if o.GetObjectKind().GroupVersionKind() == scaleKind {
		return nil, notAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list (*v1.Scale)")
	}
	if !isList {
		return nil, request.Broken("content is not a list") // as upstream, which takes every object for a list
	}
	all := &metav1.PartialObjectMetadataList{}
	all.SetGroupVersionKind(*to)
	all.ListMeta = metav1.ListMeta{ResourceVersion: list.GetResourceVersion(), Continue: list.GetContinue(), RemainingItemCount: list.GetRemainingItemCount()}
	for i := range list.Items {
		all.Items = append(all.Items, *partial(&list.Items[i], to.GroupVersion().WithKind("PartialObjectMetadata")))
	}
	return all, nil
}

func notAcceptable(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusNotAcceptable, Reason: metav1.StatusReasonNotAcceptable, Message: message,
	}}
}

func partial(o *unstructured.Unstructured, kind schema.GroupVersionKind) *metav1.PartialObjectMetadata {
	p := meta.AsPartialObjectMetadata(o)
	p.SetGroupVersionKind(kind)
	return p
}

// table is what people are shown of an object or a list. See asTable of k8s.io/apiserver.
func (x *exchange) table(o runtime.Object) (*metav1.Table, error) {
	columns := x.kind.forms[x.info.APIVersion]
	if x.info.Subresource == "scale" {
		columns = scaleTable
	}
	form, err := columns()
	if err != nil {
		return nil, err
	}
	options := &metav1.TableOptions{}
	if err := metainternalversionscheme.ParameterCodec.DecodeParameters(x.req.URL.Query(), metav1.SchemeGroupVersion, options); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if errs := metavalidation.ValidateTableOptions(options); len(errs) > 0 {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("Unable to convert to Table as requested: %v", errs[0]))
	}
	options.NoHeaders = options.NoHeaders || x.headed
	x.headed = x.info.Verb == "watch" // of a stream, the first table has headers alone
	table, err := form.table.ConvertToTable(x.req.Context(), o, options)
	if err != nil {
		return nil, err
	}
	table.SetGroupVersionKind(*x.accepted.Convert)
	for i := range table.Rows {
		switch row := &table.Rows[i].Object; options.IncludeObject {
		case metav1.IncludeNone:
			row.Object = nil
		case metav1.IncludeMetadata, "":
			row.Object = partial(row.Object.(*unstructured.Unstructured), x.accepted.Convert.GroupVersion().WithKind("PartialObjectMetadata"))
		}
	}
	return table, nil
}

// decodeStored reads what is kept.
func decodeStored(raw []byte) (o request.Object, err error) { return o, utiljson.Unmarshal(raw, &o) }

// setRevision says in an object by which write it was put where it is.
func setRevision(o request.Object, revision int64) {
	if revision > 0 {
		request.Keys("metadata", "resourceVersion").Set(o, strconv.FormatInt(revision, 10))
	}
}
