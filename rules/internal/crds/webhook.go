package crds

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
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

var webhookConfig = []*engine.Rule{
	following([]string{"v1beta1-field-in-v1"},
		dependent([]string{"spec.conversion.strategy"}, refusal("webhook-config-required", "strategy Webhook without a client configuration",
			func(p *engine.Pass, r engine.Refusal) {
				conversion := crd.Get(p.CRD.Node, "spec", "conversion")
				other, version := "webhookClientConfig", "v1beta1"
				if p.CRD.Version != crd.V1 {
					other, version = "webhook", "v1"
				}
				if k, _ := crd.Lookup(conversion, other); k != nil {
					p.Refusef(crd.Place{Node: k, Path: "spec.conversion." + other},
						"strategy Webhook needs %s; %s is its name in %s", clientConfigPath(p.CRD), other, version)
					return
				}
				p.Refusef(r.At, "strategy Webhook needs %s, with a service or a url", clientConfigPath(p.CRD))
			}))),
	dependent([]string{"spec.conversion.strategy"},
		refusal("webhook-config-forbidden", "configuration of a webhook without strategy Webhook",
			func(p *engine.Pass, r engine.Refusal) {
				c := ConversionOf(p.CRD)
				if r.Row == apiserver.ReviewVersionsUnexpected && c.config.Node != nil {
					return // said at the client configuration already
				}
				f := p.Refusef(r.At, "%s requires strategy: Webhook, and strategy is %s; remove it or change the strategy",
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
			p.Refuse(r.At.KeyOf("url"), "the webhook has both url and service; keep the one that is to be called")
			return
		}
		p.Refuse(r.At, "the webhook has neither url nor service; write which one is to be called")
	}),
}

func strategyWord(strategy string) text.Text {
	if strategy == "" {
		return text.Value("missing")
	}
	return text.Quoted(strategy)
}

var webhookURL = []*engine.Rule{
	refusal("webhook-url-invalid", "webhook URLs that the API server refuses", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "webhook url %s %s", text.Quoted(crd.StringAt(r.At.Node)), urlProblem(r, crd.StringAt(r.At.Node)))
	}),
	Check(lint.Warning, "webhook-url-localhost", "webhook URLs that point to the API server's own host", func(p *engine.Pass) {
		at, host := webhookHost(p.CRD)
		ip := net.ParseIP(host)
		if at.Node != nil && (host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()) {
			p.Reportf(at, "%s is the API server's own host; the webhook must run on each of them. Name a service of the cluster", text.Quoted(host))
		}
	}),
	Check(lint.Warning, "webhook-url-cluster-service", "webhook URLs that name a service of the cluster", func(p *engine.Pass) {
		at, host := webhookHost(p.CRD)
		if at.Node != nil && (strings.HasSuffix(host, ".svc") || strings.HasSuffix(host, ".svc.cluster.local")) {
			p.Reportf(at, "%s is a service of the cluster, whose name the API server may not resolve; write service instead of url", text.Quoted(host))
		}
	}),
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
		return "is not https; webhooks are called by https only"
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

var webhookService = []*engine.Rule{
	refusal("webhook-service-invalid", "webhook services without a name or a namespace, or with an impossible port",
		func(p *engine.Pass, r engine.Refusal) {
			switch r.Row {
			case apiserver.ServiceNameMissing:
				p.Refuse(r.At, "the webhook's service has no name")
			case apiserver.ServiceNamespaceMissing:
				p.Refuse(r.At, "the webhook's service has no namespace; a CustomResourceDefinition has none to look in by default")
			default:
				p.Refusef(r.At, "the webhook's port %v is not from 1 to 65535", r.BadValue)
			}
		}),
	refusal("webhook-service-path-invalid", "webhook service paths that the API server refuses", func(p *engine.Pass, r engine.Refusal) {
		p.Refuse(r.At, pathProblem(crd.StringAt(r.At.Node)))
	}),
	Check(lint.Info, "webhook-service-port", "webhook services at a port other than 443", func(p *engine.Pass) {
		hub, config := p.Hub(), ConversionOf(p.CRD).config
		if hub == nil || hub.Spec.Conversion == nil || hub.Spec.Conversion.WebhookClientConfig == nil {
			return
		}
		if s := hub.Spec.Conversion.WebhookClientConfig.Service; s != nil && s.Port != 443 && s.Port > 0 && s.Port <= 65535 {
			at := crd.Place{Node: crd.Get(config.Node, "service", "port"), Path: config.Path + ".service.port"}
			p.Reportf(at, "the webhook's service is called at port %d; private clusters often open only 443 to the API server", s.Port)
		}
	}),
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
			return fmt.Sprintf("service path %s has an empty part between two slashes", text.Quoted(path))
		}
		if len(validation.IsDNS1123Subdomain(part)) > 0 {
			return fmt.Sprintf("%s in the service path is not a DNS name; use lower-case letters, digits, dashes and dots", text.Quoted(part))
		}
	}
	return fmt.Sprintf("service path %s is refused", text.Quoted(path))
}
