package webhooktest

import (
	"log"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// A serverLog keeps what Go's HTTP server says about a handler, each panic once: the same one may come with many objects.
type serverLog struct {
	lock sync.Mutex
	seen map[string]bool
	told []string
}

func (l *serverLog) logger() *log.Logger { return log.New(l, "", 0) }

var panicking = regexp.MustCompile(`^http: panic serving [^ ]*: (.*)\n`)

// Write keeps one message.
func (l *serverLog) Write(message []byte) (int, error) {
	text := strings.TrimSpace(string(message))
	key := text
	if m := panicking.FindStringSubmatch(text); m != nil {
		key = m[1]
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	if !l.seen[key] && !strings.HasPrefix(text, "http: TLS handshake error") { // whoever only looks whether it is there
		l.seen[key] = true
		l.told = append(l.told, text)
	}
	return len(message), nil
}

// tell logs it.
func (l *serverLog) tell(t *testing.T) {
	t.Helper()
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, text := range l.told {
		t.Log(text)
	}
}
