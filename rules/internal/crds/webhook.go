package crds

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apimachinery/pkg/util/validation"
)

// clientConfigPath is the name of a webhook's client configuration in the manifest's API version, below conversion.
func clientConfigPath(c *crd.CRD) string {
	if c.Version == crd.V1 {
		return "webhook.clientConfig"
	}
	return "webhookClientConfig"
}

var Webhook = []*engine.Rule{
	Following([]string{"v1beta1-field-in-v1"},
		dependent([]string{"spec.conversion.strategy"}, refusal("webhook-config-required", "strategy Webhook without a client configuration",
			func(p *engine.Pass, r engine.Refusal) {
				conversion := crd.Get(p.CRD.Node, "spec", "conversion")
				other, version := "webhookClientConfig", "v1beta1"
				if p.CRD.Version != crd.V1 {
					other, version = "webhook", "v1"
				}
				if k, _ := crd.Lookup(conversion, other); k != nil {
					p.Refusef(crd.Place{Node: k, Path: "spec.conversion." + other},
						"strategy Webhook needs %s; rename %s, its name in %s", clientConfigPath(p.CRD), other, version)
					return
				}
				p.Refusef(r.At, "strategy Webhook needs %s; write it with a service or a url", clientConfigPath(p.CRD))
			}))),
	dependent([]string{"spec.conversion.strategy"},
		refusal("webhook-config-forbidden", "configuration of a webhook without strategy Webhook",
			func(p *engine.Pass, r engine.Refusal) {
				c := ConversionOf(p.CRD)
				if r.Row == apiserver.ReviewVersionsUnexpected && c.config.Node != nil {
					return // said at the client configuration already
				}
				f := p.Refusef(r.At, "%s requires strategy: Webhook, but strategy is %s; remove %[1]s, or write strategy: Webhook",
					crd.LastField(r.At.Path), strategyWord(c.strategy))
				if c.strategy != "None" {
					return
				}
				f.Fix = &engine.Fix{Title: "remove the webhook's configuration", Apply: func(c *crd.CRD) bool {
					conversion := crd.Get(c.Node, "spec", "conversion")
					if crd.StringAt(conversion, "strategy") != "None" {
						return false
					}
					removed := false
					for _, key := range []string{"webhook", "webhookClientConfig", "conversionReviewVersions"} {
						removed = len(layout.Remove(conversion, key)) > 0 || removed
					}
					return removed
				}}
			})),
	refusal("webhook-client-target", "webhooks with both a url and a service, or with neither", func(p *engine.Pass, r engine.Refusal) {
		if crd.Get(r.At.Node, "url") != nil && crd.Get(r.At.Node, "service") != nil {
			p.Refuse(r.At.KeyOf("url"), "the webhook has both url and service; keep one of them")
			return
		}
		p.Refuse(r.At, "the webhook has neither url nor service; write one of them")
	}),
	refusal("webhook-url-invalid", "webhook URLs that the API server rejects", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "webhook url %s %s", text.Quoted(crd.StringAt(r.At.Node)), urlProblem(r, crd.StringAt(r.At.Node)))
	}),
	Check(lint.Warning, "webhook-url-localhost", "webhook URLs that point to the API server's own host", func(p *engine.Pass) {
		at, host := webhookHost(p.CRD)
		ip := net.ParseIP(host)
		if at.Node != nil && (host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()) {
			p.Reportf(at, "%s is the API server's own host, where the webhook would have to run; name a service of the cluster instead", text.Quoted(host))
		}
	}),
	Check(lint.Warning, "webhook-url-cluster-service", "webhook URLs that name a service of the cluster", func(p *engine.Pass) {
		at, host := webhookHost(p.CRD)
		if at.Node != nil && (strings.HasSuffix(host, ".svc") || strings.HasSuffix(host, ".svc.cluster.local")) {
			p.Reportf(at, "the API server may not resolve %s, a service of the cluster; write service instead of url", text.Quoted(host))
		}
	}),
	refusal("webhook-service-invalid", "webhook services without a name or a namespace, or with an impossible port",
		func(p *engine.Pass, r engine.Refusal) {
			switch r.Row {
			case apiserver.ServiceNameMissing:
				p.Refuse(r.At, "the webhook's service has no name; write one")
			case apiserver.ServiceNamespaceMissing:
				p.Refuse(r.At, "the webhook's service has no namespace; write one, since CRDs have none to default to")
			default:
				p.Refusef(r.At, "the webhook's port is %v; write one from 1 to 65535", r.BadValue)
			}
		}),
	refusal("webhook-service-path-invalid", "webhook service paths that the API server rejects", func(p *engine.Pass, r engine.Refusal) {
		p.Refuse(r.At, pathProblem(crd.StringAt(r.At.Node)))
	}),
	convention("webhook-service-port", "webhook services at a port other than 443", func(p *engine.Pass) {
		hub, config := p.Hub(), ConversionOf(p.CRD).config
		if hub == nil || hub.Spec.Conversion == nil || hub.Spec.Conversion.WebhookClientConfig == nil {
			return
		}
		if s := hub.Spec.Conversion.WebhookClientConfig.Service; s != nil && s.Port != 443 && s.Port > 0 && s.Port <= 65535 {
			at := crd.Place{Node: crd.Get(config.Node, "service", "port"), Path: config.Path + ".service.port"}
			p.Reportf(at, "the API server calls the webhook's service at port %d, which firewalls of private clusters may block; open the port of its pods to the control plane", s.Port)
		}
	}),
	{
		ID:       "webhook-cabundle-invalid",
		Reading:  true,
		Summary:  "caBundles that are not the base64 of PEM certificates",
		Severity: lint.Error,
		Run: func(p *engine.Pass) {
			refused(p, refuseCABundle)
			for _, w := range p.WrongTypes() {
				if w.Want == crd.Base64 {
					text := text.Quoted(crd.StringAt(w.Place.Node))
					p.Refusef(w.Place, "caBundle %s is not base64; write the certificate in base64, or leave it out", text)
				}
			}
			b := bundleOf(p.CRD)
			if p.Hub() != nil && len(b.decoded) > 0 && !b.standIn() && !apiserver.UsableCABundle(b.decoded) {
				p.Report(b.at, conversion.UnusableBundle)
				return // that it will not convert either follows from it
			}
			unconvertible(p, refuseCABundle)
		},
	},
	Check(lint.Warning, "webhook-cabundle-placeholder", "placeholders where a tool puts the certificate later", func(p *engine.Pass) {
		b := bundleOf(p.CRD)
		if len(b.decoded) > 0 && b.standIn() && !apiserver.UsableCABundle(b.decoded) {
			p.Reportf(b.at, "caBundle %s is a placeholder, which keeps the CRD from being established since 1.31; leave it out", text.Quoted(b.text)).
				Fix = removeAt("remove caBundle", false, b.at.Path)
		}
	}),
	{
		ID:        "webhook-cabundle-missing",
		Annotates: true,
		Follows:   []string{"webhook-service-invalid"},
		DependsOn: []string{"*.caBundle"},
		Summary:   "webhook services with neither a caBundle nor a mark for an injector",
		Severity:  lint.Info,
		Preset:    lint.All,
		Run: func(p *engine.Pass) {
			c := ConversionOf(p.CRD)
			if c.strategy == "Webhook" && crd.Get(c.config.Node, "service") != nil && crd.StringAt(c.config.Node, "caBundle") == "" && Injector(p.CRD) == "" {
				f := p.Report(c.config.At("service"), "the webhook's service has no caBundle, and no annotation asks an injector such as cert-manager for one; add one of the two")
				f.Remedy = []lint.Change{origin.ToChoose("metadata.annotations", "cert-manager.io/inject-ca-from")}
				f.PatchedBy = &crd.Lack{CABundle: true, Annotations: injectors}
			}
		},
	},
	{
		ID:       "webhook-reference-missing",
		Summary:  "conversion webhooks that name a Certificate, Service or port that is missing where others are there",
		Severity: lint.Warning,
		Across:   missingBeside,
	},
	InAll(Check(lint.Warning, "webhook-cabundle-expired", "caBundles whose certificates have expired, or will within 30 days",
		func(p *engine.Pass) {
			b := bundleOf(p.CRD)
			if len(b.decoded) > 0 {
				p.AsksTime()
			}
			if problem := Expiry(b.decoded, timeNow()); problem != "" {
				p.Report(b.at, problem)
			}
		})),
}

func strategyWord(strategy string) text.Text {
	if strategy == "" {
		return text.Value("missing")
	}
	return text.Quoted(strategy)
}

// urlProblem says what is wrong with a webhook's url, and what to do.
func urlProblem(r engine.Refusal, text string) string {
	switch r.Row {
	case apiserver.URLUnreadable:
		why := "it does not parse"
		var detail *url.Error
		if _, err := url.Parse(text); errors.As(err, &detail) {
			why = detail.Err.Error()
		}
		return "is not a URL (" + why + "); write https://host/path"
	case apiserver.URLNotHTTPS:
		if r.BadValue == "" {
			return "has no scheme; write https://host/path"
		}
		return "is not https, which webhooks require; write https://host/path"
	}
	return map[apiserver.Row]string{
		apiserver.URLWithoutHost:  "has no host; write https://host/path",
		apiserver.URLWithUser:     "has a user or a password; remove them",
		apiserver.URLWithFragment: "has a fragment; remove what follows the #",
		apiserver.URLWithQuery:    "has a query; remove what follows the ?",
	}[r.Row]
}

// webhookHost is the host of the webhook's url, in lower case and without a port, and the url's place.
func webhookHost(c *crd.CRD) (at crd.Place, host string) {
	config := ConversionOf(c).config
	u, err := url.Parse(crd.StringAt(config.Node, "url"))
	if err != nil || u.Host == "" {
		return crd.Place{}, ""
	}
	return config.At("url"), strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}

// pathProblem says what is wrong with a service's path: the first thing that is, since what follows from it is reported
// again by the server.
func pathProblem(path string) string {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return fmt.Sprintf("service path %s must begin with a slash", text.Quoted(path))
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(rest, "/"), "/") {
		if part == "" {
			return fmt.Sprintf("service path %s has an empty part between two slashes; remove one slash", text.Quoted(path))
		}
		if len(validation.IsDNS1123Subdomain(part)) > 0 {
			return fmt.Sprintf("%s in the service path is not a DNS name; use lower-case letters, digits, dashes and dots", text.Quoted(part))
		}
	}
	return fmt.Sprintf("the API server rejects the service path %s; correct it", text.Quoted(path))
}

func refuseCABundle(p *engine.Pass, r engine.Refusal) {
	p.Refuse(r.At, "caBundle holds no PEM certificate; write one, or leave it out")
}

// A bundle is the caBundle of a webhook that is called.
type bundle struct {
	at      crd.Place
	text    string // as it is written
	decoded []byte // nil where there is none, or what is not base64
}

func bundleOf(c *crd.CRD) bundle {
	conversion := ConversionOf(c)
	n := crd.Get(conversion.config.Node, "caBundle")
	if n == nil || conversion.strategy != "Webhook" {
		return bundle{}
	}
	decoded, err := base64.StdEncoding.DecodeString(stringOf(n))
	if err != nil {
		return bundle{}
	}
	return bundle{conversion.config.At("caBundle"), stringOf(n), decoded}
}

// maxStandIn is how long, in bytes, a text may be to be taken for a stand-in rather than for a broken certificate.
const maxStandIn = 32

// standIn reports whether the bundle is what people write where a tool puts the certificate later: blank, a word or two,
// or PEM around nothing.
func (b bundle) standIn() bool {
	text := bytes.TrimSpace(b.decoded)
	upper := strings.ToUpper(string(text))
	return len(text) == 0 ||
		len(text) <= maxStandIn && !bytes.Contains(text, []byte("-----")) && printable(text) ||
		strings.Contains(upper, "PLACEHOLDER") || strings.Contains(upper, "CA_BUNDLE") || strings.Contains(upper, "CABUNDLE")
}

func printable(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// injectors are annotations, and beginnings of annotations, by which something is asked to fill caBundle in.
var injectors = []string{
	"cert-manager.io/inject-", "certmanager.k8s.io/inject-", "service.beta.openshift.io/inject-cabundle",
	"service.alpha.openshift.io/inject-cabundle",
}

// Injector is the annotation of a CRD by which something is asked to fill caBundle in; "" when none is.
func Injector(c *crd.CRD) string {
	for _, e := range crd.Entries(crd.Get(c.Node, "metadata", "annotations")) {
		if slices.ContainsFunc(injectors, func(prefix string) bool { return strings.HasPrefix(e.Name, prefix) }) {
			return e.Name
		}
	}
	return ""
}

var timeNow = time.Now

// soon is how long before its end a certificate is worth a word.
const soon = 30 * 24 * time.Hour

// Expiry says when the last certificate of a bundle ends, if that has been or is soon; "" otherwise.
func Expiry(bundle []byte, at time.Time) string {
	var last time.Time
	for block, rest := pem.Decode(bundle); block != nil; block, rest = pem.Decode(rest) {
		if c, err := x509.ParseCertificate(block.Bytes); err == nil && c.NotAfter.After(last) {
			last = c.NotAfter
		}
	}
	switch day := last.UTC().Format(time.DateOnly); {
	case last.IsZero() || last.After(at.Add(soon)):
		return ""
	case last.Before(at):
		return "the certificate in caBundle expired on " + day + ", so every call of the webhook fails; renew it"
	default:
		return "the certificate in caBundle expires on " + day + ", when every call of the webhook begins to fail; renew it"
	}
}
