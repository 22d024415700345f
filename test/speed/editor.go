package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// An editor is a client of a language server, which is another process. It does one thing at a time.
type editor struct {
	cmd      *exec.Cmd
	begun    time.Time
	to       io.WriteCloser
	messages chan message
	heard    error // why there are no more messages; to be read after they are closed
}

// A message is one that a server sends, as far as anything here depends on it.
type message struct {
	ID     json.RawMessage
	Method string
	Params struct {
		URI     string
		Version int
		Value   struct{ Kind string }
	}
	Error json.RawMessage
}

// edit starts a server for a folder, as editors do.
func edit(ctx context.Context, home, folder string, server ...string) (*editor, error) {
	cmd := exec.CommandContext(ctx, server[0], server[1:]...)
	cmd.Dir, cmd.Env, cmd.Stderr = home, environment(home), os.Stderr
	to, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e := &editor{cmd: cmd, begun: time.Now(), to: to, messages: make(chan message, 100)}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go e.listen(from)
	e.send(map[string]any{"id": "initialize", "method": "initialize", "params": map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": map[string]any{
			"textDocument": map[string]any{"publishDiagnostics": map[string]any{"versionSupport": true}}, "window": map[string]any{"workDoneProgress": true}},
		"workspaceFolders": []any{map[string]any{"uri": address(folder), "name": "folder"}},
	}})
	err = e.await("an answer to initialize", func(m message) bool { return string(m.ID) == `"initialize"` && m.Error == nil })
	if err != nil {
		return nil, errors.Join(err, e.kill())
	}
	e.notify("initialized", map[string]any{})
	return e, nil
}

// listen reads what the server says. It agrees with all that it asks for.
func (e *editor) listen(from io.Reader) {
	defer close(e.messages)
	for in := textproto.NewReader(bufio.NewReader(from)); ; {
		header, err := in.ReadMIMEHeader()
		if err != nil {
			e.heard = err
			return
		}
		length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
		if err != nil {
			e.heard = err
			return
		}
		var m message
		body := io.LimitReader(in.R, length)
		if err := json.NewDecoder(body).Decode(&m); err != nil {
			e.heard = err
			return
		}
		if _, err := io.Copy(io.Discard, body); err != nil {
			e.heard = err
			return
		}
		if m.ID != nil && m.Method != "" {
			e.send(map[string]any{"id": m.ID, "result": nil})
		}
		e.messages <- m
	}
}

func (e *editor) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		panic(err) // it has text and numbers only
	}
	_, _ = fmt.Fprintf(e.to, "Content-Length: %d\r\n\r\n%s", len(body), body) // when it fails, there is no answer
}

func (e *editor) notify(method string, params map[string]any) {
	e.send(map[string]any{"method": method, "params": params})
}

// await passes over messages until one that is wanted.
func (e *editor) await(what string, wanted func(message) bool) error {
	for m := range e.messages {
		if wanted(m) {
			return nil
		}
	}
	return fmt.Errorf("the language server did not send %s: %w", what, e.heard)
}

// diagnosed waits for what is said of a version of a file.
func (e *editor) diagnosed(path string, version int) error {
	return e.await(fmt.Sprintf("diagnostics of version %d of %s", version, path), func(m message) bool {
		return m.Method == "textDocument/publishDiagnostics" && m.Params.URI == address(path) && m.Params.Version == version
	})
}

// open opens a file, and returns how long it takes until something is said of it.
func (e *editor) open(path, text string) (time.Duration, error) {
	begin := time.Now()
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": address(path), "languageId": "yaml", "version": 1, "text": text}})
	err := e.diagnosed(path, 1)
	return time.Since(begin), err
}

// write puts a word in place of one of the same length, and returns how long it takes until something is said of that.
func (e *editor) write(path string, version, line, character int, word string) (time.Duration, error) {
	begin := time.Now()
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": address(path), "version": version}, "contentChanges": []any{map[string]any{
		"text": word, "range": map[string]any{
			"start": map[string]any{"line": line, "character": character},
			"end":   map[string]any{"line": line, "character": character + len(word)}}}}})
	err := e.diagnosed(path, version)
	return time.Since(begin), err
}

// settled waits until all files of the folder are judged. It takes many files for a server to say so.
func (e *editor) settled() error {
	return e.await("the end of its progress", func(m message) bool { return m.Method == "$/progress" && m.Params.Value.Kind == "end" })
}

// quit ends the server, and returns what the session cost it.
func (e *editor) quit() (sample, error) {
	e.send(map[string]any{"id": "shutdown", "method": "shutdown"})
	if err := e.await("an answer to shutdown", func(m message) bool { return string(m.ID) == `"shutdown"` && m.Error == nil }); err != nil {
		return sample{}, errors.Join(err, e.kill())
	}
	e.notify("exit", nil)
	for range e.messages { // what it still says
	}
	err := e.cmd.Wait()
	return cost(e.cmd.ProcessState, time.Since(e.begun)), err
}

func (e *editor) kill() error {
	_ = e.to.Close()
	_ = e.cmd.Process.Kill() // fails if it is gone
	for range e.messages {
	}
	return e.cmd.Wait()
}

// address is the URI of a file.
func address(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // of a drive
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
