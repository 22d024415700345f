package lsp

import (
	"context"
	"time"
)

// parentInterval is how often the server looks whether its client is still there.
const parentInterval = 5 * time.Second

// watchParent ends the server when the process that started it is gone: one that was killed says no more.
func (s *server) watchParent(pid int) {
	s.spawn(func(ctx context.Context) {
		tick := time.NewTicker(parentInterval)
		defer tick.Stop()
		for alive(pid) {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		s.exit.Do(func() { close(s.exited) })
	})
}
