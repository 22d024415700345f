package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How much memory, in bytes, is spent without a second thought: by a test of conversions, which keeps hundreds of objects and
// takes a minute, and by anything else.
const (
	comfortable   = 100 << 20
	ofConversions = 512 << 20
)

// comfort is what is comfortable for a command line.
func comfort(args []string) int64 {
	if len(args) > 0 && args[0] == "webhook" {
		return ofConversions
	}
	return comfortable
}

// tuneCollector spends memory rather than time, which suits a program that lives for a second: the heap grows by five
// times between collections while it is small, and by half once it comes near what is comfortable. GOGC and GOMEMLIMIT
// have the last word, as for any Go program.
func tuneCollector(enough int64) {
	runtime.MemProfileRate = 0 // nobody asks for profiles, and their samples take two megabytes
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(enough)
		afterCollections(func(live int64) { debug.SetMemoryLimit(limitFor(live, enough)) })
	}
}

// limitFor is the memory limit that goes with a heap that was just collected. A limit below what is in use would have Go
// collect all the time, for half of the processor.
func limitFor(live, enough int64) int64 { return max(enough, live+live/2) }

// afterCollections calls a function after every collection with the bytes that are in use.
func afterCollections(do func(live int64)) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	type nothing struct{ _ *int } // with a pointer, so that it is not put together with other small objects
	var again func(*nothing)
	again = func(n *nothing) {
		metrics.Read(live)
		do(int64(live[0].Value.Uint64()))
		runtime.SetFinalizer(n, again)
	}
	runtime.SetFinalizer(&nothing{}, again)
}
