package test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// TestNewcomer goes from the front page to a first finding, and to what its rule says, by clicks alone.
func TestNewcomer(t *testing.T) {
	t.Parallel()
	b := browser(t)
	begun := time.Now()
	b.visit("")
	b.run(chromedp.Click(`//a[.="Try it in the browser"]`, chromedp.BySearch))
	b.until(`location.pathname.endsWith("/playground/") && document.querySelector("#findings-list li")`)
	first := time.Since(begun)
	b.settled()
	b.sees("the list", b.content("#findings-list"), "error: scope \"namespaced\" is unknown")
	b.click("#findings-list .fix")
	b.until(`document.getElementById("status").textContent.includes("1 error")`)
	t.Logf("first finding %.1f s after the front page was asked for, first fix after %.1f s", first.Seconds(), time.Since(begun).Seconds())
	b.calm()
}

// TestExampleOfRule opens the example of a rule in the playground, which finds there what the page says.
func TestExampleOfRule(t *testing.T) {
	t.Parallel()
	b := browser(t)
	for _, rule := range []string{"printer-column-jsonpath-invalid", "object-enum"} {
		b.visit("rules/" + rule + "/")
		b.run(chromedp.Click(`//a[.="Try this example in the playground"]`, chromedp.BySearch))
		b.until(`location.pathname.endsWith("/playground/") && document.querySelector("#findings-list li")`)
		b.settled()
		b.sees("the list", b.content("#findings-list"), rule)
	}
	b.calm()
}

// TestSearch looks for a rule, from a page on which the slash leads to the search.
func TestSearch(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.visit("docs/convert/")
	b.press("/")
	b.press("preserveUnknown" + kb.Enter)
	b.until(`location.pathname.endsWith("/search/") && document.querySelector("#search-results li")`)
	b.sees("the results", b.content("#search-results"), "preserve")
	b.run(chromedp.Evaluate(`document.getElementById("search").select()`, nil))
	b.press("scope-invalid")
	b.until(`document.querySelector("#search-results a").textContent === "scope-invalid"`)
	b.run(chromedp.Click("#search-results a", chromedp.ByQuery))
	b.until(`location.pathname.endsWith("/rules/scope-invalid/")`)
	for query, first := range map[string]string{"must be of type integer": "object-type", "unique version names": "version-name-duplicate"} {
		b.visit("search/?q=" + url.QueryEscape(query))
		b.until(`document.querySelector("#search-results a")?.textContent === ` + quote(first))
	}
	b.visit("search/?q=argocd")
	b.until(`document.querySelector("#search-results a")`)
	b.visit("search/?q=zzzzzz")
	b.until(`document.getElementById("search-status").textContent.startsWith("Nothing is found")`)
	b.calm()
}

// TestCatalogue filters the table of rules.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.visit("rules/")
	b.run(chromedp.Click("#filter", chromedp.ByQuery))
	b.press("scope-inv")
	b.until(`document.getElementById("filtered").textContent === "1 row"`)
	if shown := eval[string](b, `[...document.querySelectorAll(".catalogue tbody tr:not([hidden]) th")].map((e) => e.textContent).join()`); shown != "scope-invalid" {
		t.Errorf("the rules that are shown are %s", shown)
	}
	b.calm()
}

// TestMovedRule opens the address that a rule had under its earlier name.
func TestMovedRule(t *testing.T) {
	t.Parallel()
	b := browser(t)
	all := rules.All()
	at := slices.IndexFunc(all, func(r *lint.Rule) bool { return len(r.Was) > 0 })
	if at < 0 {
		t.Fatal("no rule has an earlier name")
	}
	// One is enough: the site's own tests look at all.
	b.visit("rules/" + all[at].Was[0] + "/")
	b.until(`location.pathname.endsWith(` + quote("/rules/"+all[at].ID+"/") + `)`)
	if title := b.content("h1"); !strings.Contains(title, all[at].ID) {
		t.Errorf("%s is the page of %s", all[at].Was[0], title)
	}
}
