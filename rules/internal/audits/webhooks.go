package audits

import (
	"cmp"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
)

// httpsPort is the port of a service that names none (SetDefaults_ServiceReference of apiextensions/v1).
const httpsPort = 443

var webhookRules = []*engine.Rule{
	rule(lint.Error, "webhook-unreachable", "conversion webhooks whose service is missing, or has no endpoint that is ready", func(c *cluster, d *objects.Definition) {
		client := clientOf(d)
		if client == nil {
			return
		}
		for _, u := range c.Facts.Missing() {
			if v, probed := strings.CutPrefix(u.What, d.Name+"/"); probed {
				c.reportf(d, "spec conversion webhook clientConfig", lint.Error, "a read at %s fails (%s); check the webhook", text.Value(v), text.Quoted(u.Why))
				return
			}
		}
		if client.Service == nil {
			return
		}
		name := client.Service.Namespace + "/" + client.Service.Name
		why, unread := c.Facts.Unreachable(name, cmp.Or(client.Service.Port, httpsPort))
		switch {
		case unread != "":
			c.Facts.NotRead(unread, "it is not in the dump")
		case why != "":
			c.reportf(d, "spec conversion webhook clientConfig service", lint.Error,
				"the webhook cannot be called at %s: %s; requests that need a conversion fail; fix the service or clientConfig", text.Value(name), why)
		}
	}),
	rule(lint.Error, "webhook-ca", "conversion webhooks without a certificate authority, or with one that expires", func(c *cluster, d *objects.Definition) {
		client := clientOf(d)
		if client == nil {
			return
		}
		const at = "spec conversion webhook clientConfig caBundle"
		if len(client.CABundle) == 0 && client.Service != nil {
			c.reportf(d, at, lint.Warning, "the webhook has no caBundle, so API servers trust only a certificate of a public authority; set caBundle")
		}
		if said := crds.Expiry(client.CABundle, c.Now); strings.Contains(said, "expired") {
			c.reportf(d, at, lint.Error, "%s", said)
		} else if said != "" {
			c.reportf(d, at, lint.Warning, "%s", said)
		}
	}),
}

// clientOf is how a server calls the conversion webhook of a CRD; nil where it never does.
func clientOf(d *objects.Definition) *apiextensions.WebhookClientConfig {
	conversion := d.Hub.Spec.Conversion
	if conversion == nil || conversion.Strategy != apiextensions.WebhookConverter || len(d.Hub.Spec.Versions) == 1 && len(d.Hub.Status.StoredVersions) <= 1 {
		return nil
	}
	return conversion.WebhookClientConfig
}
