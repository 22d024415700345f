package review

import (
	"io"
	"log"
	"os"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	// client-go logs answers that end too early, and Go's server clients that do not trust it.
	klog.SetLogger(logr.Discard())
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}
