package crds

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"slices"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

var caBundle = []*engine.Rule{
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
					p.Refusef(w.Place, "caBundle %s is not base64; put in the base64 of the certificate, or leave it out", text)
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
	Check(lint.Warning, "webhook-cabundle-placeholder", "stand-ins where a tool puts the certificate later", func(p *engine.Pass) {
		b := bundleOf(p.CRD)
		if len(b.decoded) > 0 && b.standIn() && !apiserver.UsableCABundle(b.decoded) {
			p.Reportf(b.at, "caBundle %s is a stand-in; since 1.31 the CRD is not established until it is replaced: leave it out", text.Quoted(b.text)).
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
			if c.strategy == "Webhook" && crd.Get(c.config.Node, "service") != nil && crd.StringAt(c.config.Node, "caBundle") == "" && !injected(p.CRD) {
				f := p.Report(c.config.At("service"), "the webhook's service has no caBundle, and no annotation asks an injector such as cert-manager for one")
				f.Remedy = []lint.Change{origin.ToChoose("metadata.annotations", "cert-manager.io/inject-ca-from")}
				f.PatchedBy = &crd.Lack{CABundle: true, Annotations: injectors}
			}
		},
	},
	inAll(Check(lint.Warning, "webhook-cabundle-expired", "caBundles whose certificates have expired, or will within 30 days",
		func(p *engine.Pass) {
			b := bundleOf(p.CRD)
			if len(b.decoded) > 0 {
				p.AsksTime()
			}
			if problem := expiry(b.decoded, timeNow()); problem != "" {
				p.Report(b.at, problem)
			}
		})),
}

func refuseCABundle(p *engine.Pass, r engine.Refusal) {
	p.Refuse(r.At, "caBundle holds no PEM certificate; put one in, or leave it out")
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

// injected reports whether an annotation asks for a caBundle.
func injected(c *crd.CRD) bool {
	return slices.ContainsFunc(crd.Entries(crd.Get(c.Node, "metadata", "annotations")), func(e crd.Entry) bool {
		return slices.ContainsFunc(injectors, func(prefix string) bool { return strings.HasPrefix(e.Name, prefix) })
	})
}

// timeNow is the clock.
var timeNow = time.Now

// soon is how long before its end a certificate is worth a word.
const soon = 30 * 24 * time.Hour

// expiry says when the last certificate of a bundle ends, if that has been or is soon; "" otherwise.
func expiry(bundle []byte, at time.Time) string {
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
		return "the certificate in caBundle expired on " + day + "; every call of the webhook fails"
	default:
		return "the certificate in caBundle expires on " + day + "; every call of the webhook will fail then"
	}
}
