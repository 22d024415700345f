package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// TestCapabilities reads what clients say of themselves, of which any part may be missing.
func TestCapabilities(t *testing.T) {
	t.Parallel()
	const utf8, utf16 = protocol.PositionEncodingKindUTF8, protocol.PositionEncodingKindUTF16
	for said, want := range map[string]clientCapabilities{
		`{}`: {encoding: utf16},
		`{"general": {}, "window": {}, "workspace": {}, "textDocument": {}}`:                                                                                             {encoding: utf16},
		`{"workspace": {"workspaceEdit": {}, "didChangeWatchedFiles": {}}, "textDocument": {"completion": {}, "hover": {}, "codeAction": {}, "publishDiagnostics": {}}}`: {encoding: utf16},
		`{"general": {"positionEncodings": ["utf-7", "utf-8", "utf-16"]}}`:                                                                                               {encoding: utf8},
		`{"textDocument": {"codeAction": {"dataSupport": true, "resolveSupport": {"properties": ["command"]}}}}`:                                                         {encoding: utf16},
		`{"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}`:                                                                                 {encoding: utf16},
		`{"textDocument": {"codeAction": {"dataSupport": true, "disabledSupport": true, "resolveSupport": {"properties": ["edit"]}}}}`:                                   {encoding: utf16, resolveEdit: true, disabled: true},
		`{"workspace": {"workspaceEdit": {"snippetEditSupport": true, "changeAnnotationSupport": {}, "resourceOperations": ["create"]}}}`:                                {encoding: utf16, snippets: true},
		`{"workspace": {"workspaceEdit": {"documentChanges": true, "changeAnnotationSupport": {}, "resourceOperations": ["create"]}}}`:                                   {encoding: utf16, documentChanges: true, changeAnnotations: true, createFile: true},
		`{"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["delete"]}}}`:                                                                  {encoding: utf16, documentChanges: true},
		`{"textDocument": {"hover": {"contentFormat": ["plaintext"]}, "completion": {"completionItem": {"documentationFormat": ["markdown"]}}}}`:                         {encoding: utf16, itemMarkdown: true},
		`{"experimental": {"crdliftPrompt": true}, "window": {"workDoneProgress": true}}`:                                                                                {encoding: utf16, prompt: true, workDoneProgress: true},
	} {
		var c protocol.ClientCapabilities
		if err := json.Unmarshal([]byte(said), &c); err != nil {
			t.Fatal(err)
		}
		if got := capabilitiesOf(&c); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", said, got, want)
		}
	}
}

// TestAnyClient leaves out each member of what a client may say of itself, then each object's members all at once, and works with what is
// left.
func TestAnyClient(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "Namespaced", "namespaced")
	all, clients := everything(reflect.TypeFor[protocol.ClientCapabilities]()), 0
	work := func(t *testing.T, without string) {
		said, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		clients++
		c := connect(t)
		if answer := c.initialize(string(said), `"workspaceFolders": null`); answer.Error != nil {
			t.Errorf("without %s: %s", without, answer.Error.Message)
			return
		}
		c.open("one.yaml", wrong)
		c.published("one.yaml", func(p clientDiagnostics) bool { return len(p.Diagnostics) > 0 })
		at := fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": 0, "character": 0}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}, "context": {"diagnostics": []}}`, c.uri("one.yaml"))
		for _, method := range []string{"textDocument/completion", "textDocument/hover", "textDocument/codeAction"} {
			if answer := c.call(method, at); answer.Error != nil {
				t.Errorf("without %s: %s: %s", without, method, answer.Error.Message)
			}
		}
		_ = c.to.Close()
	}
	var leave func(t *testing.T, of any, path string)
	leave = func(t *testing.T, of any, path string) {
		switch of := of.(type) {
		case []any:
			leave(t, of[0], path+"[0]")
		case map[string]any:
			kept := maps.Clone(of)
			clear(of)
			work(t, "all below "+path)
			for name, value := range kept {
				maps.Copy(of, kept)
				delete(of, name)
				work(t, path+"."+name)
				of[name] = value
				leave(t, value, path+"."+name)
			}
			maps.Copy(of, kept)
		}
	}
	work(t, "nothing")
	leave(t, all, "capabilities")
	if clients < 300 {
		t.Errorf("these are %d clients: some capabilities are not looked at", clients)
	}
}

// everything is a JSON value of a type of the protocol, with all that may be there.
func everything(t reflect.Type) any {
	switch t.Kind() {
	case reflect.Pointer:
		return everything(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return []any{everything(t.Elem())}
		}
		return map[string]any{} // any JSON value
	case reflect.Struct:
		if value, optional := t.FieldByName("value"); optional {
			return everything(value.Type)
		}
		all := map[string]any{}
		for i := range t.NumField() {
			f := t.Field(i)
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				all[name] = everything(f.Type)
			} else if f.Anonymous {
				maps.Copy(all, everything(f.Type).(map[string]any))
			}
		}
		return all
	case reflect.String:
		return "markdown"
	case reflect.Bool, reflect.Interface: // one of some types, of which bool is the simplest
		return true
	}
	return 1
}
