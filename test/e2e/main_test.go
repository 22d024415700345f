// Package e2e shows that conversions are what Kubernetes itself does: it starts etcd and two real API servers, the last
// one of v1beta1 and today's, gives them manifests and their conversions, and compares what comes back.
//
// It also shows that internal/request judges custom resources as today's server does, and that internal/upgrade foretells what
// becomes of those that are stored when their CRD is replaced; and that internal/review judges the answers of conversion
// webhooks as the server does that calls them. And it asks `crdlift serve` what it asks today's server, and compares the answers.
//
// The servers are those of upstream's integration tests. They have no admission plugins and no other API groups, which
// CustomResourceDefinitions do not need. Nothing listens on anything but 127.0.0.1.
//
// Of the real manifests it takes a sample, or all with CRDLIFT_VOLUME=all; CRDLIFT_CORPUS says where they are.
package e2e

import (
	"flag"
	"io"
	"log"
	"os"
	"sync"
	"testing"

	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	// Servers log every request and every CRD that comes and goes.
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "alsologtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			log.Fatal(err)
		}
	}
	klog.SetOutput(io.Discard)
	code := m.Run()
	stopAll()
	os.Exit(code)
}

// stops ends what was started, the last first.
var stops struct {
	sync.Mutex
	all []func()
}

func atEnd(stop func()) {
	stops.Lock()
	defer stops.Unlock()
	stops.all = append(stops.all, stop)
}

func stopAll() {
	stops.Lock()
	defer stops.Unlock()
	for i := len(stops.all) - 1; i >= 0; i-- {
		stops.all[i]()
	}
}
