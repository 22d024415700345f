package test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// watch stands between the page and its workers: it counts the workers, lists what they are asked, has questions of the kind
// `failing` fail, and keeps those of the kind `held` until `release` is called.
const watch = `
window.workers = 0;
window.questions = [];
window.Worker = class extends Worker {
	constructor(...args) {
		super(...args);
		window.workers++;
	}
	postMessage(data) {
		const ask = data.question?.ask;
		if (ask) window.questions.push(ask);
		if (ask && ask === window.failing) data = { ...data, question: { ask: "nothing" } };
		if (ask && ask === window.held) window.release = () => super.postMessage(data);
		else super.postMessage(data);
	}
};`

// watched opens the playground with that in between.
func watched(t *testing.T, fragment string) *tab {
	t.Helper()
	b := browser(t)
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(watch).Do(ctx)
		return err
	}))
	b.open(fragment)
	return b
}

// deep is a CRD whose schema has so many levels that crdlift runs out of stack in a browser.
func deep() string {
	return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: " + strings.Repeat("{properties: {a: ", 3000) + "{}" + strings.Repeat("}}", 3000) + "\n"
}

// TestBreaks has a text that no worker survives: it is asked about once, until it changes.
func TestBreaks(t *testing.T) {
	t.Parallel()
	b := watched(t, "")
	b.write(deep())
	b.sees("the status", b.content("#status"), "crdlift gave up on this text: it is nested too deeply for a browser.")
	if !eval[bool](b, `document.getElementById("status").classList.contains("trouble")`) {
		t.Error("it is not said as an error")
	}
	if list := b.content("#findings-list"); list != "" || !eval[bool](b, `document.getElementById("fix-all").disabled`) {
		t.Errorf("findings of another text are left: %s", list)
	}
	time.Sleep(3 * time.Second) // in which another worker would break, and the next one
	if n := eval[int](b, `workers`); n != 2 {
		t.Errorf("%d workers were started for one text", n)
	}
	b.run(tabOf("convert"))
	b.settled()
	if n := eval[int](b, `workers`); n > 3 {
		t.Errorf("%d workers were started for one text and two panels", n)
	}
	b.write("# nothing\n")
	b.sees("the status", b.content("#status"), "no CRD to convert")
	b.calm()
}

// TestPanelErrors has questions of each panel fail. The error is said, nothing of the text before is left, and what the editor
// underlines is asked nonetheless.
func TestPanelErrors(t *testing.T) {
	t.Parallel()
	b := watched(t, "")
	for panel, shown := range map[string]string{"findings": "#findings-list li", "convert": "#conversions .diff", "objects": "#verdicts .diff"} {
		b.example(map[string]int{"findings": 0, "convert": 1, "objects": 2}[panel])
		b.until(`document.querySelector(` + quote(shown) + `)`)
		b.run(chromedp.Evaluate(`failing = `+quote(panel)+`; questions.length = 0`, nil))
		b.write("scope: 1\n")
		b.sees("the status of "+panel, b.content("#status"), `"nothing" is none of the questions`)
		if eval[bool](b, `Boolean(document.querySelector(`+quote(shown)+`))`) {
			t.Errorf("the panel %s still shows what was said of another text", panel)
		}
		if !eval[bool](b, `document.getElementById("use").disabled`) || panel == "findings" && !eval[bool](b, `document.getElementById("fix-all").disabled`) {
			t.Errorf("in the panel %s, the buttons act on another text", panel)
		}
		if asked := eval[[]string](b, `questions`); asked[len(asked)-1] != "findings" {
			t.Errorf("in the panel %s, it was asked %q", panel, asked)
		}
		b.run(chromedp.Evaluate(`failing = ""`, nil))
	}
	b.calm()
}

// TestMeanwhile changes the text between a question and its answer, and after the answer: what was said of the old text
// overwrites nothing.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	b := watched(t, "")
	b.example(1)
	b.until(`document.querySelector("#conversions .diff")`)
	b.run(chromedp.Evaluate(`held = "convert"`, nil))
	b.paste("# new\n") // the answer about the example is still there
	if !eval[bool](b, `document.getElementById("use").disabled`) {
		t.Error("the result for another text can be used")
	}
	b.until(`window.release`)
	b.paste("# newer\n")
	b.run(chromedp.Evaluate(`held = ""; release()`, nil))
	b.settled()
	if text := b.text(); text != "# newer\n" {
		t.Errorf("the text is %q", text)
	}
	b.sees("the status", b.content("#status"), "no CRD to convert")

	b.example(1)
	b.until(`!document.getElementById("use").disabled`)
	b.run(chromedp.Evaluate(`held = "convert"; release = undefined`, nil))
	b.change("to", "v1beta1")
	b.until(`window.release`)
	if !eval[bool](b, `document.getElementById("use").disabled`) {
		t.Error("the result of another conversion can be used")
	}
	b.run(chromedp.Evaluate(`held = ""; release()`, nil))
	b.settled()

	b.example(0)
	b.until(`document.querySelector("#findings-list .fix")`)
	b.run(chromedp.Evaluate(`held = "findings"; release = undefined`, nil))
	b.paste("# newest\n")
	b.run(chromedp.Click("#findings-list .fix", chromedp.ByQuery))
	b.until(`document.getElementById("status").textContent.includes("The text has changed since.")`)
	b.until(`window.release`)
	b.run(chromedp.Evaluate(`held = ""; release()`, nil))
	b.settled()
	if text := b.text(); text != "# newest\n" {
		t.Errorf("the text is %q", text)
	}
	b.calm()
}

// TestNotLoaded says so where a part of the program is not to be had, and what to do.
func TestNotLoaded(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{"/playground/crdlift-": "crdlift could not be started", "/playground/main.js": "could not be loaded"} {
		b := browser(t)
		site := files(t)
		b.at = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, part) {
				http.Error(w, "it is not there", http.StatusServiceUnavailable)
				return
			}
			site.ServeHTTP(w, r)
		})) + folder
		b.open("")
		b.sees(fmt.Sprintf("without %s, the status", part), b.content("#status"), want, "Reload")
	}
}
