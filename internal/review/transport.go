package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
)

// limitedTransport ends answers that are too large, unpacked. The API server has no such limit: a webhook that answers without end takes
// its memory. Objects take up to forty times the memory of their JSON, and etcd's are 1.5 MiB at most.
type limitedTransport struct {
	http.RoundTripper
	max int64
}

func (l *limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = &limitedBody{response.Body, l.max, l.max}
	}
	return response, err
}

type limitedBody struct {
	io.ReadCloser
	left, max int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, fmt.Errorf("the response is larger than %d MiB, and crdlift does not read more; return a smaller one", b.max>>20)
	}
	return n, err
}

// stayAtHost follows redirects as Go's client does, but not to other addresses: whoever says where requests may go means
// all of them.
func stayAtHost(next *http.Request, before []*http.Request) error {
	if len(before) >= 10 {
		return errors.New("stopped after 10 redirects")
	}
	if from, to := address(before[0].URL), address(next.URL); from != to {
		return fmt.Errorf("the webhook redirects from %s to %s, and crdlift does not follow redirects to another address; set the URL to the second one", from, to)
	}
	return nil
}

// address is the host and the port of a URL.
func address(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// inProcess has a handler served by Go's server, over connections that do not leave the process.
func inProcess(handler http.Handler) http.RoundTripper {
	return plainHTTP{&http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		// The server returns after the connection that it accepted, which is served nevertheless.
		go (&http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}).Serve(&oneConnection{server}) //nolint:errcheck,gosec
		return client, nil
	}}}
}

// plainHTTP asks without TLS whatever the scheme is.
type plainHTTP struct{ *http.Transport }

func (p plainHTTP) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme = "http"
	return p.Transport.RoundTrip(r)
}

// oneConnection is a listener that one connection is accepted from.
type oneConnection struct{ conn net.Conn }

func (l *oneConnection) Accept() (net.Conn, error) {
	if l.conn == nil {
		return nil, io.EOF
	}
	conn := l.conn
	l.conn = nil
	return conn, nil
}

func (l *oneConnection) Close() error   { return nil }
func (l *oneConnection) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// Send sends a body to the webhook as it is, and returns the body of the response, whatever its status is. An error is one of the
// connection: KindOf says which.
func (c *Client) Send(ctx context.Context, method string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, c.rest.Post().Timeout(c.timeout).URL().String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, */*")
	response, err := c.rest.Client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("the response cannot be read: %w", err)
	}
	return answered, nil
}
