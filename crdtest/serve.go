package crdtest

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A Server is an API server for custom resources that a test has for itself: a process of crdlift serve.
type Server struct {
	URL        string // such as https://127.0.0.1:41235
	Token      string // what clients send as a bearer token
	CAData     []byte // the certificate of the server, in PEM
	Kubeconfig string // the path of a file with all of these, which lasts as long as the server

	client *http.Client
}

// Serve serves the CRDs in manifests and folders of manifests until the test ends. With go test -v, requests are in the log of
// the test. In a BeforeSuite of Ginkgo, t is GinkgoTB(), and the server lasts until the suite ends.
func Serve(t testing.TB, crds ...string) Server {
	t.Helper()
	return Options{CRDs: crds}.Serve(t)
}

// Serve serves the CRDs of the options until the test ends.
func (o Options) Serve(t testing.TB) Server {
	t.Helper()
	if _, err := find(o.Binary); err != nil && o.SkipMissing {
		t.Skip(err)
	}
	var log func(...any)
	if testing.Verbose() {
		log = t.Log
	}
	server, stop, err := o.start(log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// Start serves the CRDs of the options until stop is called, for a TestMain. Requests are on stderr if flag.Parse has been called
// and go test has -v. SkipMissing has no effect.
func (o Options) Start() (server Server, stop func() error, err error) {
	var log func(...any)
	if flag.Parsed() && testing.Verbose() {
		log = func(line ...any) { fmt.Fprintln(os.Stderr, line...) }
	}
	return o.start(log)
}

// Bounds of what the program is waited for. It starts in less than a second.
const (
	startTime = 30 * time.Second
	stopTime  = 5 * time.Second
)

// start starts the program. It reads from a pipe that nobody writes to, which the system closes when the test's process ends in
// whatever way, and ends then.
func (o Options) start(log func(...any)) (server Server, stop func() error, err error) {
	watch(o.CRDs...)
	binary, err := find(o.Binary)
	if err != nil {
		return server, nil, err
	}
	dir, err := os.MkdirTemp("", "crdtest")
	if err != nil {
		return server, nil, fmt.Errorf("%s: %w", module, err)
	}
	server.Kubeconfig = filepath.Join(dir, "kubeconfig")
	args := []string{"serve", "--kubeconfig", server.Kubeconfig, "--exit-on-eof"}
	if log != nil {
		args = append(args, "-v")
	}
	for _, crds := range o.CRDs {
		args = append(args, "--crds", crds)
	}
	cmd := exec.Command(binary, append(args, o.Args...)...)
	stdin, _ := cmd.StdinPipe()
	stderr, _ := cmd.StderrPipe()
	if err = cmd.Start(); err != nil {
		os.RemoveAll(dir)
		return server, nil, fmt.Errorf("%s: %w", module, err)
	}
	var said []string
	ended := make(chan struct{})
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Buffer(nil, 1<<20); lines.Scan(); {
			said = append(said[max(0, len(said)-19):], lines.Text())
			if log != nil {
				log(lines.Text())
			}
		}
		_ = cmd.Wait() // ProcessState says it
		close(ended)
	}()
	end := func() {
		stdin.Close()
		kill := time.AfterFunc(stopTime, func() { _ = cmd.Process.Kill() })
		<-ended
		kill.Stop()
		os.RemoveAll(dir)
	}
	failed := func(why string) error {
		end()
		return fmt.Errorf("%s: %s: %s\n\t%s", module, cmd, why, strings.Join(said, "\n\t"))
	}
	deadline := time.After(startTime)
	for err = server.read(); err != nil; err = server.read() {
		select {
		case <-ended:
			return server, nil, failed(cmd.ProcessState.String())
		case <-deadline:
			return server, nil, failed(fmt.Sprintf("does not serve after %s: %v", startTime, err))
		case <-time.After(5 * time.Millisecond):
		}
	}
	return server, func() error {
		select {
		case <-ended: // by itself
			return failed(cmd.ProcessState.String())
		default:
			end()
			return nil
		}
	}, nil
}

// read reads the kubeconfig, which is there once the server accepts connections.
func (s *Server) read() error {
	text, err := os.ReadFile(s.Kubeconfig)
	if err != nil {
		return err
	}
	value := func(key string) string { // what the program writes has each once
		if m := regexp.MustCompile(`\b` + key + `"?: *"?([^"\s,}]+)`).FindSubmatch(text); m != nil {
			return string(m[1])
		}
		return ""
	}
	s.URL, s.Token = value("server"), value("token")
	if s.CAData, err = base64.StdEncoding.DecodeString(value("certificate-authority-data")); err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(s.CAData) {
		return errors.New("the kubeconfig has no certificate")
	}
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	return nil
}

// Namespace is the name of a namespace that no other test has. It need not be created: namespaces exist by being used.
func (s Server) Namespace(t testing.TB) string {
	name := regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(t.Name()), "-")
	return strings.Trim(fmt.Sprintf("%s-%08x", strings.TrimRight(name[:min(len(name), 50)], "-"), rand.Uint32()), "-")
}

// Reset removes all objects but the CRDs, without regard to their finalizers.
func (s Server) Reset(t testing.TB) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, s.URL+"/crdlift/reset", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.Token)
	response, err := s.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s\n%s%v", module, response.Status, body, err)
	}
}
