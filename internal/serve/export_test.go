package serve

import "time"

// SetSlowReader has streams end when they are not read for a while.
func SetSlowReader(d time.Duration) { slowReader = d }
