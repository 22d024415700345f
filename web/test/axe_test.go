package test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// phone is the width of a small phone, in pixels.
const phone = 360

// pages are pages of the site, one of each kind.
var pages = []string{
	"", "rules/", "rules/scope-invalid/", "rules/schema-required/", "docs/", "docs/convert/", "docs/report/", "docs/performance/",
	"search/?q=structural+schema", "no/such/page/",
}

// states are what the playground may look like, and how it gets there from its first result.
var states = []struct {
	name string
	to   func(b *tab)
}{
	{"findings", func(*tab) {}},
	{"no findings", func(b *tab) { b.write("# nothing\n") }},
	{"unreadable text", func(b *tab) { b.write("a: [\n") }},
	{"place of a finding", func(b *tab) {
		b.run(chromedp.Evaluate(editor+".focus()", nil), chromedp.KeyEvent(kb.F8))
		b.until(`document.getElementById("editor").shadowRoot.querySelector(".cm-tooltip")`)
	}},
	{"search in the text", func(b *tab) {
		b.run(chromedp.Evaluate(editor+".focus()", nil), chromedp.KeyEvent("f", chromedp.KeyModifiers(ctrl)))
		b.until(`document.getElementById("editor").shadowRoot.querySelector(".cm-search")`)
	}},
	{"list of findings in the editor", func(b *tab) {
		b.run(chromedp.Evaluate(editor+".focus()", nil), chromedp.KeyEvent("M", chromedp.KeyModifiers(ctrl|shift)))
		b.until(`document.getElementById("editor").shadowRoot.querySelector(".cm-panel-lint")`)
	}},
	{"rule", func(b *tab) {
		b.run(chromedp.Click("#findings-list .rule", chromedp.ByQuery))
		b.until(`document.getElementById("rule").open`)
	}},
	{"conversion", func(b *tab) {
		b.example(1)
		b.until(`document.querySelector("#conversions .diff")`)
	}},
	{"conversion back", func(b *tab) {
		b.example(1)
		b.click("#use")
		b.choose("to", "v1beta1")
		b.until(`document.querySelector("#conversions .diff")`)
	}},
	{"objects", func(b *tab) {
		b.example(2)
		b.until(`document.querySelector("#verdicts .diff")`)
	}},
	{"nothing", func(b *tab) { b.example(3) }},
}

// TestAccessible has axe look at every kind of page and at every state of the playground: in light and in dark, on a screen and
// on a phone, where no page may be wider than the screen.
func TestAccessible(t *testing.T) {
	t.Parallel()
	axe := read(t, "../node_modules/axe-core/axe.min.js")
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, phone} {
			t.Run(fmt.Sprintf("%s, %d pixels", scheme, width), func(t *testing.T) {
				t.Parallel()
				b := browser(t)
				b.run(emulation.SetDeviceMetricsOverride(width, 800, 1, width == phone), b.media("prefers-color-scheme", scheme))
				for _, page := range pages {
					b.visit(page)
					if strings.HasPrefix(page, "search/") {
						b.until(`document.querySelector("#search-results li")`)
					}
					b.run(chromedp.Evaluate(axe, nil))
					b.accessible("/" + page)
				}
				b.heard() // of the page that is not there
				for _, state := range states {
					b.open("")
					b.run(chromedp.Evaluate(axe, nil))
					state.to(b)
					b.accessible("the playground with " + state.name)
				}
				b.calm()
			})
		}
	}
}

// A violation is what axe found.
type violation struct {
	ID    string
	Help  string
	Nodes []struct{ HTML, FailureSummary string }
}

// accessible expects no violation on the page as it is, and that it is not wider than its window.
func (b *tab) accessible(what string) {
	b.Helper()
	found := eval[[]violation](b, `axe.run({ resultTypes: ["violations"] }).then((all) => all.violations)`)
	for _, v := range found {
		for _, n := range v.Nodes {
			b.Errorf("%s: %s (%s): %.200s\n%s", what, v.Help, v.ID, n.HTML, n.FailureSummary)
		}
	}
	if over := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		b.Errorf("%s is %d pixels wider than the window: %s", what, over, eval[string](b, widest))
	}
}

// widest is the element that reaches furthest to the right.
const widest = `(() => {
	let at = 0, name = "";
	for (const e of document.body.querySelectorAll("*")) {
		const right = e.getBoundingClientRect().right;
		if (right > at) [at, name] = [right, e.outerHTML.slice(0, 200)];
	}
	return name;
})()`
