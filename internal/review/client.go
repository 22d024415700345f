// Package review asks a conversion webhook to convert custom resources, and judges its answer, as an API server does.
//
// It follows k8s.io/apiextensions-apiserver v0.37.2, pkg/apiserver/conversion. The request is made and read by upstream's
// own code, k8s.io/apiserver/pkg/util/webhook and client-go. What webhookConverter checks in an answer is repeated here,
// with its words, because upstream's package links all of k8s.io/api; tests compare the two.
//
// Read convert.go first: what is asked, and what comes out. judge.go has the checks, client.go and
// transport.go the way to the webhook, also for requests that no API server makes.
package review

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"github.com/crdlift/crdlift/internal/limit"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
)

// A Config says which webhook is asked, and how.
type Config struct {
	CRD      *apiextensions.CustomResourceDefinition // with its defaults
	URL      string                                  // of the webhook, in place of the CRD's clientConfig
	Connect  string                                  // HOST:PORT to connect to; the names in TLS and HTTP stay the CRD's, or the URL's
	CA       []byte                                  // PEM, in place of the CRD's caBundle; nil to keep that
	Insecure bool                                    // the certificate is not verified
	Local    bool                                    // connections to other machines are rejected, whatever a name stands for
	Timeout  time.Duration                           // of a request; 0 for the API server's 30 s
	Handler  http.Handler                            // answers in place of whatever is at the address, without TLS
}

// A Client asks the conversion webhook of one CRD. It may be used by several goroutines.
type Client struct {
	rest           *rest.RESTClient
	timeout        time.Duration
	group          string
	listKind       string
	versions       map[schema.GroupVersion]bool
	reviewVersions []string
}

// New makes a client. An error says what of the configuration cannot be used; nothing is called yet.
func New(c Config) (*Client, error) {
	client := &Client{
		group:    c.CRD.Spec.Group,
		listKind: c.CRD.Spec.Names.ListKind,
		versions: map[schema.GroupVersion]bool{},
	}
	for _, v := range c.CRD.Spec.Versions {
		client.versions[schema.GroupVersion{Group: client.group, Version: v.Name}] = true
	}
	if conversion := c.CRD.Spec.Conversion; conversion != nil {
		client.reviewVersions = conversion.ConversionReviewVersions
	}
	if c.Connect != "" {
		if _, _, err := net.SplitHostPort(c.Connect); err != nil {
			return nil, fmt.Errorf("the address to connect to is not HOST:PORT (%w); correct it", err)
		}
	}
	clientConfig, err := c.clientConfig()
	if err != nil {
		return nil, err
	}
	if client.rest, err = c.connect(clientConfig); err != nil {
		return nil, fmt.Errorf("the connection to the webhook cannot be set up: %w", err)
	}
	// Upstream has the time run out in its context and in the HTTP client. Which of them ends a request, in other words, is
	// left to chance; here it is the context.
	client.timeout, client.rest.Client.Timeout = client.rest.Client.Timeout, 0
	client.rest.Client.CheckRedirect = stayAtHost
	return client, nil
}

// clientConfig is upstream's webhookClientConfigForCRD, with what replaces parts of the CRD's.
func (c *Config) clientConfig() (*webhook.ClientConfig, error) {
	config := &webhook.ClientConfig{Name: "conversion_webhook_for_" + c.CRD.Name, URL: c.URL}
	if conversion := c.CRD.Spec.Conversion; conversion != nil && conversion.WebhookClientConfig != nil {
		its := conversion.WebhookClientConfig
		config.CABundle = its.CABundle
		if c.URL == "" {
			addressOf(its, config)
		}
	}
	if config.URL == "" && config.Service == nil {
		return nil, errors.New("the CustomResourceDefinition has no clientConfig that says where its conversion webhook is; set --url")
	}
	if c.CA != nil {
		config.CABundle = c.CA
	}
	verified := !c.Insecure && c.Handler == nil
	if config.Service == nil {
		u, err := parseURL(config.URL)
		if err != nil {
			return nil, fmt.Errorf("the URL of the webhook cannot be used: %w", err)
		}
		verified = verified && u.Scheme == "https"
	}
	if !verified || len(bytes.TrimSpace(config.CABundle)) == 0 {
		config.CABundle = nil
	}
	return config, nil
}

func addressOf(its *apiextensions.WebhookClientConfig, config *webhook.ClientConfig) {
	if its.URL != nil {
		config.URL = *its.URL
	}
	if its.Service != nil {
		config.Service = &webhook.ClientConfigService{Namespace: its.Service.Namespace, Name: its.Service.Name, Port: its.Service.Port}
		if its.Service.Path != nil {
			config.Service.Path = *its.Service.Path
		}
	}
}

// parseURL rejects what validation rejects of a CRD's URL, but for the scheme http, which the API server's client can use.
func parseURL(text string) (*url.URL, error) {
	if errs := webhook.ValidateWebhookURL(nil, text, false); len(errs) > 0 {
		return nil, errors.New(errs[0].Detail)
	}
	u, err := url.Parse(text)
	if err == nil && u.Scheme != "https" && u.Scheme != "http" {
		err = fmt.Errorf("its scheme is %q, not https or http", u.Scheme)
	}
	return u, err
}

// connect is upstream's newWebhookConverterFactory and NewWebhookConverter.
func (c *Config) connect(to *webhook.ClientConfig) (*rest.RESTClient, error) {
	manager, err := webhook.NewClientManager([]schema.GroupVersion{v1.SchemeGroupVersion, v1beta1.SchemeGroupVersion},
		v1beta1.AddToScheme, v1.AddToScheme)
	if err != nil {
		return nil, err
	}
	server, err := webhook.NewDefaultAuthenticationInfoResolver("")
	if err != nil {
		return nil, err
	}
	manager.SetAuthenticationInfoResolver(&webhook.AuthenticationInfoResolverDelegator{
		ClientConfigForFunc: func(address string) (*rest.Config, error) {
			return c.adapt(server.ClientConfigFor(address))
		},
		ClientConfigForServiceFunc: func(name, namespace string, port int) (*rest.Config, error) {
			return c.adapt(server.ClientConfigForService(name, namespace, port))
		},
	})
	manager.SetServiceResolver(webhook.NewDefaultServiceResolver())
	return manager.HookClient(*to)
}

// adapt changes how the API server would connect to what is asked for.
func (c *Config) adapt(config *rest.Config, err error) (*rest.Config, error) {
	if err != nil {
		return nil, err
	}
	config.TLSClientConfig.Insecure = c.Insecure
	if c.Timeout > 0 {
		config.Timeout = c.Timeout
	}
	config.WarningHandler = rest.NoWarnings{}
	// No proxy of the environment is told of a webhook that is to be reached at the address that was given.
	config.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	config.Dial = c.dial
	config.Wrap(func(network http.RoundTripper) http.RoundTripper {
		if c.Handler != nil {
			network = inProcess(c.Handler)
		}
		return &limitedTransport{network, limit.AnswerSize}
	})
	return config, nil
}

// dial connects as client-go does, but for what the configuration changes.
func (c *Config) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	if c.Local {
		dialer.Control = onlyLocal
	}
	return dialer.DialContext(ctx, network, cmp.Or(c.Connect, address))
}

// onlyLocal refuses to connect to an address, which has no name any more.
func onlyLocal(_, address string, _ syscall.RawConn) error {
	if at, err := netip.ParseAddrPort(address); err != nil || !at.Addr().Unmap().IsLoopback() {
		return errors.New("it is not an address of this machine")
	}
	return nil
}
