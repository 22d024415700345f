package review

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/client-go/rest"
)

// cronTabs is a CRD whose clientConfig can be changed, with its defaults.
func cronTabs(change func(conversion *apiextensions.CustomResourceConversion)) *apiextensions.CustomResourceDefinition {
	crd := &apiextensions.CustomResourceDefinition{}
	crd.Name = "crontabs.example.com"
	crd.Spec.Group = "example.com"
	crd.Spec.Names = apiextensions.CustomResourceDefinitionNames{Kind: "CronTab", ListKind: "CronTabList"}
	crd.Spec.Versions = []apiextensions.CustomResourceDefinitionVersion{{Name: "v1"}, {Name: "v2"}, {Name: "v3"}}
	path := "/convert/"
	crd.Spec.Conversion = &apiextensions.CustomResourceConversion{
		Strategy:                 apiextensions.WebhookConverter,
		ConversionReviewVersions: []string{"v9", "v1", "v1beta1"},
		WebhookClientConfig: &apiextensions.WebhookClientConfig{
			Service: &apiextensions.ServiceReference{Namespace: "system", Name: "hook", Port: 443, Path: &path},
		},
	}
	if change != nil {
		change(crd.Spec.Conversion)
	}
	return crd
}

// cronTab is an object at a version.
func cronTab(version, name string) Object {
	return Object{
		"apiVersion": "example.com/" + version, "kind": "CronTab",
		"metadata": map[string]any{"name": name, "uid": "1-" + name, "labels": map[string]any{"of": name}},
		"spec":     map[string]any{"number": int64(1) << 60, "half": 0.5},
	}
}

// changeVersion is a webhook that changes apiVersion only.
func changeVersion(w http.ResponseWriter, r *http.Request) {
	var review map[string]any
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, "no review", http.StatusBadRequest)
		return
	}
	request := review["request"].(map[string]any)
	converted := []json.RawMessage{}
	for _, o := range request["objects"].([]any) {
		object := o.(map[string]any)
		number := object["spec"].(map[string]any)
		number["number"] = json.Number("1152921504606846976")
		object["apiVersion"] = request["desiredAPIVersion"]
		text, _ := json.Marshal(object)
		converted = append(converted, text)
	}
	answer, _ := json.Marshal(map[string]any{
		"apiVersion": review["apiVersion"], "kind": "ConversionReview",
		"response": map[string]any{"uid": request["uid"], "convertedObjects": converted, "result": map[string]any{"status": "Success"}},
	})
	w.Write(answer) //nolint:errcheck
}

// newClient is a client that has to be good.
func newClient(t testing.TB, c Config) *Client {
	t.Helper()
	if c.CRD == nil {
		c.CRD = cronTabs(nil)
	}
	client, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// certificate is that of a test server, in PEM. Its names are example.com, 127.0.0.1 and ::1.
func certificate(server *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

func TestConvert(t *testing.T) {
	t.Parallel()
	client := newClient(t, Config{Handler: http.HandlerFunc(changeVersion)})
	got := client.Convert(t.Context(), "", "v2", cronTab("v1", "a"))
	if got.Err != nil || !reflect.DeepEqual(got.Objects, []Object{cronTab("v2", "a")}) || !reflect.DeepEqual(got.Raw, got.Objects) {
		t.Errorf("an object becomes %v, %v", got.Objects, got.Err)
	}
	if got.Kind != Accepted || got.Status != 200 || got.UID == "" || got.Elapsed <= 0 {
		t.Errorf("the answer is %+v", got)
	}
	got = client.Convert(t.Context(), "v1beta1", "v2", cronTab("v1", "a"), cronTab("v2", "b"), cronTab("v3", "c"))
	if want := []Object{cronTab("v2", "a"), cronTab("v2", "b"), cronTab("v2", "c")}; !reflect.DeepEqual(got.Objects, want) || len(got.Raw) != 2 {
		t.Errorf("a list becomes %v, %v", got.Objects, got.Err)
	}
}

// TestAsTheServerAsks has a webhook see what an API server sends to a service.
func TestAsTheServerAsks(t *testing.T) {
	t.Parallel()
	var seen *http.Request
	var body string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		seen, body = r, string(text)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	client := newClient(t, Config{Connect: server.Listener.Addr().String(), Insecure: true})
	got := client.Convert(t.Context(), "", "v2", cronTab("v1", "a"))
	if want := "conversion webhook for example.com/v1, Kind=CronTab failed: 0-length response with status code: 200 and content type: application/json"; got.Err == nil || got.Err.Error() != want {
		t.Errorf("the error is %v, want %s", got.Err, want)
	}
	for name, pair := range map[string][2]string{
		"method":       {seen.Method, "POST"},
		"host":         {seen.Host, "hook.system.svc:443"},
		"server name":  {seen.TLS.ServerName, "hook.system.svc"},
		"URI":          {seen.RequestURI, "/convert?timeout=30s"},
		"protocol":     {seen.Proto, "HTTP/1.1"},
		"Accept":       {seen.Header.Get("Accept"), "application/json, */*"},
		"Content-Type": {seen.Header.Get("Content-Type"), "application/json"},
		"User-Agent":   {seen.Header.Get("User-Agent"), "kube-apiserver-admission"},
		"body": {body, `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"` + got.UID +
			`","desiredAPIVersion":"example.com/v2","objects":[{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"labels":{"of":"a"},"name":"a","uid":"1-a"},"spec":{"half":0.5,"number":1152921504606846976}}]},"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}` + "\n"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(changeVersion))
	t.Cleanup(server.Close)
	address := server.Listener.Addr().String()
	its := func(change func(client *apiextensions.WebhookClientConfig)) *apiextensions.CustomResourceDefinition {
		return cronTabs(func(c *apiextensions.CustomResourceConversion) { change(c.WebhookClientConfig) })
	}
	service := func(name string, ca []byte) *apiextensions.CustomResourceDefinition {
		return its(func(c *apiextensions.WebhookClientConfig) { c.Service.Name, c.CABundle = name, ca })
	}
	for name, test := range map[string]struct {
		config Config
		want   string
	}{
		"the CRD's authority, another name":         {Config{CRD: service("hook", certificate(server)), Connect: address}, "x509: certificate is valid for example.com, *.example.com, not hook.system.svc"},
		"no authority":                              {Config{URL: server.URL}, "x509: certificate signed by unknown authority"},
		"an authority of its own":                   {Config{URL: server.URL, CA: certificate(server)}, ""},
		"one instead of nonsense":                   {Config{CRD: service("hook", []byte("nonsense")), URL: server.URL, CA: certificate(server)}, ""},
		"the CRD's authority for another address":   {Config{CRD: service("hook", certificate(server)), URL: server.URL}, ""},
		"not verified":                              {Config{CRD: service("hook", []byte("nonsense")), Connect: address, Insecure: true}, ""},
		"the name of a URL, connected to elsewhere": {Config{URL: "https://example.com:9443/convert", Connect: address, CA: certificate(server)}, ""},
		"white space is no authority":               {Config{CRD: service("hook", []byte("\n")), URL: server.URL}, "x509: certificate signed by unknown authority"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newClient(t, test.config).Convert(t.Context(), "", "v2", cronTab("v1", "a"))
			if test.want == "" && got.Err != nil {
				t.Errorf("the error is %v", got.Err)
			}
			if test.want != "" && (got.Err == nil || !strings.Contains(got.Err.Error(), test.want) || got.Kind != Transport) {
				t.Errorf("the error is %v, of kind %v; want %s", got.Err, got.Kind, test.want)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	without := cronTabs(func(c *apiextensions.CustomResourceConversion) { c.WebhookClientConfig = nil })
	none := cronTabs(nil)
	none.Spec.Conversion = nil
	nonsense := cronTabs(func(c *apiextensions.CustomResourceConversion) { c.WebhookClientConfig.CABundle = []byte("nonsense") })
	for name, test := range map[string]struct {
		config Config
		want   string
	}{
		"no clientConfig": {Config{CRD: without}, "no clientConfig that says where"},
		"no conversion":   {Config{CRD: none}, "no clientConfig that says where"},
		"no certificate":  {Config{CRD: nonsense}, "unable to load root certificates: unable to parse bytes as PEM block"},
		"CA":              {Config{URL: "https://127.0.0.1", CA: []byte("x")}, "unable to load root certificates"},
		"no URL":          {Config{URL: "127.0.0.1:1/convert"}, "first path segment in URL cannot contain colon"},
		"no host":         {Config{URL: "localhost:9443"}, "host must be specified"},
		"scheme":          {Config{URL: "ftp://127.0.0.1"}, `its scheme is "ftp"`},
		"password":        {Config{URL: "https://me:secret@127.0.0.1"}, "user information is not permitted"},
		"query":           {Config{URL: "https://127.0.0.1/?a=b"}, "query parameters are not permitted"},
		"address":         {Config{Connect: "127.0.0.1"}, "not HOST:PORT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.config.CRD == nil {
				test.config.CRD = cronTabs(nil)
			}
			_, err := New(test.config)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("the error is %v, want %s", err, test.want)
			}
		})
	}
}

// TestStaysAtItsAddress has a webhook redirect: to itself it is followed, anywhere else it is not.
func TestStaysAtItsAddress(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another address is asked") }))
	defer elsewhere.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/", changeVersion)
	mux.Handle("/within", http.RedirectHandler("/there", http.StatusTemporaryRedirect))
	var rounds atomic.Int32
	mux.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) {
		rounds.Add(1)
		http.Redirect(w, r, "/round", http.StatusTemporaryRedirect)
	})
	mux.Handle("/away", http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	server := httptest.NewServer(mux)
	defer server.Close()
	for path, want := range map[string]string{"/within": "", "/away": "crdlift does not follow redirects to another address", "/round": "stopped after 10 redirects"} {
		got := newClient(t, Config{URL: server.URL + path}).Convert(t.Context(), "", "v2", cronTab("v1", "a"))
		if want == "" && got.Err != nil || want != "" && (got.Err == nil || !strings.Contains(got.Err.Error(), want) || got.Kind != Transport) {
			t.Errorf("%s: the error is %v, of kind %v; want %q", path, got.Err, got.Kind, want)
		}
	}
	if rounds.Load() != 10 {
		t.Errorf("%d redirects are followed", rounds.Load())
	}
}

// TestProxy has a proxy in the environment, which nothing is sent to. It is not parallel because of that, and Go's client
// reads the environment once: what is seen here is that ours does not ask for it.
func TestProxy(t *testing.T) {
	t.Parallel()
	transport, err := (&Config{CRD: cronTabs(nil)}).adapt(new(rest.Config), nil)
	if err != nil {
		t.Fatal(err)
	}
	if proxy, err := transport.Proxy(httptest.NewRequest("POST", "http://hook.system.svc", nil)); proxy != nil || err != nil {
		t.Errorf("the proxy is %v, %v", proxy, err)
	}
}

// TestLocal has connections to this machine only. No packet is sent to the others, which are for documentation.
func TestLocal(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(changeVersion))
	t.Cleanup(server.Close)
	address := server.Listener.Addr().String()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	for url, test := range map[string]struct{ connect, want string }{
		server.URL:                  {"", ""},
		"http://localhost:" + port:  {"", ""},
		"http://hook.example.com":   {address, ""},
		"http://192.0.2.1":          {"", "dial tcp 192.0.2.1:80: it is not an address of this machine"},
		"http://[2001:db8::1]:8080": {"", "dial tcp [2001:db8::1]:8080: it is not an address of this machine"},
		"http://[::ffff:192.0.2.1]": {"", "it is not an address of this machine"},
		"http://127.0.0.1":          {"192.0.2.1:443", "dial tcp 192.0.2.1:443: it is not an address of this machine"},
	} {
		got := newClient(t, Config{URL: url, Connect: test.connect, Local: true}).Convert(t.Context(), "", "v2", cronTab("v1", "a"))
		if test.want == "" && got.Err != nil || test.want != "" && (got.Err == nil || !strings.Contains(got.Err.Error(), test.want) || got.Kind != Transport) {
			t.Errorf("%s: the error is %v, of kind %v; want %q", url, got.Err, got.Kind, test.want)
		}
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	hanging := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) //nolint:errcheck
		<-r.Context().Done()
	})
	panicking := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a bug of the webhook") })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		config Config
		ctx    context.Context
		kind   Kind
		want   string
	}{
		"hanging":   {Config{Handler: hanging, Timeout: 50 * time.Millisecond}, t.Context(), Timeout, `failed: Post "https://hook.system.svc:443/convert?timeout=50ms": context deadline exceeded`},
		"cancelled": {Config{Handler: hanging}, cancelled, Transport, "context canceled"},
		"panicking": {Config{Handler: panicking}, t.Context(), Transport, `failed: Post "https://hook.system.svc:443/convert?timeout=30s": EOF`},
		"closed":    {Config{URL: "http://" + listener.Addr().String()}, t.Context(), Transport, "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newClient(t, test.config).Convert(test.ctx, "", "v2", cronTab("v1", "a"))
			if got.Err == nil || !strings.Contains(got.Err.Error(), test.want) || got.Kind != test.kind {
				t.Errorf("the error is %v, of kind %v; want %q, %v", got.Err, got.Kind, test.want, test.kind)
			}
			if test.ctx == cancelled && !errors.Is(got.Err, context.Canceled) {
				t.Errorf("the error does not say that it was cancelled")
			}
		})
	}
}

// TestEndless has a handler write until nobody reads any more.
func TestEndless(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		for block := make([]byte, 1<<16); ; {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	whole := &limitedBody{io.NopCloser(strings.NewReader("12345678")), 8, 8}
	if text, err := io.ReadAll(whole); string(text) != "12345678" || err != nil {
		t.Errorf("an answer of just the size is %q, %v", text, err)
	}
	client := http.Client{Transport: &limitedTransport{inProcess(handler), 1 << 20}}
	response, err := client.Get("http://127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err == nil || err.Error() != "the response is larger than 1 MiB, and crdlift does not read more; return a smaller one" || len(body) > 2<<20 {
		t.Errorf("%d bytes are read, the error is %v", len(body), err)
	}
	response.Body.Close()
	<-ended
}

func TestSend(t *testing.T) {
	t.Parallel()
	client := newClient(t, Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if string(text) == "panic" {
			panic("a bug of the webhook")
		}
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, r.Method+" "+r.RequestURI+" "+string(text)) //nolint:errcheck
	})})
	got, err := client.Send(t.Context(), "PUT", []byte("{"))
	if err != nil || string(got) != "PUT /convert?timeout=30s {" {
		t.Errorf("the reply is %q, %v", got, err)
	}
	if _, err := client.Send(t.Context(), "POST", []byte("panic")); err == nil || KindOf(err) != Transport {
		t.Errorf("the error is %v", err)
	}
}
