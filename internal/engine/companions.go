package engine

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
)

// A Companion is an object next to CRDs that their conversion webhooks may name: a Service, or a Certificate of cert-manager.
type Companion struct {
	_               struct{} `cbor:",toarray"`
	Kind            string
	Namespace, Name string // "" for what is not written, or written as no server takes it: it may become any
	Ports           []int  // of a Service; none where they are not known, or do not matter
}

// companionsOf are the companions in a document.
func companionsOf(root *yaml.Node) (all []Companion) {
	found, _ := objects.Find(root)
	for _, o := range found {
		c := Companion{Kind: o.Kind, Namespace: nameOrAny(o.Namespace), Name: nameOrAny(o.Name)}
		switch {
		case o.Kind == "Service" && o.Group == "":
			c.Ports = portsOf(o.Node)
		case o.Kind != "Certificate" || o.Group != "cert-manager.io" && o.Group != "certmanager.k8s.io":
			continue
		}
		all = append(all, c)
	}
	return all
}

func nameOrAny(name string) string {
	if len(validation.IsDNS1123Subdomain(name)) > 0 {
		return ""
	}
	return name
}

// portsOf are the ports of a Service among which a server looks for that of a webhook (ResolveCluster of
// k8s.io/apiserver/pkg/util/proxy): not those of an external name.
func portsOf(service *yaml.Node) (ports []int) {
	if crd.StringAt(service, "spec", "type") == "ExternalName" {
		return nil
	}
	for _, item := range crd.Items(crd.Get(service, "spec", "ports")) {
		n := crd.Deref(crd.Get(item, "port"))
		if n == nil {
			return nil
		}
		port, err := strconv.Atoi(n.Value)
		if err != nil {
			return nil
		}
		ports = append(ports, port)
	}
	return ports
}

// nameCompanions notes the companions that the conversion webhook of the CRD names.
func (p *Pass) nameCompanions(s *Summary) {
	hub := p.Hub()
	if hub == nil || hub.Spec.Conversion == nil || hub.Spec.Conversion.WebhookClientConfig == nil {
		return
	}
	config := hub.Spec.Conversion.WebhookClientConfig
	if config.Service != nil {
		const service = "spec.conversion.webhookClientConfig.service."
		s.Service = p.nameAt(p.CRD.LocateExactly(service + "name"))
		s.Service.Value = config.Service.Namespace + "/" + config.Service.Name
		s.ServicePort = p.nameAt(p.CRD.LocateExactly(service + "port"))
		s.ServicePort.Value = strconv.Itoa(int(config.Service.Port))
	}
	if len(config.CABundle) > 0 && apiserver.UsableCABundle(config.CABundle) {
		return // without an injector, too
	}
	for _, key := range []string{"cert-manager.io/inject-ca-from", "certmanager.k8s.io/inject-ca-from"} {
		if n := p.name("metadata", "annotations", key); n.Value != "" {
			s.InjectedFrom = n
		}
	}
}

// Companions are those in a unit.
func (s *Set) Companions(unit string) []Companion { return s.companions[unit] }
