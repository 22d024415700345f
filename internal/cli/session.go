package cli

import "github.com/crdlift/crdlift/internal/run"

// A session is one call of the program.
type session struct{ *run.Session }
