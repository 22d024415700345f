package serving

import (
	"bytes"
	"strings"
	"sync"
)

// maxTail and maxLines are how much of an output is kept to be shown.
const (
	maxTail  = 4 << 10
	maxLines = 10
)

// A tail keeps the end of what is written to it.
type tail struct {
	lock sync.Mutex
	kept []byte
	cut  bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.kept = append(t.kept, p...)
	if more := len(t.kept) - maxTail; more > 0 {
		t.kept, t.cut = bytes.Clone(t.kept[more:]), true
	}
	return len(p), nil
}

// lines are the last lines.
func (t *tail) lines() []string {
	t.lock.Lock()
	defer t.lock.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	if t.cut && len(lines) > 1 {
		lines = lines[1:] // its beginning is gone
	}
	if lines = lines[max(0, len(lines)-maxLines):]; lines[0] == "" {
		return nil
	}
	return lines
}
