package e2e

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// An access says how to reach a server.
type access struct {
	URL        string `json:"url"`
	Token      string `json:"token"`
	CA         []byte `json:"ca"`
	ServerName string `json:"serverName"`
	prefix     string // of its keys in etcd; only today's server says it
}

// A server is a running API server. It may be used by many goroutines.
type server struct {
	access
	client *http.Client
}

func newServer(a access) (*server, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(a.CA) {
		return nil, errors.New("the server's certificate cannot be read")
	}
	transport := &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: pool, ServerName: a.ServerName},
		MaxIdleConnsPerHost: 64,
	}
	return &server{a, &http.Client{Transport: transport, Timeout: 2 * time.Minute}}, nil
}

// An answer is what the server said.
type answer struct {
	code     int
	body     []byte
	warnings []string // as they were sent
}

func (a answer) ok() bool { return a.code/100 == 2 }

// reason is the message of a Status.
func (a answer) reason() string {
	var status struct {
		Message string `json:"message"`
	}
	if err := json.Unmarshal(a.body, &status); err != nil || status.Message == "" {
		return fmt.Sprintf("%d: %.300s", a.code, a.body)
	}
	return fmt.Sprintf("%d: %.600s", a.code, status.Message)
}

// object decodes as servers do: whole numbers are int64.
func (a answer) object() (map[string]any, error) {
	var o map[string]any
	return o, utiljson.Unmarshal(a.body, &o)
}

// request sends and receives JSON. The error is about the transport, never about what the server thinks of the request.
func (s *server) request(method, path string, body []byte) (answer, error) {
	return s.requestAs(method, path, "application/json", body)
}

func (s *server) requestAs(method, path, accept string, body []byte) (answer, error) {
	return s.requestOf(method, path, accept, "application/json", body)
}

func (s *server) requestOf(method, path, accept, contentType string, body []byte) (answer, error) {
	r, err := http.NewRequest(method, s.URL+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+s.Token)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Accept", accept)
	response, err := s.client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, read, warningsOf(response)}, err
}

func warningsOf(response *http.Response) (texts []string) {
	headers, _ := utilnet.ParseWarningHeaders(response.Header["Warning"])
	for _, h := range headers {
		texts = append(texts, h.Text)
	}
	return texts
}

// get is a GET that must succeed.
func (s *server) get(path string) (answer, error) {
	a, err := s.request(http.MethodGet, path, nil)
	if err == nil && !a.ok() {
		err = fmt.Errorf("GET %s: %s", path, a.reason())
	}
	return a, err
}

// patience is how long servers get for what they do in the background. A busy machine may be slow.
const patience = time.Minute

// wait asks until done says so.
func wait(what string, done func() (bool, error)) error {
	pause := 2 * time.Millisecond
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		if ok, err := done(); ok || err != nil {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s: not within %s", what, patience)
		}
		pause = min(pause*2, 50*time.Millisecond)
	}
}
