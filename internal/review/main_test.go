package review

import (
	"os"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	// client-go logs answers that end too early.
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}
