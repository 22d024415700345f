package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/uri"
)

// patience is how long a test waits for what a server does in milliseconds: it only ends a test that fails.
const patience = time.Minute

// A message is one of JSON-RPC.
type message struct {
	ID     *json.RawMessage `json:"id,omitempty"`
	Method string           `json:"method,omitempty"`
	Params json.RawMessage  `json:"params,omitempty"`
	Result json.RawMessage  `json:"result,omitempty"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// A client is a scripted one: it says what a test says, and remembers what it hears. It speaks the protocol by itself, so that
// a mistake of the library that the server uses is not made twice.
type client struct {
	testing.TB
	dir    string
	to     io.WriteCloser
	code   chan int
	server *server
	deaf   atomic.Bool // it reads the messages no more

	mu    sync.Mutex
	heard *sync.Cond
	all   []message // in their order
	next  int
	ended bool
}

// start starts a server for a folder with some files, and a client of some capabilities, given as JSON.
func start(t testing.TB, capabilities string, files ...string) *client {
	t.Helper()
	c := connect(t, files...)
	c.initialize(capabilities, fmt.Sprintf(`"workspaceFolders": [{"uri": %q, "name": "test"}]`, c.uri(".")))
	return c
}

// connect starts a server that is not initialized. Files are names and texts in turns.
func connect(t testing.TB, files ...string) *client {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &client{TB: t, dir: dir, code: make(chan int, 1)}
	c.write(".git/HEAD", "") // so that no configuration above is found
	for i := 0; i+1 < len(files); i += 2 {
		c.write(files[i], files[i+1])
	}
	c.heard = sync.NewCond(&c.mu)
	in, to := io.Pipe()
	from, out := io.Pipe()
	c.to = to
	c.server = newServer(t.Context(), "test")
	go func() {
		code := c.server.serve(context.Background(), in, out)
		_ = out.Close()
		c.code <- code
	}()
	go c.listen(from)
	t.Cleanup(func() {
		_ = to.Close()
		_ = from.Close()
	})
	return c
}

func (c *client) write(name, text string) {
	c.Helper()
	path := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		c.Fatal(err)
	}
}

// uri is the address of a file by its name; addresses stay as they are.
func (c *client) uri(name string) string {
	if strings.Contains(name, ":") {
		return name
	}
	return string(uri.File(filepath.Join(c.dir, filepath.FromSlash(name))))
}

func (c *client) initialize(capabilities, more string) message {
	c.Helper()
	if capabilities == "" {
		capabilities = "{}"
	}
	answer := c.call("initialize", fmt.Sprintf(`{"processId": null, "rootUri": null, "capabilities": %s, %s}`, capabilities, more))
	c.notify("initialized", "{}")
	return answer
}

// listen remembers the messages of the server, and agrees with its requests.
func (c *client) listen(from io.Reader) {
	in := textproto.NewReader(bufio.NewReader(from))
	for !c.deaf.Load() {
		header, err := in.ReadMIMEHeader()
		length, errLength := strconv.Atoi(header.Get("Content-Length"))
		if err != nil || errLength != nil {
			break
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(in.R, body); err != nil {
			break
		}
		var m message
		if json.Unmarshal(body, &m) != nil {
			break
		}
		if m.Method != "" && m.ID != nil {
			go c.send(fmt.Sprintf(`{"jsonrpc": "2.0", "id": %s, "result": null}`, *m.ID))
		}
		c.mu.Lock()
		c.all = append(c.all, m)
		c.mu.Unlock()
		c.heard.Broadcast()
	}
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.heard.Broadcast()
}

func (c *client) send(body string) {
	_, _ = fmt.Fprintf(c.to, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

func (c *client) notify(method, params string) {
	c.send(fmt.Sprintf(`{"jsonrpc": "2.0", "method": %q, "params": %s}`, method, params))
}

// request sends a request and returns its id.
func (c *client) request(method, params string) int {
	c.mu.Lock()
	c.next++
	id := c.next
	c.mu.Unlock()
	c.send(fmt.Sprintf(`{"jsonrpc": "2.0", "id": %d, "method": %q, "params": %s}`, id, method, params))
	return id
}

// call sends a request and waits for its answer.
func (c *client) call(method, params string) message {
	c.Helper()
	return c.answer(c.request(method, params))
}

// answer waits for the answer to a request.
func (c *client) answer(id int) message {
	c.Helper()
	return c.await(fmt.Sprintf("an answer to request %d", id), func(m message) bool {
		return m.Method == "" && m.ID != nil && string(*m.ID) == strconv.Itoa(id)
	})
}

// replaces reports whether a message before this one counts no more: it has the diagnostics of the same document. A test that waits
// for what comes next is not to take what was there before for that.
func (m message) replaces(before message) bool {
	var at, was clientDiagnostics
	return m.Method == "textDocument/publishDiagnostics" && before.Method == m.Method &&
		json.Unmarshal(m.Params, &at) == nil && json.Unmarshal(before.Params, &was) == nil && at.URI == was.URI
}

// await waits for a message and takes it, with those that it replaces.
func (c *client) await(what string, wanted func(message) bool) message {
	c.Helper()
	late := time.AfterFunc(patience, func() {
		c.mu.Lock()
		c.ended = true
		c.mu.Unlock()
		c.heard.Broadcast()
	})
	defer late.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if i := slices.IndexFunc(c.all, wanted); i >= 0 {
			m := c.all[i]
			before := slices.DeleteFunc(slices.Clone(c.all[:i]), m.replaces)
			c.all = append(before, c.all[i+1:]...)
			return m
		}
		if c.ended {
			var heard []string
			for _, m := range c.all {
				heard = append(heard, m.Method+" "+string(m.Params)+string(m.Result))
			}
			c.Fatalf("%s did not come; there came\n%s", what, strings.Join(heard, "\n"))
		}
		c.heard.Wait()
	}
}

func (c *client) open(name, text string) {
	c.openVersion(name, 1, text)
}

func (c *client) openVersion(name string, version int, text string) {
	c.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument": {"uri": %q, "languageId": "yaml", "version": %d, "text": %s}}`, c.uri(name), version, quoted(text)))
}

// edit sends edits, each as "line:character-line:character text", or the text as a whole after "all ".
func (c *client) edit(name string, version int, edits ...string) {
	var changes []string
	for _, e := range edits {
		place, text, _ := strings.Cut(e, " ")
		change := fmt.Sprintf(`{"text": %s}`, quoted(text))
		var a, b, d, f int
		if n, _ := fmt.Sscanf(place, "%d:%d-%d:%d", &a, &b, &d, &f); n == 4 {
			change = fmt.Sprintf(`{"range": {"start": {"line": %d, "character": %d}, "end": {"line": %d, "character": %d}}, "text": %s}`, a, b, d, f, quoted(text))
		}
		changes = append(changes, change)
	}
	c.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument": {"uri": %q, "version": %d}, "contentChanges": [%s]}`, c.uri(name), version, strings.Join(changes, ", ")))
}

func (c *client) close(name string) {
	c.notify("textDocument/didClose", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri(name)))
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// A place is a position of the protocol.
type place struct{ Line, Character int }

// A clientDiagnostic is a diagnostic as a client reads it.
type clientDiagnostic struct {
	Range              struct{ Start, End place }
	Severity           int
	Code               string
	CodeDescription    struct{ Href string }
	Source             string
	Message            string
	Tags               []int
	RelatedInformation []struct {
		Location struct {
			URI   string
			Range struct{ Start, End place }
		}
		Message string
	}
}

// String is a diagnostic as tests state it: "line:character-line:character severity rule".
func (d clientDiagnostic) String() string {
	severity := []string{"", "error", "warning", "info", "hint"}[d.Severity]
	return fmt.Sprintf("%d:%d-%d:%d %s %s", d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Line, d.Range.End.Character, severity, d.Code)
}

// A clientDiagnostics is what the server said of a document.
type clientDiagnostics struct {
	URI         string
	Version     *int
	Diagnostics []clientDiagnostic
}

func (p clientDiagnostics) lines() []string {
	lines := []string{}
	for _, d := range p.Diagnostics {
		lines = append(lines, d.String())
	}
	return lines
}

// published waits for diagnostics of a document that are wanted.
func (c *client) published(name string, wanted func(clientDiagnostics) bool) (got clientDiagnostics) {
	c.Helper()
	at := c.uri(name)
	c.await("diagnostics of "+name, func(m message) bool {
		var p clientDiagnostics
		if m.Method != "textDocument/publishDiagnostics" || json.Unmarshal(m.Params, &p) != nil || p.URI != at || !wanted(p) {
			return false
		}
		got = p
		return true
	})
	return got
}

// diagnostics waits until the diagnostics of a document are these.
func (c *client) diagnostics(name string, want ...string) clientDiagnostics {
	c.Helper()
	return c.published(name, func(p clientDiagnostics) bool { return slices.Equal(p.lines(), append([]string{}, want...)) })
}
