// Package test opens the playground, as it was built, in a real browser: Chromium, without a window.
package test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is after how long a test gives up. Nothing is measured by it.
const patience = 3 * time.Minute

// built is the folder that `make playground` and `make site` write to.
const built = "../../build/site"

// A tab is a tab of the browser with the playground in it.
type tab struct {
	*testing.T
	ctx    context.Context
	server *httptest.Server

	mu       sync.Mutex
	requests []string // addresses that were asked for, data: and blob: apart
	trouble  []string // errors of scripts and of the page's policy
}

// serve serves the site as a static host does, and lets the browser keep nothing of it.
func serve(t *testing.T) *httptest.Server {
	t.Helper()
	if _, err := os.Stat(filepath.Join(built, "playground", "crdlift.bin")); err != nil {
		t.Skipf("%v: 'make playground' makes it", err)
	}
	files := http.FileServer(http.Dir(built))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server
}

// browser starts a browser for a test. The options are added to those that it always has.
func browser(t *testing.T, options ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	server := serve(t)
	options = append(append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.WSURLReadTimeout(patience),
		chromedp.WindowSize(1280, 900)), options...)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {})) // of events that it does not know
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	b := &tab{T: t, ctx: ctx, server: server}
	chromedp.ListenTarget(ctx, b.hear)
	b.run(network.Enable(), log.Enable(), runtime.Enable())
	return b
}

// hear keeps what the page asks for and what goes wrong in it.
func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		if url := event.Request.URL; !strings.HasPrefix(url, "blob:") && !strings.HasPrefix(url, "data:") {
			b.requests = append(b.requests, strings.TrimPrefix(url, b.server.URL))
		}
	case *runtime.EventExceptionThrown:
		b.trouble = append(b.trouble, event.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if event.Entry.Level == log.LevelError {
			b.trouble = append(b.trouble, event.Entry.Text+" "+event.Entry.URL)
		}
	}
}

func (b *tab) run(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.Fatalf("%v\nthe browser said %q", err, b.trouble)
	}
}

// open opens the playground, and waits for the first result. The fragment is that of a link; "" for none.
func (b *tab) open(fragment string) {
	b.Helper()
	b.run(chromedp.Navigate(b.server.URL + "/playground/" + fragment))
	b.settled()
}

// eval evaluates JavaScript in the page.
func eval[T any](b *tab, script string) (value T) {
	b.Helper()
	b.run(chromedp.Evaluate(script, &value, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return value
}

// until waits for an expression to be true.
func (b *tab) until(expression string) {
	b.Helper()
	b.run(chromedp.Poll("Boolean("+expression+")", nil, chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(patience)))
}

// settled waits until the page shows a result about the texts as they are.
func (b *tab) settled() {
	b.Helper()
	b.until(`document.getElementById("results").getAttribute("aria-busy") === "false"`)
}

// editor is the part of the editor that has the text.
const editor = `document.getElementById("editor").shadowRoot.querySelector(".cm-content")`

// write pastes a text in the place of the one that the editor shows.
func (b *tab) write(text string) {
	b.Helper()
	b.run(chromedp.Evaluate(editor+".focus()", nil), chromedp.KeyEvent("a", chromedp.KeyModifiers(input.ModifierCtrl)))
	eval[any](b, `{
		const data = new DataTransfer();
		data.setData("text/plain", `+quote(text)+`);
		`+editor+`.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
		null
	}`)
	b.settled()
}

// text is the text that the editor shows, as far as it is in view.
func (b *tab) text() string {
	b.Helper()
	return eval[string](b, `[...`+editor+`.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n")`)
}

// quote writes a text as JavaScript does.
func quote(text string) string {
	out, _ := json.Marshal(text) // a string is always JSON
	return string(out)
}
