package memory

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// How large, in bytes, the heap gets without a second thought: for a test of conversions, which keeps hundreds of objects and
// takes a minute, for a language server, which keeps what is said of thousands of files, and for anything else.
const (
	comfortable   = 80 << 20
	ofEditors     = 120 << 20
	ofConversions = 480 << 20
)

// A run has to earn what is comfortable: its heap may have so many bytes at once, and more by a part of all that it has
// allocated. One file gets little. A run over many files has it at once.
const (
	atOnce = 16 << 20
	earns  = 8
	many   = 100
)

// busy says that there are many files.
var busy atomic.Bool

// Expect tells how many files there are to work on.
func Expect(files int) {
	if files >= many {
		busy.Store(true)
	}
}

// growth is the part of the live heap by which it grows at least between two collections. Each takes time in proportion
// to what is live, so that less growth would be dear where much is.
const growth = 3

// How much the heap grows, in percent of what is live: before anything is known of the run, and at most.
const (
	firstPercent = 400
	mostPercent  = 1000
)

// comfort is what is comfortable for a command line.
func comfort(args []string) int64 {
	switch append(args, "")[0] {
	case "webhook":
		return ofConversions
	case "lsp":
		return ofEditors
	}
	return comfortable
}

// Tune tunes the collector for a command line, before it runs. GOGC and GOMEMLIMIT have the last word, as for any Go
// program. The percentage says when to collect. It is set a moment after a collection, and until then the heap may grow by
// the percentage that was for a smaller one; for that moment there is a memory limit. It has to be far away: it counts free
// memory as well, so that a live heap close to it is collected without end.
func Tune(args []string) {
	enough := comfort(args)
	runtime.MemProfileRate = 0 // nobody asks for profiles, and their samples take two megabytes
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(firstPercent)
		limited := os.Getenv("GOMEMLIMIT") == ""
		afterCollections(func(live, allocated int64) {
			if busy.Load() {
				allocated = math.MaxInt64
			}
			debug.SetGCPercent(percentFor(live, allocated, enough))
			if limited {
				debug.SetMemoryLimit(max(enough+enough/2, 2*live))
			}
		})
	}
}

// percentFor is the growth, in percent, that goes with a heap that was just collected, after so much was allocated in all.
func percentFor(live, allocated, enough int64) int {
	goal := max(min(enough, atOnce+allocated/earns), live+live/growth)
	return int(min(mostPercent, (goal-live)*100/max(1, live)))
}

// afterCollections calls a function after every collection with the bytes that are in use, and with those that were ever
// allocated.
func afterCollections(do func(live, allocated int64)) {
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	type sentinel struct{ _ *int } // with a pointer, so that it is not put together with other small objects
	var again func(*sentinel)
	again = func(n *sentinel) {
		metrics.Read(heap)
		do(int64(heap[0].Value.Uint64()), int64(heap[1].Value.Uint64()))
		runtime.SetFinalizer(n, again)
	}
	runtime.SetFinalizer(&sentinel{}, again)
}
