package e2e

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/webhooks"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// A hook is a conversion webhook on loopback that makes the mistakes it is told to make, and keeps what it was asked.
type hook struct {
	url string
	ca  []byte

	mu    sync.Mutex
	wrong http.Handler
	only  string // the version to which conversions go wrong; "" for all
	asked []question
}

// A question is a request to convert objects, which is one of them where a server asks.
type question struct {
	to      string // the version
	objects []map[string]any
}

func startHook(t *testing.T) *hook {
	h := &hook{wrong: webhooks.Handler("")}
	s := httptest.NewTLSServer(h)
	t.Cleanup(s.Close)
	h.url = s.URL + "/convert"
	h.ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	return h
}

// crd is the webhook's CRD, for a server that calls this one.
func (h *hook) crd() (*v1.CustomResourceDefinition, error) {
	c := &v1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(webhooks.CRD, c); err != nil {
		return nil, err
	}
	c.Spec.Conversion.Webhook.ClientConfig = &v1.WebhookClientConfig{URL: &h.url, CABundle: h.ca}
	return c, nil
}

// err makes the mistake of a name from now on, or none for "", in conversions to one version or with "" to all. What was
// asked before is forgotten.
func (h *hook) err(fault, only string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong, h.only, h.asked = webhooks.Handler(fault), only, nil
}

// questions are what was asked since err.
func (h *hook) questions() []question {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked
}

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	h.keep(body).ServeHTTP(w, r)
}

// keep keeps a question, and returns who is to answer it.
func (h *hook) keep(body []byte) http.Handler {
	h.mu.Lock()
	defer h.mu.Unlock()
	var review v1.ConversionReview
	if json.Unmarshal(body, &review) != nil || review.Request == nil {
		return h.wrong
	}
	q := question{to: path.Base(review.Request.DesiredAPIVersion)}
	for _, raw := range review.Request.Objects {
		var object map[string]any
		if utiljson.Unmarshal(raw.Raw, &object) != nil {
			return h.wrong
		}
		q.objects = append(q.objects, object)
	}
	h.asked = append(h.asked, q)
	if h.only != "" && h.only != q.to {
		return webhooks.Handler("")
	}
	return h.wrong
}
