package test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// watch stands between the page and its workers: it counts the workers and those of them that are ready, lists what they are
// asked, has questions of the kind `failing` fail, and keeps those of the kind `held` until `release` is called. Workers do not
// start while `unstartable`. Patience never ends by itself; `lose` ends it.
const watch = `
window.workers = 0;
window.ready = 0;
window.questions = [];
const timeout = setTimeout;
window.setTimeout = (run, after, ...rest) => {
	if (after !== 20000) return timeout(run, after, ...rest);
	window.lose = run;
};
window.Worker = class extends Worker {
	constructor(...args) {
		super(...args);
		window.workers++;
		this.addEventListener("message", ({ data }) => { if (data.module) window.ready++; });
	}
	postMessage(data) {
		if (data.start && window.unstartable) data = { start: { module: "none" } };
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
	b.until(`document.getElementById("version").textContent`) // which is asked last
	b.run(chromedp.Evaluate(`questions.length = 0`, nil))
	b.write(deep())
	b.sees("the status", b.content("#status"), "crdlift gave up on this text: it is nested too deeply for a browser.")
	if !eval[bool](b, `document.getElementById("status").classList.contains("trouble")`) {
		t.Error("it is not said as an error")
	}
	if list := b.content("#findings-list"); list != "" || !eval[bool](b, `document.getElementById("fix-all").disabled`) {
		t.Errorf("findings of another text are left: %s", list)
	}
	b.until(`ready === 2`) // the next worker would be asked by now
	if asked := eval[[]string](b, `questions`); len(asked) != 1 {
		t.Errorf("of one text, it was asked %q", asked)
	}
	b.run(tabOf("convert"))
	b.settled()
	b.until(`ready === workers`)
	if n := eval[int](b, `workers`); n > 3 {
		t.Errorf("%d workers were started for one text and two panels", n)
	}
	b.write("# nothing\n")
	b.sees("the status", b.content("#status"), "no CRD to convert")
	b.calm()
}

// TestRestart has another worker fail to start after one broke: the text stays, and the next change has one started again.
func TestRestart(t *testing.T) {
	t.Parallel()
	b := watched(t, "")
	b.run(chromedp.Evaluate(`unstartable = true`, nil))
	b.write(deep())
	b.until(`ready === 1 && workers === 2`)
	b.write("# kept\n")
	b.sees("the status", b.content("#status"), "crdlift could not be started", "It tries again when something changes.")
	b.run(chromedp.Evaluate(`unstartable = false`, nil))
	b.press("# more\n")
	b.until(`ready === 2`)
	b.settled()
	b.sees("the status", b.content("#status"), "There is no CRD or custom resource here")
	b.sees("the text", b.text(), "# kept", "# more")
	b.calm()
}

// TestPatience ends what takes too long. What was answered before stays.
func TestPatience(t *testing.T) {
	t.Parallel()
	b := watched(t, "")
	b.example(1)
	crontabs := read(t, "../../examples/convert/crontabs.yaml")
	b.run(chromedp.Evaluate(`held = "findings"; release = undefined`, nil))
	b.paste(crontabs + "# slow\n")
	b.until(`window.release`) // after the conversion was answered
	b.run(chromedp.Evaluate(`lose()`, nil))
	b.settled()
	b.sees("the status", b.content("#status"), "1 converted. The findings are missing: crdlift gave up on this text: it took longer than 20 s.")
	if !eval[bool](b, `Boolean(document.querySelector("#conversions .diff")) && !document.getElementById("use").disabled`) {
		t.Error("the conversion is gone, although it was answered")
	}
	if list := b.content("#findings-list"); list != "" {
		t.Errorf("findings of another text are left: %s", list)
	}

	b.run(chromedp.Evaluate(`held = "convert"; release = undefined`, nil))
	b.paste(crontabs + "# slower\n")
	b.until(`window.release`)
	b.run(chromedp.Evaluate(`questions.length = 0; lose()`, nil))
	b.settled()
	b.sees("the status", b.content("#status"), "it took longer than 20 s")
	if eval[bool](b, `Boolean(document.querySelector("#conversions .diff")) || !document.getElementById("use").disabled`) {
		t.Error("a conversion of another text can be used")
	}
	b.until(`ready === 3`)
	if asked := eval[[]string](b, `questions`); len(asked) > 0 {
		t.Errorf("after it gave up, it was asked %q", asked)
	}
	b.run(chromedp.Evaluate(`held = ""`, nil))
	b.write(crontabs)
	b.sees("the status", b.content("#status"), "1 converted.")
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
		b.sees("the status of "+panel, b.content("#status"), `the question "nothing" is unknown`)
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

// TestNewestOption chooses twice before the first choice is answered: its answer is not shown.
func TestNewestOption(t *testing.T) {
	t.Parallel()
	b := watched(t, "")
	b.example(1)
	b.until(`!document.getElementById("use").disabled`)
	exact := b.diff("conversions")
	b.run(chromedp.Evaluate(`held = "convert"; release = undefined`, nil))
	b.change("policy", "idiomatic")
	b.until(`window.release`)
	b.change("policy", "exact")
	b.run(chromedp.Evaluate(`{ const first = release; release = undefined; first(); }`, nil))
	b.until(`window.release`) // the second question, after the first answer
	if !eval[bool](b, `document.getElementById("use").disabled`) {
		t.Error("the result of another policy can be used")
	}
	if shown := b.diff("conversions"); shown != exact {
		t.Errorf("the result of another policy is shown:\n%s", shown)
	}
	b.run(chromedp.Evaluate(`held = ""; release()`, nil))
	b.settled()
	if shown := b.diff("conversions"); shown != exact {
		t.Errorf("the last result is\n%s", shown)
	}
	b.calm()
}

// TestActionsWait has the page of a rule and a fix wait behind other questions: the page says so, and the rule is not shown to
// somebody who has gone on typing.
func TestActionsWait(t *testing.T) {
	t.Parallel()
	b := watched(t, "")
	for what, c := range map[string]struct{ kind, selector, says string }{
		"the page": {"page", "#findings-list .rule", "Looking the rule up"},
		"the fix":  {"edit", "#findings-list .fix", "Making the fix"},
	} {
		b.example(0)
		b.run(chromedp.Evaluate(`held = `+quote(c.kind)+`; release = undefined`, nil), chromedp.Click(c.selector, chromedp.ByQuery))
		b.until(`window.release`)
		b.sees("while "+what+" is awaited, the status", b.content("#status"), c.says)
		if !eval[bool](b, `document.getElementById("results").getAttribute("aria-busy") === "true"`) {
			t.Errorf("while %s is awaited, nothing is busy", what)
		}
		b.paste("# typed\n")
		b.run(chromedp.Evaluate(`held = ""; release()`, nil))
		b.settled()
		if text := b.text(); text != "# typed\n" || eval[bool](b, `document.getElementById("rule").open`) {
			t.Errorf("after more was typed, %s came: %q", what, text)
		}
		b.sees("the status", b.content("#status"), "There is no CRD or custom resource here")
	}
	b.calm()
}

// TestFixWithoutFindings makes a fix in the objects' panel while the question for findings fails.
func TestFixWithoutFindings(t *testing.T) {
	t.Parallel()
	b := watched(t, "")
	b.run(chromedp.Evaluate(`failing = "findings"`, nil))
	b.example(2)
	b.sees("the status", b.content("#status"), "2 objects, 1 rejected. The findings are missing: ")
	b.click("#verdicts .fix")
	if b.shows("#verdicts .fix") {
		t.Errorf("the fix was not made: %s", b.content("#status"))
	}
	b.calm()
}

// TestNotStarted has browsers that do not start the program, each in its own way: the page says why.
func TestNotStarted(t *testing.T) {
	t.Parallel()
	for code, why := range map[string]string{
		`delete globalThis.WebAssembly;`:                                    "the browser has no WebAssembly",
		`WebAssembly.instantiate = async () => { throw new RangeError() };`: "it takes more memory than the browser has left",
		`setTimeout(() => dispatchEvent(new Event("messageerror")));`:       "the browser cannot hand it over",
	} {
		b := browser(t)
		b.run(chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(`window.Blob = class extends Blob { constructor(parts) { super([` + quote(code) + `, ...parts]); } };`).Do(ctx)
			return err
		}))
		b.open("")
		b.sees("the status", b.content("#status"), "crdlift could not be started: "+why)
		b.calm()
	}
}

// TestNotLoaded says so where a part of the program is not to be had or does not run, and what to do.
func TestNotLoaded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ part, instead, want string }{
		{"/playground/crdlift-", "", "Keep a copy of your text before you reload"},
		{"/playground/main.js", "", "could not be loaded. Reload"},
		{"/playground/main.js", "let newer = ;", "does not run in this browser"},
		{"/playground/main.js", "throw new Error()", "does not run in this browser"},
	} {
		b := browser(t)
		site := files(t)
		b.at = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case !strings.Contains(r.URL.Path, c.part):
				site.ServeHTTP(w, r)
			case c.instead == "":
				http.Error(w, "it is not there", http.StatusServiceUnavailable)
			default:
				w.Header().Set("Content-Type", "text/javascript")
				_, _ = w.Write([]byte(c.instead))
			}
		})) + folder
		b.open("")
		b.sees(fmt.Sprintf("with %q for %s, the status", c.instead, c.part), b.content("#status"), c.want)
	}
}
