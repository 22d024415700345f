package test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// content is the text of an element; "" where there is none.
func (b *tab) content(selector string) string {
	b.Helper()
	return eval[string](b, fmt.Sprintf(`document.querySelector(%s)?.textContent ?? ""`, quote(selector)))
}

// click clicks on the first element that fits, and waits for the result.
func (b *tab) click(selector string) {
	b.Helper()
	b.run(chromedp.Click(selector, chromedp.ByQuery))
	b.settled()
}

// choose chooses an entry of a menu.
func (b *tab) choose(id, value string) {
	b.Helper()
	eval[any](b, fmt.Sprintf(`{
		const menu = document.getElementById(%s);
		menu.value = %s;
		menu.dispatchEvent(new Event("change", { bubbles: true }));
		null
	}`, quote(id), quote(value)))
	b.settled()
}

// tabOf shows a panel.
func tabOf(panel string) chromedp.Action { return chromedp.Click("#tab-"+panel, chromedp.ByQuery) }

// diff is the difference that a panel shows.
func (b *tab) diff(panel string) string {
	b.Helper()
	return eval[string](b, fmt.Sprintf(`document.querySelector(%s + " .diff").shadowRoot.querySelector(".cm-content").innerText`, quote("#"+panel)))
}

func (b *tab) sees(where, text string, parts ...string) {
	b.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			b.Errorf("%s lacks %q:\n%s", where, part, text)
		}
	}
}

// calm fails the test if scripts failed, or did what the page's policy forbids.
func (b *tab) calm() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, trouble := range b.trouble {
		b.Error(trouble)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.sees("the status", b.content("#status"), "2 errors", "checked 1 CRD")
	b.sees("the list", b.content("#findings-list"), "scope-invalid", "backups.yaml:11")
	if n := eval[int](b, `document.getElementById("editor").shadowRoot.querySelectorAll(".cm-lint-marker-error").length`); n == 0 {
		t.Error("no line is marked")
	}
	b.choose("severity", "error")
	if list := b.content("#findings-list"); strings.Contains(list, "warning: ") {
		t.Errorf("the list of errors has warnings: %s", list)
	}
	b.write("# nothing\n")
	b.sees("the status", b.content("#status"), "no findings", "checked 0 CRDs")
	if list := b.content("#findings-list"); list != "" {
		t.Errorf("the list has %q", list)
	}
	b.calm()
}

func TestFix(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	before := b.text()
	b.click("#findings-list .fix")
	b.until(`document.getElementById("status").textContent.includes("1 error")`)
	if after := b.text(); after == before {
		t.Error("the text is as it was")
	}
	b.click("#fix-all")
	if eval[bool](b, `document.getElementById("findings-list").querySelector(".fix") !== null`) {
		t.Errorf("there is more to fix: %s", b.content("#findings-list"))
	}
	b.calm()
}

func TestConvert(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.choose("example", "1")
	b.until(`document.querySelector("#conversions .diff")`)
	b.sees("the status", b.content("#status"), "1 converted")
	b.sees("the difference", b.diff("conversions"), "apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v1\n")
	b.click("#use")
	b.until(`document.getElementById("status").textContent.includes("already there")`)
	b.sees("the text", b.text(), "apiVersion: apiextensions.k8s.io/v1\n")
	b.choose("to", "v1beta1")
	b.until(`document.querySelector("#conversions .diff")`)
	b.sees("the difference", b.diff("conversions"), "apiextensions.k8s.io/v1beta1")
	b.calm()
}

func TestObjects(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.choose("example", "2")
	b.until(`document.querySelector("#verdicts .diff")`)
	b.sees("the status", b.content("#status"), "2 objects, 1 refused")
	b.sees("the verdicts", b.content("#verdicts"), "accepted: ", "refused: ", "Causes and changes")
	b.calm()
}

// TestShare opens what a link has in it in another tab.
func TestShare(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.write("# shared: ä 𝄞\r\n")
	b.run(chromedp.Click("#share", chromedp.ByQuery))
	b.until(`location.hash.length > 1`)
	fragment := eval[string](b, `location.hash`)
	other := browser(t)
	other.open(fragment)
	if text := other.text(); text != "# shared: ä 𝄞\n" {
		t.Errorf("the text of the link is %q", text)
	}
	other.open("#bm90aGluZw")
	other.sees("the status", other.content("#status"), "2 errors")
	other.calm()
}

func TestRule(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.run(chromedp.Click("#findings-list .rule", chromedp.ByQuery))
	b.until(`document.getElementById("rule").open`)
	b.sees("the page", b.content("#rule"), "scope-invalid", "What to do")
	if link := eval[string](b, `document.getElementById("rule-link").href`); link != "https://crdlift.github.io/crdlift/rules/scope-invalid" {
		t.Errorf("the page is at %s", link)
	}
	b.run(chromedp.KeyEvent("\x1b"))
	b.until(`!document.getElementById("rule").open`)
	b.calm()
}
