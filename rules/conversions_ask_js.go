package rules

import (
	"errors"

	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/webhook"
)

// ask refuses: a browser lets no program connect to an address, and the client of an API server is a sixth of the program.
func ask(review.Config) (webhook.Asker, error) {
	return nil, errors.New("conversion webhooks cannot be called from a browser")
}
