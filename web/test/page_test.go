package test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/chromedp/chromedp"
)

// settled waits until the playground shows a result about the texts as they are.
func (b *tab) settled() {
	b.Helper()
	b.until(`document.getElementById("results").getAttribute("aria-busy") === "false"`)
}

// editor is the part of the editor that has the text.
const editor = `document.getElementById("editor").shadowRoot.querySelector(".cm-content")`

// write pastes a text in the place of the one that the editor shows, and waits for the result.
func (b *tab) write(text string) {
	b.Helper()
	b.paste(text)
	b.settled()
}

// paste pastes a text in the place of the one that the editor shows.
func (b *tab) paste(text string) {
	b.Helper()
	b.run(chromedp.Evaluate(editor+".focus()", nil), chromedp.KeyEvent("a", chromedp.KeyModifiers(ctrl)))
	eval[any](b, `{
		const data = new DataTransfer();
		data.setData("text/plain", `+quote(text)+`);
		`+editor+`.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
		null
	}`)
}

// text is the text that the editor shows, as far as it is in view.
func (b *tab) text() string {
	b.Helper()
	return eval[string](b, `[...`+editor+`.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n")`)
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

// choose chooses an entry of a menu, and waits for the result.
func (b *tab) choose(id, value string) {
	b.Helper()
	b.change(id, value)
	b.settled()
}

// change chooses an entry of a menu.
func (b *tab) change(id, value string) {
	b.Helper()
	eval[any](b, fmt.Sprintf(`{
		const menu = document.getElementById(%s);
		menu.value = %s;
		menu.dispatchEvent(new Event("change", { bubbles: true }));
		null
	}`, quote(id), quote(value)))
}

// example shows an example of the menu, and waits for the result.
func (b *tab) example(number int) {
	b.Helper()
	b.change("example", strconv.Itoa(number))
	b.click("#show")
}

// shows reports whether there is an element.
func (b *tab) shows(selector string) bool {
	b.Helper()
	return eval[bool](b, fmt.Sprintf("document.querySelector(%s)?.checkVisibility() ?? false", quote(selector)))
}

// tabOf shows a panel.
func tabOf(panel string) chromedp.Action { return chromedp.Click("#tab-"+panel, chromedp.ByQuery) }

// diff is the difference that a panel shows.
func (b *tab) diff(panel string) string {
	b.Helper()
	return b.content("#" + panel + " .diff")
}

func (b *tab) sees(where, text string, parts ...string) {
	b.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			b.Errorf("%s lacks %q:\n%s", where, part, text)
		}
	}
}

// drop drops files on the editor.
func (b *tab) drop(files map[string]string) {
	b.Helper()
	all, _ := json.Marshal(files) // texts are always JSON
	eval[any](b, `{
		const data = new DataTransfer();
		for (const [name, text] of Object.entries(`+string(all)+`)) data.items.add(new File([text], name));
		for (const kind of ["dragover", "drop"]) {
			document.getElementById("editor").dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
		}
		null
	}`)
}
