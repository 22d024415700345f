package serve

import "time"

// SetSlowReader has the server's streams end when they are not read for a while.
func (s *Server) SetSlowReader(d time.Duration) { s.limits.slowReader = d }
