package test

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// share shares the texts, and returns the fragment of the link.
func (b *tab) share() string {
	b.Helper()
	b.run(chromedp.Evaluate(`document.getElementById("share").click()`, nil))
	b.until(`document.getElementById("status").textContent.startsWith("The link is in the address bar")`)
	return eval[string](b, `location.hash`)
}

// shared is what the link in the address has in it.
func (b *tab) shared() string {
	b.Helper()
	small, err := base64.RawURLEncoding.DecodeString(eval[string](b, `location.hash.slice(1)`))
	if err != nil {
		b.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(flate.NewReader(bytes.NewReader(small))); err != nil {
		b.Fatal(err)
	}
	return text.String()
}

// following does something, and waits until the address has followed it.
func (b *tab) following(do func()) {
	b.Helper()
	before := eval[string](b, `location.hash`)
	do()
	b.until(`location.hash !== ` + quote(before))
	b.settled()
}

// asked is what the browser asked since that was last looked at.
func (b *tab) asked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	asked := b.dialogs
	b.dialogs = nil
	return asked
}

// reload reloads the page, after a click without which browsers never ask, and expects that the browser asks whether to do so, or
// that it does not.
func (b *tab) reload(asks bool, what string) {
	b.Helper()
	b.run(chromedp.Click("#results-title", chromedp.ByQuery), chromedp.Reload())
	b.settled()
	if asked := b.asked(); slices.Contains(asked, "beforeunload") != asks || len(asked) > 1 {
		b.Errorf("with %s, the browser asks %q", what, asked)
	}
}

// random is a text that no packing makes much smaller, with so many lines.
func random(lines int) string {
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, "# %x\n", sha256.Sum256(fmt.Append(nil, i)))
	}
	return text.String()
}

// TestAddressFollows types, and chooses a panel and options: the address opens the same in another tab, and when the page is reloaded,
// which nobody is asked about. The link of a text that was shared does not outlive it.
func TestAddressFollows(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	if fragment := eval[string](b, `location.hash`); fragment != "" {
		t.Errorf("the address of the first example has %s", fragment)
	}
	b.write("# shared\n")
	b.share()
	b.following(func() { b.write("# mine\n") })
	b.sees("the address", b.shared(), "# mine")
	b.following(func() { b.run(tabOf("convert")) })
	for _, c := range [][2]string{{"to", "v1beta1"}, {"policy", "idiomatic"}, {"severity", "error"}, {"as", "served"}} {
		b.following(func() { b.change(c[0], c[1]) })
	}
	b.following(func() { b.run(chromedp.Evaluate(`document.getElementById("drop").click()`, nil)) })
	other := b.another()
	other.open(eval[string](b, `location.hash`))
	b.reload(false, "a text that is in the address")
	for name, tab := range map[string]*tab{"another tab": other, "the page that was reloaded": b} {
		const chosen = `["to", "policy", "drop", "severity", "as"].map((id) => document.getElementById(id)).map((e) => e.type === "checkbox" ? e.checked : e.value).join()`
		if text, now := tab.text(), eval[string](tab, chosen); text != "# mine\n" || now != "v1beta1,idiomatic,true,error,served" || !tab.shows("#convert") {
			t.Errorf("%s has %q and %s, and shows the panel that converts: %t", name, text, now, tab.shows("#convert"))
		}
		tab.calm()
	}
}

// TestBack goes back and forward between what was shown: a text of one's own, the example that replaced it, files that were opened.
// A link with choices that there are not has those of the start.
func TestBack(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.following(func() { b.write("# my own\n") })
	b.following(func() { b.example(1) })
	b.following(func() { b.drop(map[string]string{"b.yaml": "# b\n"}) })
	to := func(way, want string) {
		t.Helper()
		b.following(func() { b.run(chromedp.Evaluate(`history.`+way+`()`, nil)) })
		b.until(editor + `.textContent.includes(` + quote(want) + `)`)
		b.settled()
	}
	to("back", "crontabs.example.com")
	if !b.shows("#convert") {
		t.Error("it is not the panel of the example")
	}
	to("back", "# my own")
	to("forward", "crontabs.example.com")
	to("back", "# my own")
	// The skip link has an address of its own, which then follows, too.
	b.run(chromedp.Evaluate(`document.querySelector(".skip").focus()`, nil), chromedp.KeyEvent(kb.Enter))
	b.until(`location.hash.length > "#content".length`)
	b.sees("the address", b.shared(), "# my own")
	b.following(func() {
		b.run(chromedp.Evaluate(`location.hash = `+quote(packed(t, `{"files": [{"name": "a.yaml", "text": "# a\n"}], "mode": "none", "choices": {"to": "v2", "drop": 1, "as": {}}}`)), nil))
	})
	b.until(editor + `.textContent.includes("# a")`)
	b.settled()
	b.sees("the status", b.content("#status"), "There is no CRD or custom resource here")
	b.run(tabOf("convert"))
	b.settled()
	b.sees("the status", b.content("#status"), "There is no CRD to convert.")
	b.run(chromedp.Evaluate(`location.hash = ""`, nil))
	b.until(editor + `.textContent.includes("backups.example.com")`)
	if asked := b.asked(); len(asked) > 0 {
		t.Errorf("the browser asks %q", asked)
	}
	b.calm()
}

// TestTooLargeForAddress has a text that no link takes: the address has no other one instead, the page says so beside Share, and the
// browser asks before the text is lost. A shorter text is in the address again.
func TestTooLargeForAddress(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.following(func() { b.write("# short\n") })
	b.following(func() { b.write(random(1000)) })
	if fragment := eval[string](b, `location.hash`); fragment != "" || !b.shows("#too-large") {
		t.Errorf("the address has %.40q, and the page says that the text is too large: %t", fragment, b.shows("#too-large"))
	}
	b.run(chromedp.Click("#share", chromedp.ByQuery))
	b.until(`document.getElementById("status").textContent.includes("The text is too large for a link")`)
	b.following(func() { b.write("# shorter\n") })
	if b.shows("#too-large") {
		t.Error("the page still says that the text is too large")
	}
	b.sees("the address", b.shared(), "# shorter")
	b.following(func() { b.write(random(1000)) })
	b.reload(true, "a text that is too large for the address")
	b.calm()
}

// TestLeaving leaves the page with texts that are elsewhere, too, and with some that are not.
func TestLeaving(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.reload(false, "the first example")
	if fragment := eval[string](b, `location.hash`); fragment != "" {
		t.Errorf("the address of the first example came to have %s", fragment)
	}
	opened := func() {
		b.visit("playground/")
		b.settled()
		b.drop(map[string]string{"large.yaml": strings.ReplaceAll(random(1000), "\n", "\r\n") + "# another end\n", "small.yaml": "# small\n"})
		b.until(`document.getElementById("too-large").checkVisibility()`)
	}
	opened()
	b.reload(false, "files as they were opened")
	opened()
	b.run(chromedp.Click(`//*[@id="files"]/button[.="small.yaml"]`, chromedp.BySearch))
	b.write("# changed\n")
	b.reload(true, "a file that was changed")
	opened()
	b.run(chromedp.Click(`//*[@id="files"]/button[.="small.yaml"]`, chromedp.BySearch))
	b.write("")
	b.reload(false, "a file that was emptied")
	opened()
	b.write(random(1001))
	b.following(func() { b.example(0) })
	b.reload(true, "a text that was replaced by an example, and can be brought back")
	opened()
	b.following(func() { b.example(0) })
	b.reload(false, "files that were replaced by an example")
	b.calm()
}
