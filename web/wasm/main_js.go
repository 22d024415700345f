// Command wasm is crdlift for a browser: it hands a function to the worker that has started it, and answers from then on.
package main

import (
	"runtime"
	"runtime/debug"
	"syscall/js"

	"github.com/crdlift/crdlift/web/answer"
)

// How much memory, in bytes, Go may use before it collects more often. There is one thread, so that a collection is time
// that a person waits for; a tab may have 4 GiB at most.
const comfortable = 1 << 30

func main() {
	runtime.MemProfileRate = 0
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(comfortable)
	// crdliftReady is the worker's: it is called with the function that answers, from JSON to JSON.
	js.Global().Call("crdliftReady", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(answer.Ask([]byte(args[0].String())))
	}))
	select {} // the function is called as long as the worker lives
}
