package test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/page"
)

// reports are pages of `crdlift report`, by the JSON reports that they are made of.
var reports = map[string][]string{
	"findings": {"lint"}, "changes": {"breaking"}, "migration": {"convert"}, "releases": {"plan"}, "nothing": {"clean"},
	"organisation": {"lint", "breaking", "convert", "clean"},
}

// serveReport serves such a page by itself, and returns its address.
func serveReport(t *testing.T, name string) string {
	t.Helper()
	var all overview.Builder
	for _, name := range reports[name] {
		src, err := os.ReadFile("../../internal/page/testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if err := overview.Read(bytes.NewReader(src), name, all.Add); err != nil {
			t.Fatal(err)
		}
	}
	var text bytes.Buffer
	if err := page.Write(&text, all.Overview()); err != nil {
		t.Fatal(err)
	}
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/report.html" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(text.Bytes())
	})) + "/report.html"
}

// TestReportAccessible has axe look at reports with everything unfolded, in light and in dark, on a screen and on a phone.
func TestReportAccessible(t *testing.T) {
	t.Parallel()
	axe := read(t, "../node_modules/axe-core/axe.min.js")
	b := browser(t)
	for name := range reports {
		address := serveReport(t, name)
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{1280, phone} {
				b.run(emulation.SetDeviceMetricsOverride(width, 800, 1, width == phone), b.media("prefers-color-scheme", scheme))
				b.run(chromedp.Navigate(address), chromedp.Evaluate(axe, nil))
				b.run(chromedp.Evaluate(`for (const d of document.querySelectorAll("details")) d.open = true`, nil))
				b.accessible(fmt.Sprintf("the report of %s, %s, %d pixels", name, scheme, width))
			}
		}
	}
	for _, trouble := range b.heard() {
		if !strings.Contains(trouble, "favicon.ico") { // which the browser asks for, and not the page
			t.Error(trouble)
		}
	}
}

// TestReportFilters narrows a report down by words and by severities. The page's own policy allows the script that does it.
func TestReportFilters(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.run(chromedp.Navigate(serveReport(t, "findings")))
	const shown = `[...document.querySelectorAll("#findings details.rule")].filter((d) => d.checkVisibility()).map((d) => d.querySelector("summary code").textContent).sort().join(" ")`
	all := eval[string](b, shown)
	if all == "" || !strings.Contains(all, "storage-version-unstable") || !strings.Contains(all, " ") {
		t.Fatalf("there are the rules %q", all)
	}
	b.run(chromedp.SendKeys("#findings input[type=search]", "unstable"))
	b.until(shown + ` === "storage-version-unstable"`)
	b.run(chromedp.Evaluate(`document.querySelector("#findings input[type=search]").value = ""`, nil),
		chromedp.Click(`#findings input[data-severity=warning]`))
	b.until(`!(` + shown + `).includes("deprecated-api-version")`)
	b.run(chromedp.Click(`#findings input[data-severity=warning]`))
	b.until(shown + ` === ` + quote(all))
}
