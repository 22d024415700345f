// Package test opens the site and the playground, as they were built, in a real browser: Chromium, without a window.
//
// Read this file first: it has the browser and the server. page_test.go has what a person does in the playground.
package test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for something. Nothing is measured by it.
const patience = time.Minute

// A tab is a tab of the browser.
type tab struct {
	*testing.T
	ctx context.Context
	at  string // address of the site, with a slash at its end

	mu      sync.Mutex
	trouble []string // errors of scripts and of the page's policy
	dialogs []string // the kinds of what the browser asked; a test always says yes
}

// browser starts a browser for a test. The options are added to those that it always has.
func browser(t *testing.T, options ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	b := &tab{T: t, at: serve(t, files(t)) + folder}
	options = append(append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.WSURLReadTimeout(patience),
		chromedp.WindowSize(1280, 900)), options...)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	b.listen(ctx, chromedp.WithErrorf(func(string, ...any) {})) // of events that it does not know
	return b
}

// another opens another tab of the browser.
func (b *tab) another() *tab {
	b.Helper()
	other := &tab{T: b.T, at: b.at}
	other.listen(b.ctx)
	return other
}

// listen opens the tab, in the browser that the context is about.
func (b *tab) listen(ctx context.Context, options ...chromedp.ContextOption) {
	b.Helper()
	ctx, cancel := chromedp.NewContext(ctx, options...)
	b.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 10*patience)
	b.Cleanup(cancel)
	b.ctx = ctx
	chromedp.ListenTarget(ctx, b.hear)
	b.run(log.Enable(), runtime.Enable())
}

// hear keeps what goes wrong in the page.
func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		b.trouble = append(b.trouble, event.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if event.Entry.Level == log.LevelError {
			b.trouble = append(b.trouble, event.Entry.Text+" "+event.Entry.URL)
		}
	case *page.EventJavascriptDialogOpening:
		b.dialogs = append(b.dialogs, event.Type.String())
		go func() { _ = chromedp.Run(b.ctx, page.HandleJavaScriptDialog(true)) }() // a dialog that stays open holds the test up
	}
}

func (b *tab) run(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.Fatalf("%v\nthe browser said %q", err, b.heard())
	}
}

// visit opens a page of the site.
func (b *tab) visit(path string) {
	b.Helper()
	b.run(chromedp.Navigate(b.at + path))
}

// open opens the playground, and waits for the first result. The fragment is that of a link; "" for none.
func (b *tab) open(fragment string) {
	b.Helper()
	b.visit("playground/" + fragment)
	b.settled()
}

// eval evaluates JavaScript in the page.
func eval[T any](b *tab, script string) (value T) {
	b.Helper()
	b.run(chromedp.Evaluate(script, &value, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return value
}

// until waits for an expression to be true, on whichever page the tab is by then.
func (b *tab) until(expression string) {
	b.Helper()
	var met bool
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if err = chromedp.Run(b.ctx, chromedp.Evaluate("Boolean("+expression+")", &met)); met {
			return
		}
	}
	b.Fatalf("it never came to %s (%v)\nthe browser said %q", expression, err, b.heard())
}

// heard is what went wrong in the page. It is forgotten then.
func (b *tab) heard() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	heard := b.trouble
	b.trouble = nil
	return heard
}

// calm fails the test if scripts failed, or did what the page's policy forbids.
func (b *tab) calm() {
	b.Helper()
	for _, trouble := range b.heard() {
		b.Error(trouble)
	}
}

// quote writes a text as JavaScript does.
func quote(text string) string {
	out, _ := json.Marshal(text) // a string is always JSON
	return string(out)
}
