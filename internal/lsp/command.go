package lsp

import (
	"context"
	"encoding/json"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/text"
)

// ExecuteCommand carries out what the client has asked the user about.
func (s *server) ExecuteCommand(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	if len(params.Arguments) != 1 {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, params.Command+" takes one argument")
	}
	switch params.Command {
	case commandIgnore:
		return nil, s.ignoreFor(ctx, params.Arguments[0])
	case commandNotes:
		var notes []string
		if err := json.Unmarshal(params.Arguments[0], &notes); err != nil {
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
		}
		return nil, s.client.ShowMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: strings.Join(notes, "\n")})
	}
	return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "there is no command "+params.Command)
}

// ignoreFor ignores a finding for a reason that the user gave.
func (s *server) ignoreFor(ctx context.Context, argument protocol.LSPAny) error {
	var it ignoreArguments
	if err := json.Unmarshal(argument, &it); err != nil {
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
	}
	if it.Reason = text.OneLine(it.Reason); it.Reason == "" {
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, "an ignore needs a reason")
	}
	snap, _, err := s.current(ctx, it.URI)
	if err != nil || snap == nil {
		return protocol.ErrContentModified
	}
	c := s.ignore(&actionData{URI: it.URI, Version: snap.version, Rule: it.Rule, Position: it.Position}, snap, it.Reason)
	if c == nil {
		return errNoChange
	}
	_, err = s.client.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{Edit: *s.workspaceEdit(c)})
	return err
}
