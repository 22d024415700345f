package serve

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"time"

	"golang.org/x/net/netutil"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

const (
	maxConnections = 3000 // more than streams, so that there is one on which those too many are rejected
	maxHeader      = 64 << 10
)

// An Endpoint is where a server listens: an address of this machine, with a certificate of its own, as clients send tokens over TLS only.
type Endpoint struct {
	URL         string
	CA          []byte // the certificate, PEM
	listener    net.Listener
	certificate tls.Certificate
	patience
}

// Listen opens an endpoint at HOST:PORT, of which the host has to be a loopback address; port 0 is any that is free.
func Listen(address string) (*Endpoint, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if at, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !at.IsLoopback()) {
		return nil, fmt.Errorf("other machines may reach %q", host)
	}
	e := &Endpoint{patience: patient}
	if e.certificate, e.CA, err = selfSigned(); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	e.listener = netutil.LimitListener(listener, maxConnections)
	e.URL = "https://" + listener.Addr().String()
	return e, nil
}

// selfSigned makes a certificate for this machine.
func selfSigned() (pair tls.Certificate, ca []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return pair, nil, err
	}
	number, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return pair, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: number, Subject: pkix.Name{CommonName: "crdlift serve"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return pair, nil, err
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), nil
}

// Kubeconfig is what clients need, in YAML.
func (e *Endpoint) Kubeconfig(token string) ([]byte, error) {
	const name = "crdlift"
	return clientcmd.Write(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{name: {Server: e.URL, CertificateAuthorityData: e.CA}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{name: {Token: token}},
		Contexts:       map[string]*clientcmdapi.Context{name: {Cluster: name, AuthInfo: name, Namespace: "default"}},
		CurrentContext: name,
	})
}

// Serve answers requests until the context ends. What is under way then has a moment to end; streams are cut.
func (e *Endpoint) Serve(ctx context.Context, handler http.Handler) error {
	cut, end := context.WithCancel(context.WithoutCancel(ctx))
	server := &http.Server{
		Handler: handler, MaxHeaderBytes: maxHeader,
		ReadHeaderTimeout: e.header, ReadTimeout: e.request, WriteTimeout: e.answer, IdleTimeout: e.idle,
		TLSConfig:   &tls.Config{Certificates: []tls.Certificate{e.certificate}, MinVersion: tls.VersionTLS12},
		ErrorLog:    log.New(io.Discard, "", 0), // of clients that leave
		BaseContext: func(net.Listener) context.Context { return cut },
	}
	defer end()
	stopped := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(stopped)
		end()
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.end)
		defer cancel()
		if server.Shutdown(late) != nil {
			_ = server.Close()
		}
	})
	err := server.ServeTLS(e.listener, "", "")
	if errors.Is(err, http.ErrServerClosed) {
		<-stopped
		return nil
	}
	return err
}

// Close stops listening at an endpoint that is not served.
func (e *Endpoint) Close() error { return e.listener.Close() }
