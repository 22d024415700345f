package webhook_test

import (
	"testing"

	"github.com/crdlift/crdlift/internal/memory"
)

// TestMain collects garbage as often as the program does that tests a webhook.
func TestMain(m *testing.M) {
	memory.Tune([]string{"webhook"})
	m.Run()
}
