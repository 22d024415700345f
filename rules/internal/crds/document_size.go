package crds

import (
	"bytes"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Limits of what holds a CRD on its way, in bytes.
const (
	AnnotationLimit = 262144              // all annotations of an object together: TotalAnnotationSizeLimitB
	EtcdLimit       = 3 * 1024 * 1024 / 2 // one request to etcd, by default: --max-request-bytes
	RequestLimit    = 3 * 1024 * 1024     // one request to the API server: MaxRequestBodyBytes
	surelySmall     = AnnotationLimit / 2 // as YAML; no JSON of that is twice as long, unless aliases repeat parts of it
)

// manifestTooLarge is an error where the API server refuses the manifest, and a warning where tools fail.
var manifestTooLarge = &engine.Rule{
	ID:       "manifest-too-large",
	Summary:  "CRDs that are larger than servers or kubectl accept",
	Severity: lint.Error,
	Run: enforcedOr(func(p *engine.Pass, r engine.Refusal) {
		p.Refuse(r.At, "the annotations hold more than 262144 bytes in all, which is the most an object may have")
	}, reportSize),
}

// reportSize reports a manifest that is too large for one of the limits, the highest that it exceeds.
func reportSize(p *engine.Pass) {
	text := p.Document().Text()
	if len(text) < surelySmall && bytes.IndexByte(text, '&') < 0 || len(p.Refusals()) > 0 {
		return
	}
	size, err := yaml11.JSONSize(p.CRD.Node)
	if err != nil || size <= AnnotationLimit {
		return
	}
	limit := "client-side kubectl apply fails above 262144; use --server-side"
	switch {
	case size > RequestLimit:
		limit = "the API server takes no request above 3 MiB"
	case size > EtcdLimit:
		limit = "etcd takes 1.5 MiB by default"
	}
	name, _ := p.CRD.Resolve([]string{"metadata", "name"})
	described := 100 * descriptionBytes(p.CRD.Node) / size
	f := p.Reportf(name, "the CRD has %d bytes as JSON, %d%% of them descriptions; %s", size, described, limit)
	if size <= RequestLimit {
		f.AtMost(lint.Warning)
	}
}

// descriptionBytes counts the bytes of what is called description, as often as aliases repeat it. The node has a JSON, so
// that it does not contain itself.
func descriptionBytes(n *yaml.Node) int {
	n = crd.Deref(n)
	sum := 0
	for i, c := range n.Content {
		if c = crd.Deref(c); n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Value == "description" && c.Kind == yaml.ScalarNode {
			sum += len(c.Value)
		}
		sum += descriptionBytes(c)
	}
	return sum
}
