package test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
	b.sees("the status", b.content("#status"), "There is no CRD or custom resource here")
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
	if n := strings.Count(b.content("#findings-list"), "(unsafe)"); n != 2 {
		t.Errorf("%d unsafe fixes are left, want 2: %s", n, b.content("#findings-list"))
	}
	b.click("#fix-all")
	b.until(`document.getElementById("status").textContent.startsWith("2 findings fixed. ")`)
	if !eval[bool](b, `document.getElementById("fix-all").disabled`) {
		t.Errorf("there is more to fix: %s", b.content("#findings-list"))
	}
	b.calm()
}

// TestFixAll makes the safe fixes, then the others; a fix that is unsafe says so.
func TestFixAll(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.write(strings.Replace(read(t, "../../examples/lint/backups.yaml"), "name: backups.example.com", "name: backup.example.com", 1))
	b.sees("the list", b.content("#findings-list"), "metadata-name-mismatch", "(unsafe)")
	for _, button := range []struct{ id, fixes string }{{"fix-safe", "1 finding fixed. "}, {"fix-all", "3 findings fixed. "}} {
		b.run(chromedp.Click("#"+button.id, chromedp.ByQuery))
		b.until(`document.getElementById("status").textContent.startsWith("` + button.fixes + `")`)
		b.until(`document.getElementById("` + button.id + `").disabled`)
	}
	if list := b.content("#findings-list"); strings.Contains(list, "metadata-name-mismatch") || strings.Contains(list, "scope-invalid") {
		t.Errorf("after all fixes, there is %s", list)
	}
	b.calm()
}

func TestConvert(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.example(1)
	b.until(`document.querySelector("#conversions .diff")`)
	b.sees("the status", b.content("#status"), "1 converted")
	b.sees("the difference", b.diff("conversions"), "-apiVersion: apiextensions.k8s.io/v1beta1\n", "+apiVersion: apiextensions.k8s.io/v1\n")
	b.click("#use")
	b.until(`document.getElementById("status").textContent.includes("already there")`)
	b.sees("the text", b.text(), "apiVersion: apiextensions.k8s.io/v1\n")
	b.choose("to", "v1beta1")
	b.until(`document.querySelector("#conversions .diff")`)
	b.sees("the difference", b.diff("conversions"), "+apiVersion: apiextensions.k8s.io/v1beta1\n")
	b.calm()
}

func TestObjects(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.example(2)
	b.until(`document.querySelector("#verdicts .diff")`)
	b.sees("the status", b.content("#status"), "2 objects, 1 rejected")
	b.sees("the verdicts", b.content("#verdicts"), "accepted: ", "rejected: ", "Causes and changes")
	b.calm()
}

// TestShare opens what a link has in it in another tab.
func TestShare(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.write("# shared: ä 𝄞\r\n")
	fragment := b.share()
	other := b.another()
	other.open(fragment)
	if text := other.text(); text != "# shared: ä 𝄞\n" {
		t.Errorf("the text of the link is %q", text)
	}
	other.calm()
}

// TestConvertLarge converts a text of hundreds of lines: the lines that stay are shown as such, what is removed and what is added has
// the colours for that, and the cursor keeps its line when the result is used.
func TestConvertLarge(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.run(tabOf("convert"))
	b.write(large("v1beta1"))
	b.sees("the difference", b.diff("conversions"), "--- a/backups.yaml\n+++ b/backups.yaml\n@@", "\n kind: CustomResourceDefinition\n", "\n-  validation:\n", "\n+    served: true\n")
	for kind, sign := range map[string]string{"added": "+", "removed": "-"} {
		const painted = `{
			const probe = document.createElement("i");
			probe.style.backgroundColor = "var(--KIND)";
			document.body.append(probe);
			const colour = getComputedStyle(probe).backgroundColor;
			[...document.querySelectorAll("#conversions .diff span")].filter((e) => getComputedStyle(e).backgroundColor === colour).map((e) => e.textContent).join("")
		}`
		for _, line := range strings.Split(strings.TrimSuffix(eval[string](b, strings.ReplaceAll(painted, "KIND", kind)), "\n"), "\n") {
			if !strings.HasPrefix(line, sign) {
				t.Errorf("%q has the colour of what is %s", line, kind)
			}
		}
	}
	b.run(chromedp.Evaluate(editor+".focus()", nil), chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(ctrl)))
	for range 4 {
		b.press(kb.ArrowDown)
	}
	b.run(chromedp.Evaluate(`document.getElementById("use").click()`, nil))
	b.until(`document.getElementById("status").textContent.includes("already there")`)
	if line := eval[string](b, editor+`.querySelector(".cm-activeLine")?.textContent ?? "out of view"`); line != "spec:" {
		t.Errorf("the line of the cursor is %q", line)
	}
	b.calm()
}

// TestConvertSeveral converts three files, of which two have CRDs, and uses the result.
func TestConvertSeveral(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	crontabs := read(t, "../../examples/convert/crontabs.yaml")
	b.drop(map[string]string{"a.yaml": crontabs, "b.yaml": strings.NewReplacer("crontab", "route", "CronTab", "Route").Replace(crontabs), "c.yaml": "# none\n"})
	b.until(`document.getElementById("files").textContent.includes("c.yaml")`)
	b.run(tabOf("convert"))
	b.settled()
	b.sees("the status", b.content("#status"), "2 converted")
	b.sees("the panel", b.content("#conversions"), "There is no CRD in this file.")
	if n := eval[int](b, `document.querySelectorAll("#conversions .diff").length`); n != 2 {
		t.Errorf("there are %d differences", n)
	}
	b.run(chromedp.Click("#use", chromedp.ByQuery))
	b.until(`document.getElementById("status").textContent.includes("2 already there")`)
	for _, chip := range []string{"a.yaml", "b.yaml"} {
		b.run(chromedp.Click(`//*[@id="files"]/button[.="`+chip+`"]`, chromedp.BySearch))
		b.sees(chip, b.text(), "apiVersion: apiextensions.k8s.io/v1\n")
	}
	b.calm()
}

// TestConvertUnreadable converts a text that does not parse: the status says so, and not only the panel.
func TestConvertUnreadable(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.run(tabOf("convert"))
	b.write("apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nspec: [\n")
	b.sees("the status", b.content("#status"), "1 file does not parse.")
	if !eval[bool](b, `document.getElementById("status").classList.contains("trouble")`) {
		t.Error("it is not said as an error")
	}
	b.calm()
}

// TestServed previews an object as a server stores it, in the version that is stored, and as the client that wrote it reads it.
func TestServed(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.write(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: backups.example.com}
spec:
  group: example.com
  names: {kind: Backup, plural: backups}
  scope: Namespaced
  versions:
  - {name: v2, served: true, storage: true, schema: &s {openAPIV3Schema: {type: object, properties: {keep: {type: integer, default: 3}}}}}
  - {name: v1, served: true, storage: false, schema: *s}
---
apiVersion: example.com/v1
kind: Backup
metadata: {name: daily, namespace: shop}
`)
	b.run(tabOf("objects"))
	b.settled()
	b.sees("what is stored", b.diff("verdicts"), "apiVersion: example.com/v2\n", "keep: 3")
	b.choose("as", "served")
	read := b.diff("verdicts")
	b.sees("what is read", read, "apiVersion: example.com/v1\n", "keep: 3")
	if strings.Contains(read, "example.com/v2") {
		t.Errorf("what is read has the version that is stored:\n%s", read)
	}
	b.calm()
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

// TestPlace leads from a finding to its line, and from the line to the finding.
func TestPlace(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.run(chromedp.Click("#findings-list .about .link", chromedp.ByQuery))
	line := eval[string](b, editor+`.querySelector(".cm-activeLine").textContent`)
	b.sees("the line of the cursor", line, "scope")
	b.run(chromedp.KeyEvent(kb.F8))
	b.until(`document.getElementById("editor").shadowRoot.querySelector(".cm-tooltip-lint, .cm-diagnosticText")`)
	b.calm()
}

// TestUnreadable has texts that are no manifests.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	for _, text := range []string{"a: [", "kind: CustomResourceDefinition\n", "\x00", "- {{ .Values }}\n", strings.Repeat("a: {", 5000), "𝄞\r\n: \t- ☃"} {
		b.write(text)
		if status := b.content("#status"); status == "" {
			t.Errorf("nothing is said of %.20q", text)
		}
	}
	b.example(0)
	b.sees("the status", b.content("#status"), "2 errors")
	b.calm()
}

// TestUndo takes back what a fix did.
func TestUndo(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	before := b.text()
	b.click("#findings-list .fix")
	b.until(`document.getElementById("status").textContent.includes("1 error")`)
	b.run(chromedp.Evaluate(editor+".focus()", nil), chromedp.KeyEvent("z", chromedp.KeyModifiers(ctrl)))
	b.until(`document.getElementById("status").textContent.includes("2 errors")`)
	if after := b.text(); after != before {
		t.Errorf("undone, the text is %s", after)
	}
	b.calm()
}

// pots is a CRD.
const pots = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pots.garden.example.com}
spec:
  group: garden.example.com
  names: {kind: Pot, plural: pots}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              glaze: {type: string, enum: [gloss, matt]}
              litres: {type: integer}
`

// root is what the editor and its lists are in.
const root = `document.getElementById("editor").shadowRoot`

// accept takes what is chosen in a list of the editor, which waits a moment lest somebody who types takes it by mistake. A key that
// the browser sends would begin a line, too.
const accept = `new Promise((done) => setTimeout(() => {
	` + editor + `.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 13, bubbles: true, cancelable: true }));
	done(null);
}, 200))`

// TestWrite writes a custom resource by what the editor offers, and reads about a field.
func TestWrite(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.write(pots + "---\napiVersion: garden.example.com/v1\nkind: Pot\nmetadata:\n  name: one\nspec:\n  gl")
	b.press(kb.End, ctrl)
	b.press(" ", ctrl)
	b.until(root + `.querySelector(".cm-tooltip-autocomplete li[aria-selected]")?.textContent.startsWith("glaze")`)
	eval[any](b, accept)
	b.until(editor + `.textContent.endsWith("glaze: ")`)
	b.press(" ", ctrl)
	b.until(root + `.querySelector(".cm-tooltip-autocomplete li[aria-selected]")?.textContent.startsWith("gloss")`)
	eval[any](b, accept)
	b.settled()
	if text := b.text(); !strings.HasSuffix(text, "\n  glaze: gloss") {
		t.Errorf("the text ends in %q", text[max(0, len(text)-80):])
	}
	b.calm()
}
