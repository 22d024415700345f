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
	"github.com/chromedp/chromedp/kb"

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
	var texts []string
	for _, name := range reports[name] {
		src, err := os.ReadFile("../../internal/page/testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(src))
	}
	return serveReports(t, texts...)
}

// serveReports serves the page that reports in JSON make.
func serveReports(t *testing.T, texts ...string) string {
	t.Helper()
	var all overview.Builder
	for i, src := range texts {
		if err := overview.Read(strings.NewReader(src), fmt.Sprintf("report %d", i), all.Add); err != nil {
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

// visible are the elements of a selector that are shown, each as the text of a part of it.
func visible(selector, part string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%s)].filter((e) => e.checkVisibility()).map((e) => e.querySelector(%s).textContent).join(" ")`, quote(selector), quote(part))
}

// TestReportMixedSeverities has severities filter the findings, and not the rules that they are of.
func TestReportMixedSeverities(t *testing.T) {
	t.Parallel()
	b := browser(t)
	const finding = `{"rule": "unknown-field", "severity": %q, "message": "m-%[1]s", "file": "a.yaml", "line": %d}`
	b.run(chromedp.Navigate(serveReports(t, `{"version": 1, "findings": [`+fmt.Sprintf(finding, "error", 1)+`,`+fmt.Sprintf(finding, "warning", 2)+`]}`)))
	rows := visible("#findings tbody tr", "td")
	b.until(rows + `.includes("m-error") && ` + rows + `.includes("m-warning")`)
	b.run(chromedp.Click(`#findings input[data-severity=error]`))
	b.until(`!` + rows + `.includes("m-error") && ` + rows + `.includes("m-warning")`)
	b.run(chromedp.Click(`#findings input[data-severity=warning]`))
	b.until(visible("#findings details.rule", "code") + ` === ""`)
}

// TestReportFiltersLists narrows down the changes and the repositories.
func TestReportFiltersLists(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.run(chromedp.Navigate(serveReport(t, "changes")))
	rows := visible("#changes tbody tr", "th")
	b.run(chromedp.SendKeys("#changes input[type=search]", "compress"))
	b.until(rows + `.trim() === "spec.compress v1alpha1"`)
	b.run(chromedp.Navigate(serveReport(t, "organisation")))
	names := visible("#repositories tbody tr", "th")
	if all := eval[string](b, names); !strings.Contains(all, "example/databases") || !strings.Contains(all, "example/users") {
		t.Fatalf("there are the repositories %q", all)
	}
	b.run(chromedp.SendKeys("#repositories input[type=search]", "users"))
	b.until(names + ` === "example/users"`)
	b.until(`document.querySelector("#repositories output").textContent.startsWith("1 of ")`)
}

// TestReportPrints unfolds everything for paper, breaks long commands, and folds back what was folded.
func TestReportPrints(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.run(chromedp.Navigate(serveReport(t, "migration")))
	const open = `[...document.querySelectorAll("details")].map((d) => d.open).join()`
	before := eval[string](b, open)
	if !strings.Contains(before, "false") || !strings.Contains(before, "true") {
		t.Fatalf("nothing is folded, or everything is: %s", before)
	}
	b.run(chromedp.Evaluate(`dispatchEvent(new Event("beforeprint"))`, nil))
	if at := eval[string](b, open); strings.Contains(at, "false") {
		t.Errorf("on paper, some are folded: %s", at)
	}
	b.run(chromedp.Evaluate(`dispatchEvent(new Event("afterprint"))`, nil))
	if after := eval[string](b, open); after != before {
		t.Errorf("after printing, they are %s, and were %s", after, before)
	}
	b.run(chromedp.Navigate(serveReport(t, "releases")), emulation.SetEmulatedMedia().WithMedia("print"),
		emulation.SetDeviceMetricsOverride(700, 900, 1, false))
	if cut := eval[int](b, `[...document.querySelectorAll("pre")].filter((p) => p.scrollWidth > p.clientWidth).length`); cut > 0 {
		t.Errorf("on paper, %d commands are cut", cut)
	}
	if shown := eval[bool](b, `[...document.querySelectorAll("nav, .filter")].some((e) => e.checkVisibility())`); shown {
		t.Error("on paper, there are controls")
	}
}

// TestReportKeyboard unfolds a rule and filters without a mouse.
func TestReportKeyboard(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.run(chromedp.Navigate(serveReport(t, "findings")))
	b.press(kb.Tab)
	if at := eval[string](b, focused); at != "a Skip to the report" {
		t.Errorf("the first stop is %q", at)
	}
	b.reach("input Filter")
	b.press("unstable")
	b.until(visible("#findings details.rule", "code") + ` === "storage-version-unstable"`)
	b.reach("summary ")
	open := eval[bool](b, `document.activeElement.parentElement.open`)
	b.press(kb.Enter)
	b.until(fmt.Sprintf(`document.activeElement.parentElement.open === %v`, !open))
}

// TestReportLarge opens pages as large as they get: none is wider than a phone, and filters answer.
func TestReportLarge(t *testing.T) {
	t.Parallel()
	b := browser(t)
	var findings, crds, organisation []string
	long := strings.Repeat("averylongname", 12)
	for i := range 3000 {
		findings = append(findings, fmt.Sprintf(`{"rule": "field-removed", "severity": "error", "message": "m%d", "file": "%s.yaml", "line": %d, "resource": "crd%d.example.com", "field": "spec.%[2]s"}`, i, long, i+1, i%450))
	}
	for i := range 450 {
		crds = append(crds, fmt.Sprintf(`{"name": "crd%d.example.com", "file": "%s.yaml", "line": %d, "document": %d, "apiVersion": "apiextensions.k8s.io/v1"}`, i, long, i+1, i))
	}
	for i := range 600 {
		organisation = append(organisation, fmt.Sprintf(`{"version": 1, "repository": "example/%s-%d", "findings": [%s]}`, long, i, findings[i]))
	}
	one := `{"version": 1, "command": "breaking", "against": "v1", "findings": [` + strings.Join(findings, ",") + `], "crds": [` + strings.Join(crds, ",") + `]}`
	for name, c := range map[string]struct{ address, section, row string }{
		"changes":      {serveReports(t, one), "changes", "#changes tbody tr"},
		"organisation": {serveReports(t, organisation...), "repositories", "#repositories tbody tr"},
	} {
		b.run(emulation.SetDeviceMetricsOverride(phone, 800, 1, true), chromedp.Navigate(c.address))
		if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > phone {
			t.Errorf("%s: the page is %d pixels wide on a phone", name, wide)
		}
		if rows := eval[int](b, `document.querySelectorAll("`+c.row+`").length`); rows < 600 || rows > 1000 {
			t.Errorf("%s: it has %d rows", name, rows)
		}
		b.run(chromedp.SendKeys("#"+c.section+" input[type=search]", "nothing like it"))
		b.until(`[...document.querySelectorAll("` + c.row + `")].every((e) => !e.checkVisibility())`)
	}
}
