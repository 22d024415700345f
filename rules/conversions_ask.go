//go:build !js

package rules

import (
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/webhook"
)

// ask is what asks a webhook.
func ask(c review.Config) (webhook.Asker, error) { return review.New(c) }
