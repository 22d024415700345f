package serve

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubeversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/version"
)

// about answers a request that is for no object.
func (x *exchange) about() error {
	path := strings.TrimSuffix(x.req.URL.Path, "/")
	switch {
	case x.req.Method == http.MethodPost && path == "/crdlift/reset":
		if err := x.Reset(); err != nil {
			return err
		}
		x.write(http.StatusOK, metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess})
		return nil
	case x.req.Method == http.MethodPut && path == "/crdlift/objects":
		return x.putAsIs()
	case x.req.Method != http.MethodGet && x.req.Method != http.MethodHead:
		return errNoPath
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	switch {
	case path == "/version":
		minor := fmt.Sprint(version.NewestMinor())
		x.write(http.StatusOK, kubeversion.Info{Major: "1", Minor: minor, GitVersion: "v1." + minor + ".0+crdlift", GoVersion: runtime.Version(), Compiler: runtime.Compiler, Platform: runtime.GOOS + "/" + runtime.GOARCH})
	case path == "/api" || path == "/apis":
		return x.groups(path == "/api")
	case parts[0] == "apis" && len(parts) == 2:
		for _, g := range x.discovered() {
			if g.Name == parts[1] && g.Name != "" {
				return x.tell(legacyGroup(g))
			}
		}
		return errNoPath
	case parts[0] == "apis" && len(parts) == 3:
		return x.resources(schema.GroupVersion{Group: parts[1], Version: parts[2]})
	case parts[0] == "api" && len(parts) == 2:
		return x.resources(schema.GroupVersion{Version: parts[1]})
	case path == "/openapi/v2":
		x.openAPI2()
	case strings.HasPrefix(path, "/openapi/v3"):
		return x.openAPI(strings.TrimPrefix(strings.TrimPrefix(path, "/openapi/v3"), "/"))
	default:
		return errNoPath
	}
	return nil
}

// discovered are the groups that are served, with their versions in the order of preference. See DiscoveryController of
// k8s.io/apiextensions-apiserver.
func (s *Server) discovered() []apidiscovery.APIGroupDiscovery {
	resources := map[schema.GroupVersion][]apidiscovery.APIResourceDiscovery{}
	for _, k := range s.allKinds() {
		for _, name := range k.judge.Versions() {
			if v := k.version(name); v != nil {
				gv := schema.GroupVersion{Group: k.Group, Version: name}
				resources[gv] = append(resources[gv], k.discovered(v))
			}
		}
	}
	groups := map[string]*apidiscovery.APIGroupDiscovery{}
	for gv, all := range resources {
		g := groups[gv.Group]
		if g == nil {
			g = &apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: gv.Group}}
			groups[gv.Group] = g
		}
		slices.SortFunc(all, func(a, b apidiscovery.APIResourceDiscovery) int { return cmp.Compare(a.Resource, b.Resource) })
		g.Versions = append(g.Versions, apidiscovery.APIVersionDiscovery{Version: gv.Version, Resources: all, Freshness: apidiscovery.DiscoveryFreshnessCurrent})
	}
	var sorted []apidiscovery.APIGroupDiscovery
	for _, g := range groups {
		slices.SortFunc(g.Versions, func(a, b apidiscovery.APIVersionDiscovery) int {
			return kubeversion.CompareKubeAwareVersionStrings(b.Version, a.Version)
		})
		sorted = append(sorted, *g)
	}
	slices.SortFunc(sorted, func(a, b apidiscovery.APIGroupDiscovery) int { return cmp.Compare(a.Name, b.Name) })
	return sorted
}

// verbs are what can be done with objects and with their subresources.
var verbs, subresourceVerbs = []string{"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"}, []string{"get", "patch", "update"}

func (k *kind) discovered(v *request.Version) apidiscovery.APIResourceDiscovery {
	names := k.crd.Spec.Names
	gvk := metav1.GroupVersionKind(v.GroupVersionKind())
	r := apidiscovery.APIResourceDiscovery{
		Resource: names.Plural, SingularResource: names.Singular, ShortNames: names.ShortNames, Categories: names.Categories,
		Scope: apidiscovery.ScopeCluster, ResponseKind: &gvk, Verbs: verbs,
	}
	if k.crd.Spec.Scope == v1.NamespaceScoped {
		r.Scope = apidiscovery.ScopeNamespace
	}
	if v.HasStatus() {
		r.Subresources = append(r.Subresources, apidiscovery.APISubresourceDiscovery{Subresource: "status", ResponseKind: &gvk, Verbs: subresourceVerbs})
	}
	if v.HasScale() {
		scale := metav1.GroupVersionKind(scaleKind)
		r.Subresources = append(r.Subresources, apidiscovery.APISubresourceDiscovery{Subresource: "scale", ResponseKind: &scale, Verbs: subresourceVerbs})
	}
	return r
}

// aggregated allows discovery to be asked for as a whole.
type aggregated struct {
	negotiation.EndpointRestrictions
}

func (aggregated) AllowsMediaTypeTransform(_, _ string, to *schema.GroupVersionKind) bool {
	return to == nil || *to == apidiscovery.SchemeGroupVersion.WithKind("APIGroupDiscoveryList")
}

// groups answers which groups there are, or only the one of built-in kinds: all of them at once for clients that ask so.
func (x *exchange) groups(core bool) (err error) {
	all := slices.DeleteFunc(x.discovered(), func(g apidiscovery.APIGroupDiscovery) bool { return (g.Name == "") != core })
	if x.accepted, _, err = negotiation.NegotiateOutputMediaType(x.req, codecs, aggregated{negotiation.DefaultEndpointRestrictions}); err != nil {
		return err
	}
	if to := x.accepted.Convert; to != nil {
		list := apidiscovery.APIGroupDiscoveryList{Items: all}
		list.SetGroupVersionKind(*to)
		x.w.Header().Set("Content-Type", "application/json;g="+to.Group+";v="+to.Version+";as="+to.Kind)
		x.w.WriteHeader(http.StatusOK)
		return json.NewEncoder(x.w).Encode(list)
	}
	if core {
		x.write(http.StatusOK, metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}, ServerAddressByClientCIDRs: []metav1.ServerAddressByClientCIDR{}})
		return nil
	}
	list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: []metav1.APIGroup{}}
	for _, g := range all {
		one := legacyGroup(g)
		one.TypeMeta = metav1.TypeMeta{}
		list.Groups = append(list.Groups, one)
	}
	x.write(http.StatusOK, list)
	return nil
}

func legacyGroup(g apidiscovery.APIGroupDiscovery) metav1.APIGroup {
	one := metav1.APIGroup{TypeMeta: metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}, Name: g.Name}
	for _, v := range g.Versions {
		one.Versions = append(one.Versions, metav1.GroupVersionForDiscovery{GroupVersion: g.Name + "/" + v.Version, Version: v.Version})
	}
	one.PreferredVersion = one.Versions[0]
	return one
}

// resources answers which resources a version of a group has.
func (x *exchange) resources(gv schema.GroupVersion) error {
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: gv.String()}
	for _, g := range x.discovered() {
		for _, v := range g.Versions {
			if (schema.GroupVersion{Group: g.Name, Version: v.Version}) != gv {
				continue
			}
			for _, r := range v.Resources {
				all := legacyResources(r)
				if k := x.kindOf(schema.GroupResource{Group: gv.Group, Resource: r.Resource}); k != nil {
					all[0].StorageVersionHash = hash(k.judge.Storage().GroupVersionKind())
				}
				list.APIResources = append(list.APIResources, all...)
			}
		}
	}
	if list.APIResources == nil {
		return errNoPath
	}
	return x.tell(list)
}

// tell answers with what there is, if the client accepts a format that it can have.
func (x *exchange) tell(value any) (err error) {
	if x.accepted, _, err = negotiation.NegotiateOutputMediaType(x.req, codecs, negotiation.DefaultEndpointRestrictions); err == nil {
		x.write(http.StatusOK, value)
	}
	return err
}

// hash is StorageVersionHash of k8s.io/apiserver's discovery, which links a framework for its handlers.
func hash(stored schema.GroupVersionKind) string {
	sum := sha256.Sum256([]byte(stored.Group + "/" + stored.Version + "/" + stored.Kind))
	return base64.StdEncoding.EncodeToString(sum[:8])
}

func legacyResources(r apidiscovery.APIResourceDiscovery) []metav1.APIResource {
	namespaced := r.Scope == apidiscovery.ScopeNamespace
	all := []metav1.APIResource{{
		Name: r.Resource, SingularName: r.SingularResource, Namespaced: namespaced, Kind: r.ResponseKind.Kind, Verbs: r.Verbs, ShortNames: r.ShortNames, Categories: r.Categories,
	}}
	for _, sub := range r.Subresources {
		one := metav1.APIResource{Name: r.Resource + "/" + sub.Subresource, Namespaced: namespaced, Kind: sub.ResponseKind.Kind, Verbs: sub.Verbs}
		if *sub.ResponseKind != *r.ResponseKind {
			one.Group, one.Version = sub.ResponseKind.Group, sub.ResponseKind.Version
		}
		all = append(all, one)
	}
	return all
}

// putAsIs stores an object as it is, as one that was there before the CRD became what it is.
func (x *exchange) putAsIs() error {
	raw, err := x.body()
	if err != nil {
		return err
	}
	o, err := decodeStored(raw)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	shown, err := x.Put(o)
	if err != nil {
		return err
	}
	x.write(http.StatusOK, shown)
	return nil
}
