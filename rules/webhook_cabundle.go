package rules

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var caBundle = []*lint.Rule{
	{
		ID:       "webhook-cabundle-invalid",
		Summary:  "caBundles that are not the base64 of PEM certificates",
		Severity: lint.Error,
		Doc: `caBundle is the base64 of one or more certificates in PEM. What is not base64 makes the manifest unreadable: the server
answers 400. What is base64 of something else is worse: the CustomResourceDefinition is created, but since Kubernetes 1.31
it is never Established, and nobody is told why except its status.

**What to do**: put in ` + "`base64 -w0 ca.crt`" + `, or leave caBundle out and let an injector such as cert-manager fill it in.

**When to ignore it**: when a tool replaces the value before it is applied. It can as well add it.

**Source**: ValidateCABundle of k8s.io/apiserver; the establishing controller of k8s.io/apiextensions-apiserver;
https://github.com/kubernetes/kubernetes/pull/124061.`,
		Run: enforcedOr(refuseCABundle, func(p *lint.Pass) {
			b := bundleOf(p.CRD)
			switch {
			case b.at.Node == nil:
			case p.DecodeError() != nil && b.encoding != nil:
				p.Refuse(b.at, fmt.Sprintf("caBundle %s is not base64; put in the base64 of the certificate, or leave it out", shortened(b.text)))
			case p.Hub() != nil && b.called && len(b.decoded) > 0 && !b.standIn() && !apiserver.UsableCABundle(b.decoded):
				p.Report(b.at, "caBundle holds no PEM certificate; since Kubernetes 1.31 the CRD is created but never established")
			}
		}),
	},
}

func refuseCABundle(p *lint.Pass, r lint.Refusal) {
	p.Refuse(r.At, "caBundle holds no PEM certificate; put one in, or leave it out")
}

// enforcedOr is enforced for a rule that also has something to say that no error of the server's validation tells.
func enforcedOr(explain func(*lint.Pass, lint.Refusal), more func(*lint.Pass)) func(*lint.Pass) {
	run := enforced(explain)
	return func(p *lint.Pass) {
		run(p)
		more(p)
	}
}

// A bundle is a caBundle of a manifest.
type bundle struct {
	at       crd.Place // its Node is nil where there is none
	text     string    // as it is written
	decoded  []byte
	encoding error // why it is not base64
	called   bool  // the strategy is Webhook
}

func bundleOf(c *crd.CRD) bundle {
	conversion := conversionOf(c)
	n := crd.Get(conversion.config.Node, "caBundle")
	if n == nil || n.Kind != yaml.ScalarNode || crd.IsNull(n) {
		return bundle{}
	}
	b := bundle{at: crd.Place{Node: n, Path: crd.Join(conversion.config.Path, "caBundle")}, text: crd.StringAt(n), called: conversion.strategy == "Webhook"}
	if b.text == "" && n.Value != "" {
		return bundle{} // a number, say: of the wrong type
	}
	b.decoded, b.encoding = base64.StdEncoding.DecodeString(b.text)
	return b
}

// maxStandIn is how long, in bytes, a text may be to be taken for a stand-in rather than for a broken certificate.
const maxStandIn = 32

// standIn says whether the bundle is what people write where a tool puts the certificate later: blank, a word or two,
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

// shortened is a long value of the user's in a message.
func shortened(text string) string {
	if r := []rune(text); len(r) > 24 {
		return fmt.Sprintf("%q…", string(r[:24]))
	}
	return fmt.Sprintf("%q", text)
}
