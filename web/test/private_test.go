package test

import (
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// drained waits until the proxy has seen a request that is made now, and with it all that were made before. It returns those.
func (b *tab) drained(p *proxy) []string {
	b.Helper()
	last := func(asked string) bool { return strings.HasSuffix(asked, "?last") }
	eval[any](b, `fetch(location.pathname + "?last").then(() => null)`)
	all := p.all(false)
	if !slices.ContainsFunc(all, last) {
		b.Fatalf("the proxy has not seen the last request: %q", all)
	}
	return slices.DeleteFunc(all, last)
}

// ofBrowser are the hosts that Chromium asks for the time and for updates, whatever the page.
var ofBrowser = regexp.MustCompile(`\.(google|googleapis|gvt1)\.com(:\d+)?$`)

// A proxy is between a browser and everything else: what the browser asks for, for whichever page or worker, it asks of it.
type proxy struct {
	mu    sync.Mutex
	asked []string
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !ofBrowser.MatchString(r.Host) {
		p.mu.Lock()
		p.asked = append(p.asked, r.Method+" "+r.URL.String())
		p.mu.Unlock()
	}
	if r.Method == http.MethodConnect || !strings.HasPrefix(r.Host, "127.0.0.1:") {
		http.Error(w, "there is no such host here", http.StatusBadGateway)
		return
	}
	to := &url.URL{Scheme: "http", Host: r.Host}
	(&httputil.ReverseProxy{Rewrite: func(pr *httputil.ProxyRequest) { pr.SetURL(to) }}).ServeHTTP(w, r)
}

// all is what was asked for since it was forgotten.
func (p *proxy) all(forget bool) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.asked
	if forget {
		p.asked = nil
	}
	return all
}

// through starts a browser that can only reach a proxy.
func through(t *testing.T) (*tab, *proxy) {
	t.Helper()
	p := &proxy{}
	return browser(t, chromedp.ProxyServer(serve(t, p)), chromedp.Flag("proxy-bypass-list", "<-loopback>")), p
}

// TestNothingLeaves does everything that the playground can, and expects that the browser asks nobody anything once the page is
// there, and nobody but its host before.
func TestNothingLeaves(t *testing.T) {
	t.Parallel()
	b, p := through(t)
	b.open("")
	host, _, _ := strings.Cut(b.at, folder)
	loaded := p.all(true)
	for _, asked := range loaded {
		if !strings.HasPrefix(asked, "GET "+host+folder) {
			t.Errorf("while the page was loaded, the browser asked for %s", asked)
		}
	}
	if !slices.ContainsFunc(loaded, func(asked string) bool { return strings.HasPrefix(asked, "GET "+b.at+"playground/crdlift-") }) {
		t.Fatalf("the program was not seen among %q: the test sees too little", loaded)
	}
	for _, state := range states {
		b.choose("to", "v1")
		b.example(0)
		state.to(b)
		b.run(chromedp.Evaluate(`document.getElementById("rule").close()`, nil))
	}
	b.example(0)
	b.click("#findings-list .fix")
	b.sees("the status", b.content("#status"), "1 error")
	b.write(read(t, "../../examples/lint/backups.yaml"))
	b.click("#fix-all")
	b.sees("the status", b.content("#status"), "3 findings fixed.")
	b.share()
	b.drop(map[string]string{"secret.yaml": "kind: Secret\n"})
	b.until(`document.getElementById("files").textContent.includes("secret.yaml")`)
	b.settled()
	if asked := b.drained(p); len(asked) > 0 {
		t.Errorf("the page has the browser ask for %q", asked)
	}
	b.calm()
}

// TestPolicy does what a script that got into the page would do, in the page and in a worker like its own.
func TestPolicy(t *testing.T) {
	t.Parallel()
	b, p := through(t)
	b.open("")
	elsewhere := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	p.all(true)
	const violated = `const violated = (directive, by = A.replace(/.*:\/\//, "")) => new Promise((done) => {
		addEventListener("securitypolicyviolation", (e) => {
			if (e.violatedDirective.startsWith(directive) && e.blockedURI.includes(by)) done("refused");
		});
	});`
	n := 0
	for name, script := range map[string]string{
		"fetch":              `fetch(A).then(() => "reached", (e) => "refused")`,
		"fetch with no-cors": `fetch(A, { mode: "no-cors" }).then(() => "reached", (e) => "refused")`,
		"an image":           `new Promise((done) => { const i = new Image(); i.onload = () => done("reached"); i.onerror = () => done("refused"); i.src = A; })`,
		"a form":             `{ const rejected = violated("form-action", ""); const f = document.createElement("form"); f.action = A; f.method = "post"; document.body.append(f); f.submit(); rejected }`,
		"a frame":            `{ const rejected = violated("frame-src", ""); const f = document.createElement("iframe"); f.src = A; document.body.append(f); rejected }`,
		"a script":           `new Promise((done) => { const s = document.createElement("script"); s.onload = () => done("reached"); s.onerror = () => done("refused"); s.src = A; document.body.append(s); })`,
		"a socket":           `{ const rejected = violated("connect-src"); new WebSocket(A.replace("http", "ws")); rejected }`,
		"a beacon":           `{ const rejected = violated("connect-src"); navigator.sendBeacon(A, "text"); rejected }`,
		"code in a text":     `{ const rejected = violated("script-src", "inline"); const b = document.createElement("button"); b.setAttribute("onclick", "fetch('" + A + "')"); document.body.append(b); b.click(); rejected }`,
		"fetch in a worker": `new Promise((done) => {
			const code = "fetch('" + A + "').then(() => postMessage('reached'), () => postMessage('refused'))";
			new Worker(URL.createObjectURL(new Blob([code]))).onmessage = (e) => done(e.data);
		})`,
	} {
		// Each has an address or a directive of its own, as the browser may report an earlier one late.
		n++
		if said := eval[string](b, "{ const A = "+quote(fmt.Sprintf("%s/taken-%d.", elsewhere, n))+"; "+violated+script+" }"); said != "refused" {
			t.Errorf("%s: %s", name, said)
		}
	}
	if asked := b.drained(p); len(asked) > 0 {
		t.Errorf("the browser asked for %q", asked)
	}
}
