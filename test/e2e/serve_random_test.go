package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// TestServe asks today's server and `crdlift serve` the same in random sequences of requests of three clients, with watches, in two versions,
// and compares the answers: codes, reasons and causes, warnings, objects with managedFields, the order of resourceVersions, and the events of
// watches. With CRDLIFT_VOLUME=all there are 2,000 sequences.
func TestServe(t *testing.T) {
	number := 100
	if corpus.All() {
		number = 2000
	}
	d := &duet{t: t, real: today(t), other: served(t)}
	d.play(number)
}

// TestServeAlike compares today's server with another one of its kind, between which TestServe must find no difference.
func TestServeAlike(t *testing.T) {
	number := 5
	if corpus.All() {
		number = 200
	}
	d := &duet{t: t, real: today(t)}
	d.other = started(t, func() (*server, error) {
		s, stop, err := startServer()
		if err == nil {
			t.Cleanup(stop)
		}
		return s, err
	})
	d.play(number)
}

// A duet is two servers that are asked the same.
type duet struct {
	t           *testing.T
	real, other *server

	mu     sync.Mutex
	asked  int
	events int
	found  map[string]*class
	known  map[string]int
}

// A class is differences of one kind, and the first of them with a script that shows it.
type class struct {
	count   int
	example string
}

func (d *duet) play(number int) {
	d.found, d.known = map[string]*class{}, map[string]int{}
	seed, begun := corpus.Seed(d.t), time.Now()
	for _, s := range []*server{d.real, d.other} {
		if err := s.prepareGroups(); err != nil {
			d.t.Fatal(err)
		}
	}
	work := make(chan int)
	var wg sync.WaitGroup
	for _, group := range serveGroups {
		wg.Go(func() {
			for i := range work {
				random := rand.New(rand.NewPCG(seed, uint64(i)))
				script := (&writer{random: random}).script()
				d.perform(group, strconv.Itoa(i), script)
			}
		})
	}
	for i := range number {
		work <- i
	}
	close(work)
	wg.Wait()
	d.t.Logf("%d sequences of %d requests with %d events in %s; CRDLIFT_SEED=%d has the same again", number, d.asked, d.events,
		time.Since(begun).Round(time.Second), seed)
	for reason, count := range d.known {
		d.t.Logf("%6d %s", count, reason)
	}
	for class, one := range d.found {
		d.t.Errorf("%d times: %s\n%s", one.count, class, one.example)
	}
}

// perform plays a script on both servers and counts the first difference that makes them differ from then on, and those before it.
func (d *duet) perform(group, name string, script []step) {
	for _, one := range d.differences(group, "s"+name, script) {
		d.mu.Lock()
		seen := d.found[one.class]
		if seen == nil {
			seen = &class{}
			d.found[one.class] = seen
		}
		seen.count++
		first := seen.count == 1
		d.mu.Unlock()
		if first {
			example := d.shorten(group, name, script, one)
			d.mu.Lock()
			seen.example = example
			d.mu.Unlock()
		}
	}
}

// A deviation is what two servers did differently.
type deviation struct {
	class   string
	example string
}

func (d *duet) differences(group, ns string, script []step) (all []deviation) {
	real, other := newAsker(d.real, group, ns), newAsker(d.other, group, ns)
	defer real.forget(d.t)
	defer other.forget(d.t)
	for i, s := range script {
		a, err := real.ask(i, s)
		if err != nil {
			return append(all, deviation{"the real server fails to answer: " + s.about, a.request + "\n" + err.Error()})
		}
		b, err := other.ask(i, s)
		if err != nil {
			return append(all, deviation{"no answer to " + s.about, a.request + "\n" + err.Error()})
		}
		d.mu.Lock()
		d.asked++
		d.mu.Unlock()
		if some := compared(s, a, b); len(some) > 0 {
			if reason := isKnown(s, a, b); reason != "" {
				d.mu.Lock()
				d.known[reason]++
				d.mu.Unlock()
			} else {
				all = append(all, some...)
			}
			if a.code == b.code && a.code >= 300 {
				continue
			}
			if s.method != http.MethodGet && (a.code < 300 || b.code < 300) || (a.watching == nil) != (b.watching == nil) {
				return all
			}
		}
	}
	return append(all, d.histories(real, other, len(script))...)
}

// compared is in what two answers differ. What the first difference may have caused is not counted as another.
func compared(s step, a, b said) (all []deviation) {
	about, _, _ := strings.Cut(s.about, ",")
	about, _, _ = strings.Cut(about, " with ")
	differ := func(aspect string) {
		all = append(all, deviation{about + ": " + aspect,
			fmt.Sprintf("%s\n  real: %d %q %s %.2500s\n  here: %d %q %s %.2500s\n  normalized: %.1500s\n          and %.1500s",
				a.request, a.code, a.warnings, a.contentType, a.raw, b.code, b.warnings, b.contentType, b.raw, text(a.body), text(b.body))})
	}
	if at := valuesDiffer(a.body, b.body, "body"); a.code != b.code {
		differ(fmt.Sprintf("%d and not %d", b.code, a.code))
	} else if at == "body.message" {
		differ(fmt.Sprintf("the answer's message, which is %.100q", messageOf(a)))
	} else if at != "" {
		differ("the answer's " + withoutNumbers(strings.TrimPrefix(at, "body.")))
	}
	if !slices.Equal(comparableWarnings(a.warnings), comparableWarnings(b.warnings)) {
		differ("warnings")
	}
	if a.contentType != b.contentType {
		differ("the answer's type is " + b.contentType + " and not " + a.contentType)
	}
	return all
}

func messageOf(a said) string {
	o, _ := a.body.(map[string]any)
	message, _ := o["message"].(string)
	return quotedTexts.ReplaceAllString(message, "...")
}

var quotedTexts = regexp.MustCompile(`"[^"]*"|\([^)]*\)|\d+|[a-z.]+\.serve\.example`)

func withoutNumbers(path string) string {
	var b strings.Builder
	for i, part := range strings.Split(path, "[") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "]")
			b.WriteString("[]")
		}
		b.WriteString(part)
	}
	return b.String()
}

// histories compares what watches saw, after a last object that most of them see.
func (d *duet) histories(real, other *asker, number int) (all []deviation) {
	for _, k := range []plural{widgets, rigs} {
		s := step{about: "create at the end", client: "alice", method: http.MethodPost, path: k.path("v1", "", ""),
			accept: "application/json", contentType: "application/json",
			body: `{"apiVersion":"{group}/v1","kind":"` + k.kind + `","metadata":{"name":"zz","labels":{"app":"x"}},"spec":{"size":"M"}}`}
		a, err := real.ask(number, s)
		if err != nil {
			return []deviation{{"the real server fails to answer: " + s.about, err.Error()}}
		}
		b, err := other.ask(number, s)
		if err != nil {
			return []deviation{{"no answer to " + s.about, err.Error()}}
		}
		if some := compared(s, a, b); len(some) > 0 {
			return some
		}
		number++
	}
	for i := range real.watches {
		var one *deviation
		for end := time.Now().Add(time.Second); ; time.Sleep(10 * time.Millisecond) {
			x, y := real.history(real.watches[i]), other.history(other.watches[i])
			if strings.Contains(text(x), "required storage feature RequestWatchProgress is disabled") {
				one = nil // with etcd before 3.5.13, the real server has no streams of what there is
				break
			}
			if one = comparedHistories(real.watches[i].step, real.resolve(real.watches[i].step.path, true), x, y); one == nil {
				d.mu.Lock()
				d.events += len(x)
				d.mu.Unlock()
				break
			}
			if time.Now().After(end) {
				break
			}
		}
		if one != nil {
			all = append(all, *one)
		}
		for _, q := range []*asker{real, other} {
			if wrong := q.disorder(q.watches[i]); wrong != "" {
				all = append(all, deviation{fmt.Sprintf("events out of order, of the real server: %t", q == real), wrong})
			}
		}
	}
	return all
}

func comparedHistories(s step, path string, x, y []any) *deviation {
	aspect, i := "", 0
	for ; i < max(len(x), len(y)) && aspect == ""; i++ {
		switch {
		case i >= len(x):
			aspect = "an event that the real server does not send"
		case i >= len(y):
			aspect = "an event is missing"
		default:
			if at := valuesDiffer(x[i], y[i], "event"); at != "" {
				aspect = "an event's " + withoutNumbers(strings.TrimPrefix(at, "event."))
			}
		}
	}
	if aspect == "" {
		return nil
	}
	query := strings.Join(strings.FieldsFunc(s.path[strings.Index(s.path, "?")+1:], func(r rune) bool { return r == '&' || r == '=' }), " ")
	query = strings.NewReplacer("watch 1", "", "watch true", "").Replace(query)
	show := func(all []any) string {
		var lines []string
		for n, e := range all {
			mark := "   "
			if n == i-1 {
				mark = " > "
			}
			lines = append(lines, fmt.Sprintf("%s%.900s", mark, text(e)))
		}
		return strings.Join(lines, "\n")
	}
	return &deviation{fmt.Sprintf("watch with %s: %s", query, aspect), fmt.Sprintf("%s (accept %q)\nreal:\n%s\nhere:\n%s", path, s.accept,
		show(x), show(y))}
}
