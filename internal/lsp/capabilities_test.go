package lsp

import (
	"encoding/json"
	"reflect"
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
