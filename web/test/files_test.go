package test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// chips are the names of the files.
const chips = `[...document.querySelectorAll("#files [aria-pressed]")].map((e) => e.textContent).join()`

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFiles opens files and drops some. The example gives way to them.
func TestFiles(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	databases := absolute(t, "../../examples/validate/crd/databases.yaml")
	b.run(chromedp.SetUploadFiles("#open", []string{databases}, chromedp.ByQuery))
	b.until(editor + `.textContent.includes("databases.example.com")`)
	b.settled()
	b.sees("the status", b.content("#status"), "checked 1 CRD")
	b.drop(map[string]string{"orders.yaml": read(t, "../../examples/validate/samples/orders.yaml")})
	b.until(chips + ` === "databases.yaml,orders.yaml"`)
	b.settled()
	b.sees("the status", b.content("#status"), "checked 1 CRD and 1 custom resource")
	// A file of the same name takes the place of the first, and that can be undone.
	b.drop(map[string]string{"orders.yaml": "# none\n"})
	b.until(`document.getElementById("status").textContent.includes("checked 1 CRD.")`)
	if text := b.text(); text != "# none\n" {
		t.Errorf("the editor has %q", text)
	}
	b.run(chromedp.Evaluate(editor+".focus()", nil), chromedp.KeyEvent("z", chromedp.KeyModifiers(ctrl)))
	b.until(editor + `.textContent.includes("kind: Database")`)
	b.settled()
	b.run(chromedp.Click(`#files .link`, chromedp.ByQuery)) // removes the file that is shown
	b.until(chips + ` === "databases.yaml"`)
	b.settled()
	// The same file again, after its text was changed.
	b.write("# changed\n")
	b.run(chromedp.SetUploadFiles("#open", []string{databases}, chromedp.ByQuery))
	b.until(editor + `.textContent.includes("databases.example.com")`)
	if chosen := eval[string](b, `document.getElementById("open").value`); chosen != "" {
		t.Errorf("the field keeps %s, and choosing it again changes nothing", chosen)
	}
	b.calm()
}

// TestFolder drops a folder, with a file that is none of crdlift's, one that is hidden, and one in a folder of its own.
func TestFolder(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	folder := filepath.Join(t.TempDir(), "config")
	for name, text := range map[string]string{
		"crd/databases.yaml": read(t, "../../examples/validate/crd/databases.yaml"), "orders.yml": read(t, "../../examples/validate/samples/orders.yaml"),
		"README.md": "# Config\n", ".git/config.yaml": "a: b\n",
	} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.dropPaths(folder)
	b.until(chips + ` === "config/crd/databases.yaml,config/orders.yml"`)
	b.settled()
	b.sees("the status", b.content("#status"), "1 file was skipped", "checked 1 CRD and 1 custom resource")
	b.calm()
}

// dropPaths drops files and folders of this machine on the editor.
func (b *tab) dropPaths(paths ...string) {
	b.Helper()
	at := eval[[]float64](b, `(() => { const r = document.getElementById("editor").getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
		b.run(input.DispatchDragEvent(kind, at[0], at[1], data))
	}
}

// TestDropNothing drops what the page does not take: it says so, and the text stays.
func TestDropNothing(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	before := b.text()
	for name, want := range map[string]string{"notes.txt": "1 file was skipped", "large.yaml": "Nothing was opened: the page takes 200 files with 4 MB at most"} {
		text := "a: b\n"
		if name == "large.yaml" {
			text = strings.Repeat(text, 900_000)
		}
		b.drop(map[string]string{name: text})
		b.until(`document.getElementById("status").textContent.includes(` + quote(want) + `)`)
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	b.dropPaths(empty)
	b.until(`document.getElementById("status").textContent.includes("There is no file in it.")`)
	if after := b.text(); after != before {
		t.Errorf("the text is %q", after)
	}
	b.calm()
}

// TestOwnTextStays does what may replace somebody's text: the skip link keeps it, and so does a broken link; an example and a
// good link replace it, and it can be brought back.
func TestOwnTextStays(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	const own = "# my own\n"
	b.write(own)
	b.run(chromedp.Evaluate(`document.querySelector(".skip").focus()`, nil), chromedp.KeyEvent(kb.Enter))
	b.until(`!document.querySelector(".skip").matches(":focus")`)
	b.stays(own, "the skip link")
	b.run(chromedp.Evaluate(`location.hash = "bm90aGluZw"`, nil))
	b.until(`document.getElementById("status").textContent.includes("may have been cut")`)
	b.stays(own, "a broken link")
	b.change("example", "1") // as the arrow keys do
	b.stays(own, "a choice in the menu")
	b.click("#show")
	b.sees("the status", b.content("#status"), "1 converted")
	b.click("#back")
	b.stays(own, "an example that was taken back")
	if b.shows("#back") {
		t.Error("the example that was there meanwhile can be brought back")
	}
	fragment := b.share()
	b.example(0)
	b.run(chromedp.Evaluate(`location.hash = ""`, nil), chromedp.Evaluate(`location.hash = `+quote(fragment), nil))
	b.until(editor + `.textContent.includes("my own")`)
	b.click("#back")
	b.stays(own, "a link, over an example that nobody touched")
	b.example(0) // over what a link has
	b.click("#back")
	b.stays(own, "an example over a shared text")
	b.calm()
}

// TestOwnTextStaysLonger replaces somebody's text more than once, and takes files away: all of it can be brought back.
func TestOwnTextStaysLonger(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	const own, touched = "# my own\n", "# an example that became mine\n"
	b.write(own)
	b.example(1)
	b.example(2)
	b.click("#back")
	b.stays(own, "two examples")
	b.example(1)
	b.write(touched)
	b.example(2)
	b.click("#back")
	b.stays(touched, "an example over one that was changed")
	b.click("#back")
	b.stays(own, "what was there before both")
	b.click("#back")
	b.stays(touched, "bringing back twice")

	b.drop(map[string]string{"b.yaml": "# b\n"})
	b.until(chips + ` === "crontabs.yaml,b.yaml"`)
	b.settled()
	b.click(`#files .link`)
	b.until(chips + ` === "crontabs.yaml"`)
	b.write("# changed meanwhile\n")
	b.click("#back")
	b.until(chips + ` === "crontabs.yaml,b.yaml"`)
	b.stays("# b\n", "a file that was removed")
	b.run(chromedp.Click(`//*[@id="files"]/button[.="crontabs.yaml"]`, chromedp.BySearch))
	b.stays("# changed meanwhile\n", "another file that was removed")
	b.calm()
}

// stays expects a text in the editor, after something that may have replaced it.
func (b *tab) stays(text, after string) {
	b.Helper()
	b.settled()
	if got := b.text(); got != text {
		b.Errorf("after %s, the text is %q", after, got)
	}
}

// TestBadLinks opens links that are none, from outside: the page says what is wrong, and shows an example.
func TestBadLinks(t *testing.T) {
	t.Parallel()
	b := browser(t)
	for fragment, want := range map[string]string{
		"bm90aGluZw":                          "may have been cut. This is an example. 2 errors",
		inflating(t):                          "The link has more in it than the 4 MB that the page takes. This is an example. 2 errors",
		strings.Repeat("A", 40_000):           "The link is longer than the page makes any. This is an example. 2 errors",
		packed(t, `{"files": []}`):            "may have been cut. This is an example. 2 errors",
		packed(t, `{"files": [{"name": 1}]}`): "may have been cut. This is an example. 2 errors",
		packed(t, equals(201)):                "The link has more files in it than the 200 that the page takes. This is an example. 2 errors",
	} {
		b.visit("") // or only the fragment changes
		b.open("#" + fragment)
		b.sees("the status", b.content("#status"), want)
		if !eval[bool](b, `document.getElementById("status").classList.contains("trouble")`) {
			t.Errorf("%s is not said as an error", want)
		}
	}
	b.calm()
}

// equals are files without a name.
func equals(n int) string {
	return `{"files": [` + strings.Repeat(`{"name": "", "text": "# a\n"},`, n-1) + `{"name": "", "text": ""}]}`
}

// TestEqualNames opens as many files as a link may have, all of one name.
func TestEqualNames(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("#" + packed(t, equals(200)))
	names := strings.Split(eval[string](b, chips), ",")
	if names[0] != "manifests.yaml" || names[1] != "2-manifests.yaml" || names[len(names)-1] != "200-manifests.yaml" {
		t.Errorf("the names are %q", names)
	}
	b.calm()
}

// packed is the fragment of a link.
func packed(t *testing.T, text string) string {
	t.Helper()
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(small.Bytes())
}

// inflating is a link with a thousand times its length in it.
func inflating(t *testing.T) string {
	t.Helper()
	return packed(t, `{"files": [{"name": "a.yaml", "text": "`+strings.Repeat("a", 5_000_000)+`"}]}`)
}

// TestLineEnds opens a file with the line ends of Windows and pastes lines into it that have others: they are lines, findings are
// at their places, fixes too, and what is shared has the line ends of the file.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	backups := read(t, "../../examples/lint/backups.yaml")
	b.drop(map[string]string{"windows.yaml": "# first\r\n# second\r\n"})
	b.until(editor + `.textContent.includes("second")`)
	b.paste("# one\n# two\r\n" + backups)
	b.settled()
	if first := eval[string](b, editor+`.querySelector(".cm-line").textContent`); first != "# one" {
		t.Errorf("the first line is %q", first)
	}
	b.sees("the list", b.content("#findings-list"), "windows.yaml:13")
	b.click("#findings-list .fix")
	b.until(`document.getElementById("status").textContent.includes("1 error")`)
	b.sees("the text", b.text(), "\n  scope: Namespaced\n")
	b.share()
	b.sees("the link", b.shared(), `# one\r\n# two\r\n# The API`)
	b.calm()
}

// TestBytes opens a file with a byte order mark, which stays, and one that is not UTF-8, which is not taken.
func TestBytes(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.drop(map[string]string{"mark.yaml": "\ufeff# marked\n"})
	b.until(chips + ` === "mark.yaml"`)
	b.settled()
	path := filepath.Join(t.TempDir(), "latin1.yaml")
	if err := os.WriteFile(path, []byte("# caf\xe9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.run(chromedp.SetUploadFiles("#open", []string{path}, chromedp.ByQuery))
	b.until(`document.getElementById("status").textContent.includes("latin1.yaml is not in UTF-8.")`)
	b.share()
	if text := b.shared(); !strings.Contains(text, `"text":"`+"\ufeff"+`# marked\n"`) || strings.Contains(text, "caf") {
		t.Errorf("the link has %q", text)
	}
	b.calm()
}

// TestPlaceOfRemovedFile leads to a finding whose file is gone: the cursor stays in the file that is shown.
func TestPlaceOfRemovedFile(t *testing.T) {
	t.Parallel()
	b := watched(t, "")
	b.drop(map[string]string{"a.yaml": "# a\n# a\n", "b.yaml": read(t, "../../examples/lint/backups.yaml")})
	b.until(`document.getElementById("files").textContent.includes("b.yaml")`)
	b.settled()
	b.run(chromedp.Click(`//*[@id="files"]/button[.="b.yaml"]`, chromedp.BySearch), chromedp.Evaluate(`held = "findings"`, nil))
	b.run(chromedp.Click(`#files .link`, chromedp.ByQuery), chromedp.Click("#findings-list .about .link", chromedp.ByQuery))
	if line := eval[string](b, `[...`+editor+`.querySelectorAll(".cm-line")].findIndex((e) => e.classList.contains("cm-activeLine"))`+`.toString()`); line != "0" {
		t.Errorf("the cursor is in line %s of the other file", line)
	}
	b.until(`window.release`)
	b.run(chromedp.Evaluate(`held = ""; release()`, nil))
	b.settled()
	b.calm()
}

// TestFixKeepsPlace makes all fixes of a long text: the cursor stays in its line, and the line in view.
func TestFixKeepsPlace(t *testing.T) {
	t.Parallel()
	b := browser(t)
	b.open("")
	b.write(read(t, "../../examples/lint/backups.yaml") + strings.Repeat("# more\n", 300) + "# last\n")
	b.run(chromedp.Evaluate(editor+".focus()", nil), chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(ctrl)))
	b.press("# typed")
	b.settled()
	b.run(chromedp.Evaluate(`document.getElementById("fix-safe").click()`, nil))
	b.until(`document.getElementById("status").textContent.startsWith("1 finding fixed. ")`)
	if line := eval[string](b, editor+`.querySelector(".cm-activeLine")?.textContent ?? "out of view"`); line != "# typed" {
		t.Errorf("the line of the cursor is %q", line)
	}
	b.calm()
}
