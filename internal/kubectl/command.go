// Package kubectl reads a cluster by the user's kubectl, with the user's credentials. It only ever reads: what the command is given
// is `get --raw PATH`, and nothing else.
//
// Read reader.go first: which requests there are, and in which order. kinds.go has those for one CRD, page.go writes what they
// return, and command.go runs the command.
package kubectl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/text"
)

// A Failure says why a request had no answer.
type Failure struct {
	// Reason is the server's, as kubectl names it: "Forbidden", "NotFound", "Expired". It is "" where the server gave none.
	Reason string
	Line   string // one harmless line: the last that kubectl printed on its standard error, or what happened instead
	Shown  string // what a terminal may show in its place, and no file may keep; "" for the same
}

func (f *Failure) Error() string { return f.Line }

// maxAnswer bounds what is held of an answer, in bytes: an object has up to 3 MiB, and a page of large ones is asked for in parts. The
// last line of a complaint is in its last maxComplaint bytes.
const maxAnswer, maxComplaint = 16 << 20, 64 << 10

// tooLong is the Reason of a Failure for an answer that is longer than maxAnswer. No server gives it.
const tooLong = "TooLong"

// An output is what a command prints, up to a bound: its beginning or, if it may go on, its end.
type output struct {
	bytes  bytes.Buffer // not embedded: it would read past the bound by itself
	most   int
	goesOn bool
	long   bool // there was more
}

func (o *output) Write(p []byte) (int, error) {
	over := o.bytes.Len() + len(p) - o.most
	o.long = o.long || over > 0
	if over > 0 && !o.goesOn {
		return 0, errors.New("the response is too long") // which ends the command
	}
	_, _ = o.bytes.Write(p)
	o.bytes.Next(max(0, over))
	return len(p), nil
}

// refused is how kubectl begins what it prints when the server gave a reason.
var refused = text.Pattern(`^Error from server \((\w+)\)`)

// ofKubectl is how lines begin that kubectl itself ends with. Others are of what it starts, such as plugins for credentials, and may have
// these. They would be in the dump, and in reports.
var ofKubectl = text.Pattern(`^(?:Error from server|[Ee]rror: |exit status |Unable to connect to the server|The connection to the server)`)

// userinfo is the part of an address that may be a password.
var userinfo = text.Pattern(`://[^/@\s]*@`)

// get sends one GET for a path to the server, and decodes the JSON of the answer. The error is a *Failure, unless the command cannot be
// run, or ctx has ended.
func (r *Reader) get(ctx context.Context, path string, answer any) error {
	timed, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	cmd := exec.CommandContext(timed, r.Command[0], append(r.Command[1:len(r.Command):len(r.Command)], "get", "--raw", path)...)
	cmd.WaitDelay = time.Second // what the command started may keep its output open
	out, said := output{most: maxAnswer}, output{most: maxComplaint, goesOn: true}
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		return ctx.Err()
	case out.long:
		return &Failure{Reason: tooLong, Line: fmt.Sprintf("the response is longer than %d MiB", maxAnswer>>20)}
	case timed.Err() != nil:
		return &Failure{Line: fmt.Sprintf("there was no response within %s; raise --timeout", r.Patience)}
	case errors.As(err, &exit):
		return failure(said.bytes.String(), exit)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return fmt.Errorf("%s cannot be run (%w); name a kubectl after --, such as -- kubectl --context NAME", r.Command[0], err)
	}
	if err := json.Unmarshal(out.bytes.Bytes(), answer); err != nil {
		return &Failure{Line: "the response is not from an API server"}
	}
	return nil
}

// failure is that of a command which printed a complaint. Warnings of kubectl come before what ended it.
func failure(complaint string, exit error) *Failure {
	f := &Failure{Line: exit.Error()}
	for line := range strings.Lines(complaint) {
		if line = strings.TrimSpace(line); line != "" {
			f.Line = line
		}
	}
	if found := refused().FindStringSubmatch(f.Line); found != nil {
		f.Reason = found[1]
	}
	kubectls := ofKubectl().MatchString(f.Line)
	f.Line = text.Description(text.Harmless(userinfo().ReplaceAllString(f.Line, "://***@")))
	if !kubectls {
		f.Line, f.Shown = exit.Error()+"; run it yourself to see why", f.Line
	}
	return f
}

// reasonOf is the server's reason; "" for none.
func reasonOf(err error) string {
	if f := (*Failure)(nil); errors.As(err, &f) {
		return f.Reason
	}
	return ""
}
