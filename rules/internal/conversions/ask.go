//go:build !js

package conversions

import (
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/webhook"
)

// Ask is what asks a webhook.
func Ask(c review.Config) (webhook.Asker, error) { return review.New(c) }
