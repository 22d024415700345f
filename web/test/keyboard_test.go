package test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	ctrl  = input.ModifierCtrl
	shift = input.ModifierShift
)

// focused describes what has the focus, as a person would say it: its role and its name.
const focused = `(() => {
	let e = document.activeElement;
	while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
	if (!e || e === document.body) return "";
	const label = e.getAttribute("aria-label") ?? e.labels?.[0]?.textContent ?? document.getElementById(e.getAttribute("aria-labelledby"))?.textContent ?? e.textContent;
	return (e.getAttribute("role") ?? e.localName) + " " + label.trim().replace(/\s+/g, " ").slice(0, 60);
})()`

// press presses keys.
func (b *tab) press(key string, modifiers ...input.Modifier) {
	b.Helper()
	b.run(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}

// reach presses the Tab key until something has the focus whose description begins like that. On the way, the focus can
// be seen, and the keyboard gets out of everything.
func (b *tab) reach(what string, modifiers ...input.Modifier) {
	b.Helper()
	var seen []string
	for range 60 {
		b.press(kb.Tab, modifiers...)
		at := eval[string](b, focused)
		if strings.HasPrefix(at, what) {
			return
		}
		seen = append(seen, at)
	}
	b.Fatalf("the keyboard does not reach %q: it passes %q", what, seen)
}

// TestKeyboard does with the keys alone what people do with a mouse.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.press(kb.Tab)
	if at := eval[string](b, focused); at != "a Skip to the content" {
		t.Errorf("the first stop is %q", at)
	}
	b.press(kb.Enter)
	b.reach("textbox Text of backups.yaml")
	b.press("# a/b\n") // the slash leads to the search elsewhere
	b.until(editor + `.textContent.startsWith("# a/b")`)
	b.settled()
	b.reach("tab Findings")
	b.reach("button scope-invalid")
	b.press(kb.Enter)
	b.until(`document.getElementById("rule").open`)
	b.press(kb.Escape)
	b.until(`!document.getElementById("rule").open`)
	if at := eval[string](b, focused); at != "button scope-invalid" {
		t.Errorf("after the rule, the focus is on %q", at)
	}
	b.reach("button Fix: ")
	b.press(kb.Enter)
	b.until(`document.getElementById("status").textContent.includes("1 error")`)
	b.visible("after a fix")
	b.reach("tab Findings", shift)
	b.press(kb.ArrowRight)
	b.until(`!document.getElementById("convert").hidden`)
	b.press(kb.End)
	b.until(`!document.getElementById("objects").hidden`)
	b.press(kb.ArrowRight)
	b.until(`!document.getElementById("findings").hidden`)
	b.reach("button Share", shift)
	b.press(kb.Enter)
	b.until(`document.getElementById("status").textContent.startsWith("The link is in the address bar")`)

	b.example(2)
	b.run(chromedp.Focus("#verdicts .fix", chromedp.ByQuery))
	b.press(kb.Enter)
	b.until(`!document.querySelector("#verdicts .fix")`)
	b.visible("after a fix of an object")

	b.drop(map[string]string{"crontabs.yaml": strings.Repeat("# more\n", 30) + read(t, "../../examples/convert/crontabs.yaml")})
	b.until(`document.getElementById("files").textContent.includes("crontabs.yaml")`)
	b.run(tabOf("convert"))
	b.settled()
	b.reach("region Difference of crontabs.yaml")
	b.press(kb.End)
	b.until(`document.querySelector("#conversions .diff").scrollTop > 0`)
	b.calm()
}

// visible expects the focus to be somewhere, lest the keyboard begins at the top of the page again.
func (b *tab) visible(when string) {
	b.Helper()
	b.settled()
	if at := eval[string](b, focused); at == "" {
		b.Errorf("%s, nothing has the focus", when)
	}
}

// TestFocusVisible looks whether each stop of the keyboard is drawn differently from the others.
func TestFocusVisible(t *testing.T) {
	t.Parallel()
	b := browser(t)
	for _, page := range []string{"", "rules/scope-invalid/", "docs/convert/", "playground/"} {
		b.visit(page)
		if page == "playground/" {
			b.settled()
		}
		stops := 0
		for range 25 {
			b.press(kb.Tab)
			if eval[string](b, focused) == "" {
				break
			}
			stops++
			b.until(outlined) // the editor draws it a moment later
		}
		if stops < 8 {
			t.Errorf("/%s has %d stops", page, stops)
		}
	}
}

// outlined is whether one can see the focus: the element that has it, or one around it, has an outline.
const outlined = `(() => {
	let e = document.activeElement;
	while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
	for (; e; e = e.parentElement ?? e.getRootNode().host) {
		const style = getComputedStyle(e);
		if (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) return true;
	}
	return false;
})()`
