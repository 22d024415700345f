package review

import (
	"net/http"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
)

// upstream is the API server's own converter, which asks what a Config says.
type upstream struct{ runtime.ObjectConvertor }

// newUpstream makes it for a CRD that says by itself where its webhook is: only Handler, CA and Timeout are taken from the
// configuration.
func newUpstream(t testing.TB, c Config) upstream {
	t.Helper()
	wrap := func(server webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver {
		adapt := func(config *rest.Config, err error) (*rest.Config, error) {
			if c.Timeout > 0 {
				config.Timeout = c.Timeout
			}
			if c.Handler != nil {
				config.Wrap(func(http.RoundTripper) http.RoundTripper { return inProcess(c.Handler) })
			}
			return config, err
		}
		return &webhook.AuthenticationInfoResolverDelegator{
			ClientConfigForFunc: func(address string) (*rest.Config, error) { return adapt(server.ClientConfigFor(address)) },
			ClientConfigForServiceFunc: func(name, namespace string, port int) (*rest.Config, error) {
				return adapt(server.ClientConfigForService(name, namespace, port))
			},
		}
	}
	factory, err := conversion.NewCRConverterFactory(webhook.NewDefaultServiceResolver(), wrap)
	if err != nil {
		t.Fatal(err)
	}
	crd := &v1.CustomResourceDefinition{}
	if err := v1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(c.CRD.DeepCopy(), crd, nil); err != nil {
		t.Fatal(err)
	}
	safe, _, err := factory.NewConverter(crd)
	if err != nil {
		t.Fatal(err)
	}
	return upstream{safe}
}

// convert has one object converted as such, and others as a list.
func (u upstream) convert(to string, objects ...Object) ([]Object, error) {
	target := schema.GroupVersion{Group: "example.com", Version: to}
	if len(objects) == 1 {
		converted, err := u.ConvertToVersion(&unstructured.Unstructured{Object: objects[0]}, target)
		if err != nil {
			return nil, err
		}
		return []Object{converted.(*unstructured.Unstructured).Object}, nil
	}
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(target.WithKind("CronTabList"))
	for _, o := range objects {
		list.Items = append(list.Items, unstructured.Unstructured{Object: o})
	}
	converted, err := u.ConvertToVersion(list, target)
	if err != nil {
		return nil, err
	}
	all := []Object{}
	for _, item := range converted.(*unstructured.UnstructuredList).Items {
		all = append(all, item.Object)
	}
	return all, nil
}

// reviewing is a CRD whose conversions ask with one ConversionReview version.
func reviewing(versions ...string) *apiextensions.CustomResourceDefinition {
	return cronTabs(func(c *apiextensions.CustomResourceConversion) { c.ConversionReviewVersions = versions })
}

// textOf is the text of an error; empty for none.
func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
