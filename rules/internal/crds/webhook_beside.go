package crds

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apimachinery/pkg/util/validation"
)

// besides are the objects that are sure to be applied together with CRDs, by their kinds and names.
type besides struct {
	named  map[[2]string][]engine.Companion
	within map[[2]string][]string // those of a kind and a namespace, as messages have them; all where the namespace is ""
}

func besidesOf(all []engine.Companion) *besides {
	b := &besides{map[[2]string][]engine.Companion{}, map[[2]string][]string{}}
	for _, c := range all {
		b.named[[2]string{c.Kind, c.Name}] = append(b.named[[2]string{c.Kind, c.Name}], c)
		id := strings.TrimPrefix(c.Namespace+"/"+c.Name, "/")
		for _, namespace := range slices.Compact([]string{"", c.Namespace}) {
			b.within[[2]string{c.Kind, namespace}] = append(b.within[[2]string{c.Kind, namespace}], id)
		}
	}
	return b
}

// enough objects of a name leave open which one counts.
const enough = 2

// mayBe are the objects that may have a name where it counts. One whose namespace or name is not known may get any, and
// kustomize puts prefixes and suffixes to names, but not to those in CRDs, where people write the result. No more than enough are listed.
func (b *besides) mayBe(kind, namespace, name string) (all []engine.Companion) {
	names := []string{"", name}
	for i, r := range name {
		if r == '-' {
			names = append(names, name[:i], name[i+1:])
		}
	}
	for _, name := range names {
		for _, c := range b.named[[2]string{kind, name}] {
			if n := c.Namespace; n == "" || n == namespace || strings.HasPrefix(namespace, n+"-") || strings.HasSuffix(namespace, "-"+n) {
				if all = append(all, c); len(all) == enough {
					return all
				}
			}
		}
	}
	return all
}

// maxMeant is among how many objects one that was meant is looked for.
const maxMeant = 100

// missing reports whether no object has a name, and asks for the one that was meant, if one is near. Where there are none at
// all, they may be elsewhere: it then is false, as it is where one may have the name.
func (b *besides) missing(kind, in, id string) (ask string, is bool) {
	namespace, name, _ := strings.Cut(id, "/")
	known := b.within[[2]string{kind, in}]
	if len(known) == 0 || len(validation.IsDNS1123Label(namespace))+len(validation.IsDNS1123Subdomain(name)) > 0 || len(b.mayBe(kind, namespace, name)) > 0 {
		return "", false
	}
	known = known[:min(len(known), maxMeant)]
	meant := text.Nearest(id, known)
	if len(meant) == 0 {
		only := len(known) == 1 && in == ""
		meant = slices.DeleteFunc(slices.Clone(known), func(k string) bool { return !only && !strings.HasSuffix(k, "/"+name) })
	}
	if len(meant) == 0 {
		return "", true
	}
	return " (" + text.DidYouMean(meant[0]) + ")", true
}

// missingBeside reports what the conversion webhooks of CRDs name and nothing beside them is.
func missingBeside(s *engine.Set) {
	units := map[string]*besides{}
	for _, c := range s.CRDs {
		unit := s.Unit(c)
		if units[unit] == nil {
			units[unit] = besidesOf(s.Companions(unit))
		}
		b := units[unit]
		if id := c.InjectedFrom; id.Value != "" {
			if ask, missing := b.missing("Certificate", "", id.Value); missing {
				s.Reportf(c, id, "these manifests have no Certificate %s%s, so conversions fail; correct the name", text.Value(id.Value), ask)
			}
		}
		if id := c.Service; id.Value != "" {
			namespace, _, _ := strings.Cut(id.Value, "/")
			if ask, missing := b.missing("Service", namespace, id.Value); missing {
				s.Reportf(c, id, "these manifests have no Service %s%s, so conversions fail; correct the name", text.Value(id.Value), ask)
				continue
			}
			reportPort(s, c, b)
		}
	}
}

// reportPort reports a port that the Service of a webhook does not have (findServicePort of k8s.io/apiserver/pkg/util/proxy).
func reportPort(s *engine.Set, c *engine.Summary, b *besides) {
	namespace, name, _ := strings.Cut(c.Service.Value, "/")
	services := b.mayBe("Service", namespace, name)
	if len(services) != 1 || services[0].Name != name || len(services[0].Ports) == 0 {
		return
	}
	var ports []string
	for _, port := range services[0].Ports {
		ports = append(ports, strconv.Itoa(port))
	}
	if !slices.Contains(ports, c.ServicePort.Value) {
		s.Reportf(c, c.ServicePort, "Service %s has no port %s, only %s, so conversions fail; correct the port",
			text.Value(c.Service.Value), text.Value(c.ServicePort.Value), text.Names(ports))
	}
}
