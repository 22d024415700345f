package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/testing/webhooks"
)

// A way is what is done with the files of a folder.
type way struct {
	name, args string
	before     string                                               // arguments of what is done first, which is not measured
	stdin      string                                               // a file
	run        func(b *bench, w way, folder string) (sample, error) // nil for a process with the arguments
}

// ways are commands that have costs of their own. Flags that do not get in each other's way share one.
var ways = []way{
	{name: "lint", args: "lint -q --preset all crd.yaml -o text=1 -o json=2 -o sarif=3 -o github=4 -o gitlab=5 -o junit=6 -o markdown=7 -o html=8"},
	{name: "diff", args: "lint -q --diff --unsafe-fixes crd.yaml"},
	{name: "folder", args: "lint -q --diff ."},
	{name: "beta", args: "lint -q beta.yaml"},
	{name: "go", args: "lint -q --go . --fix-go --diff crd.yaml"},
	{name: "baseline", args: "lint -q --baseline known.yaml crd.yaml", before: "lint -q --write-baseline known.yaml crd.yaml"},
	{name: "convert", args: "convert -q --policy idiomatic beta.yaml"},
	{name: "exact", args: "convert -q --objects object.yaml --diff beta.yaml"},
	{name: "back", args: "convert -q --to v1beta1 --config drop.conf crd.yaml"},
	{name: "breaking", args: "breaking -q --against old.yaml crd.yaml"},
	{name: "new-only", args: "lint -q --new-only old.yaml crd.yaml"},
	{name: "plan", args: "plan old.yaml crd.yaml"},
	{name: "validate", args: "validate -q --crds crd.yaml object.yaml"},
	{name: "stored", args: "validate -q --diff --limit 3 --crds crd.yaml object.yaml -o text=1 -o json=2 -o sarif=3 -o html=4 -o markdown=5 --list 6"},
	{name: "mend", args: "validate -q --fix --unsafe-fixes --crds crd.yaml object.yaml"},
	{name: "against", args: "validate -q --against old.yaml --crds crd.yaml object.yaml"},
	{name: "webhook", args: "webhook test -q crd.yaml --url URL", run: asked},
	{name: "report", args: "report found -o html=1 -o text=2 -o json=3 -o markdown=4"},
	{name: "fn", args: "fn", stdin: "list.yaml"},
	{name: "lsp", args: "lsp", run: opened},
}

// unhindered has a program pay for what it does, and not for what is collected behind it: of a small input, nothing is.
var unhindered = []string{"GOMAXPROCS=1", "GOGC=off"}

// done is what a way costs in a folder.
func (b *bench) done(w way, folder string) (s sample, err error) {
	if w.run != nil {
		return w.run(b, w, folder)
	}
	for _, args := range []string{w.before, w.args} {
		if args == "" {
			continue
		}
		ctx, stop := context.WithTimeout(b.ctx, endless)
		s, err = b.measure(ctx, contestant{args: append([]string{b.crdlift}, strings.Fields(args)...), stdin: w.stdin, env: unhindered}, folder)
		if ctx.Err() != nil && b.ctx.Err() == nil {
			err = fmt.Errorf("takes more than %s", endless)
		}
		if stop(); err != nil {
			return sample{}, err
		}
	}
	return s, nil
}

// opened has an editor open a file, in a session of its own, and wait for what is said of it.
func opened(b *bench, w way, folder string) (sample, error) {
	text, err := os.ReadFile(filepath.Join(folder, "crd.yaml"))
	if err != nil {
		return sample{}, err
	}
	return b.session(w.args, folder, unhindered, `{"textDocument": {"publishDiagnostics": {"versionSupport": true}}}`, func(say func(message, answer string) string) {
		quoted, _ := json.Marshal(string(text)) // a text can be quoted
		say(`{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": "`+uriOf(folder)+
			`/crd.yaml", "languageId": "yaml", "version": 1, "text": `+string(quoted)+`}}}`, `"version":1`)
	})
}

func uriOf(folder string) string {
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(folder), "/")}).String()
}

// session is what a session of an editor costs that opens a folder. A function has it say more, and returns what the server says up to
// an answer; "" for nothing to say, or to wait for.
func (b *bench) session(args, folder string, env []string, capabilities string, more func(say func(message, answer string) string)) (sample, error) {
	ctx, stop := context.WithTimeout(b.ctx, endless)
	defer stop()
	cmd := exec.CommandContext(ctx, b.crdlift, args)
	cmd.Dir, cmd.Env, cmd.Stderr = folder, append(environment(folder), env...), os.Stderr
	to, failed := cmd.StdinPipe()
	from, err := cmd.StdoutPipe()
	begun := time.Now()
	if err := errors.Join(failed, err, cmd.Start()); err != nil {
		return sample{}, err
	}
	read := bufio.NewReader(from)
	say := func(message, answer string) (part string) {
		if err == nil && message != "" {
			_, err = fmt.Fprintf(to, "Content-Length: %d\r\n\r\n%s", len(message), message)
		}
		for err == nil && !strings.Contains(part, answer) {
			part, err = read.ReadString('}')
		}
		return part
	}
	say(`{"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {"processId": null, "rootUri": "`+uriOf(folder)+
		`", "capabilities": `+capabilities+`}}`, `"id":"i"`)
	say(`{"jsonrpc": "2.0", "method": "initialized", "params": {}}`, "")
	more(say)
	say(`{"jsonrpc": "2.0", "id": "s", "method": "shutdown"}`, `"id":"s"`)
	say(`{"jsonrpc": "2.0", "method": "exit"}`, "")
	if err != nil {
		stop() // the server does not end by itself
		return sample{}, fmt.Errorf("%w; the language server: %w", err, cmd.Wait())
	}
	err = cmd.Wait()
	return cost(cmd.ProcessState, time.Since(begun)), err
}

// asked has a webhook tested that changes the version of an object and, unless the file spec.json is empty, its spec. The file
// args has more arguments.
func asked(b *bench, w way, folder string) (sample, error) {
	spec, err := os.ReadFile(filepath.Join(folder, "spec.json"))
	more, other := os.ReadFile(filepath.Join(folder, "args"))
	if err := errors.Join(err, other); err != nil {
		return sample{}, err
	}
	var answer any
	if len(spec) > 0 {
		answer = json.RawMessage(spec)
	}
	server := httptest.NewServer(webhooks.Identity("example.com", "Kwidget", answer, "v1", "v2"))
	defer server.Close()
	return b.done(way{args: strings.Replace(w.args, "URL", server.URL, 1) + " " + string(more)}, folder)
}
