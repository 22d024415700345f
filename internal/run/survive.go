package run

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/crdlift/crdlift/internal/text"
)

// UntilInterrupt is a context for a run that writes files, or has a command run: a file that is being written is finished, and
// the command ended, before an interrupt or a terminal that is closed ends the run. A second signal does not wait. Any other
// run ends at once.
func UntilInterrupt(ctx context.Context, writes bool) (context.Context, context.CancelFunc) {
	if !writes {
		return ctx, func() {}
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
	if signal.Ignored(syscall.SIGHUP) { // by nohup
		signals = signals[:2]
	}
	ctx, stop := signal.NotifyContext(ctx, signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// Survive, deferred, makes an error of a panic: a file that breaks crdlift must not take the others down with it. Of a file
// with custom resources, the error has only the type of the panic, whose text may have values of theirs.
func Survive(in Input, discreet bool, trouble *error) {
	fault := recover()
	if fault == nil {
		return
	}
	if discreet {
		fault = fmt.Sprintf("%T", fault)
	}
	*trouble = fmt.Errorf("%s: crdlift failed on this file, please report it: %v [%s]", in.Path, fault, text.PanicAt(debug.Stack()))
}

// SurviveAll, deferred, makes an error of a panic in a run over custom resources, outside of the work on one file. The trace
// that Go prints would have values of theirs.
func SurviveAll(trouble *error) {
	if fault := recover(); fault != nil {
		*trouble = fmt.Errorf("crdlift failed, please report it: %T [%s]", fault, text.PanicAt(debug.Stack()))
	}
}
