package webhook

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"strings"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
)

// An Asker has objects converted; *review.Client is the one that asks a webhook.
type Asker interface {
	Convert(ctx context.Context, reviewVersion, to string, objects ...Object) *review.Answer
	Send(ctx context.Context, method string, body []byte) ([]byte, error)
}

// ErrUnreachable is why a test ends that never had a response: there is no connection, or no trust in who answers.
var ErrUnreachable = errors.New("the webhook cannot be reached")

// errDead is why a test ends whose webhook stops to answer.
var errDead = errors.New("the webhook no longer responds")

// noneConverter converts as strategy None does: it changes apiVersion.
type noneConverter struct{ group string }

func (n noneConverter) Convert(_ context.Context, _, to string, objects ...Object) *review.Answer {
	a := &review.Answer{}
	for _, o := range objects {
		converted := maps.Clone(o)
		converted["apiVersion"] = n.group + "/" + to
		a.Objects, a.Raw = append(a.Objects, converted), append(a.Raw, converted)
	}
	return a
}

func (noneConverter) Send(context.Context, string, []byte) ([]byte, error) {
	return nil, errors.New("there is no webhook")
}

// A conversion is an answer with what the server makes of it.
type conversion struct {
	*review.Answer
	asked   Object // that is to be converted
	to      string // the version
	coerced Object // the object of the answer as the server goes on with it
	refused error  // why it does not
}

// convert has one object converted, and remembers the answer: the same question is not asked twice within a while.
func (t *tester) convert(o Object, to string) *conversion {
	return t.conversions.of(to+" "+canonical(o), func() *conversion {
		c := &conversion{Answer: t.ask(byServer, to, o), asked: o, to: to}
		if c.Err == nil {
			c.coerced, c.refused = t.server.Version(to).Coerce(c.Objects[0])
		}
		return c
	})
}

// admit is an object of a user as a server has it, which most trials of the object begin with.
func (t *tester) admit(v *request.Version, o Object) Object {
	return t.admissions.of(v.Name+" "+canonical(o), func() Object { return admit(v, o) })
}

// maxRemembered is the length of the questions whose answers are kept, at least those and at most twice as many: an answer takes
// ten times the memory.
const maxRemembered = 4 << 20

// A memory has the last answers to questions.
type memory[A any] struct {
	recent, former map[string]A
	length         int // of recent questions
}

// known is the answer to a question, if it is remembered.
func (m *memory[A]) known(question string) (A, bool) {
	a, found := m.recent[question]
	if !found {
		a, found = m.former[question]
	}
	return a, found
}

func (m *memory[A]) of(question string, ask func() A) A {
	if a, found := m.recent[question]; found {
		return a
	}
	a, found := m.former[question]
	if !found {
		a = ask()
	}
	if m.length += len(question); m.length > maxRemembered || m.recent == nil {
		m.recent, m.former, m.length = map[string]A{}, m.recent, len(question)
	}
	m.recent[question] = a
	return a
}

func (t *tester) ask(reviewVersion, to string, objects ...Object) *review.Answer {
	if err := t.over(); err != nil {
		return &review.Answer{Kind: review.Transport, Err: err}
	}
	a := t.asker.Convert(t.ctx, reviewVersion, to, objects...)
	shallow(a)
	t.counted(exchange{to, objects, a})
	return a
}

// shallow takes the objects out of an answer that are nested too deeply to be followed, and says so. API servers take 10,000 levels
// (sigs.k8s.io/json), and no custom resource that is meant to be one has as many as the limit; but whatever is compared at each level
// has a path that is as long as the level is deep.
func shallow(a *review.Answer) {
	for _, o := range a.Raw {
		if n := depth(o); n > limit.AnswerDepth {
			a.Objects, a.Raw, a.Kind = nil, nil, review.Failure
			a.Err = fmt.Errorf("an object in the response is nested %d levels deep, and crdlift follows at most %d; return a flatter one", n, limit.AnswerDepth)
			return
		}
	}
}

func depth(value any) (n int) {
	switch value := value.(type) {
	case map[string]any:
		for _, member := range value {
			n = max(n, depth(member))
		}
	case []any:
		for _, item := range value {
			n = max(n, depth(item))
		}
	default:
		return 0
	}
	return n + 1
}

// An exchange is a question with its answer.
type exchange struct {
	to      string
	objects []Object
	answer  *review.Answer
}

// counted notes what is known of the webhook after an answer.
func (t *tester) counted(q exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := q.answer
	switch {
	case a.Kind != review.Transport || !IsUnreachable(a.Err):
		t.last = &q
	case t.ctx.Err() != nil || t.dead != nil:
	case t.last != nil:
		t.dead = fmt.Errorf("%w: %w", errDead, a.Err)
	default:
		t.dead = fmt.Errorf("%w (%w)", ErrUnreachable, a.Err)
	}
	t.out.Requests++
	t.out.Waiting += a.Elapsed
	if len(q.objects) == 1 && a.Kind == review.Accepted {
		t.latencies = append(t.latencies, a.Elapsed)
	}
	if t.o.Progress != nil {
		t.o.Progress(min(t.done, max(0, t.all-1)), t.all) // what is not counted comes after all objects
	}
}

// over is why no more requests are sent; nil while they are.
func (t *tester) over() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return cmp.Or(t.ctx.Err(), t.dead)
}

// died finds the end of the webhook, where no finding says of the last request that was answered that it failed.
func (t *tester) died() {
	pair := Pair{versionAt(t.last.objects[0]), t.last.to}
	detail := t.over().Error()
	if err := t.last.answer.Err; err != nil {
		detail = err.Error()
	}
	for _, r := range t.order {
		if r.Property == Garbage || r.Pair == pair && r.key.detail == alike(detail) {
			return
		}
	}
	t.remember(hit{Finding: Finding{Property: Failed, Pair: pair, Version: pair.From, Object: t.last.objects[0], Detail: detail}})
}

func versionAt(o Object) string {
	apiVersion, _ := o["apiVersion"].(string)
	return apiVersion[strings.Index(apiVersion, "/")+1:]
}

// IsUnreachable reports of an error without a response whether there was no connection at all, or none to trust: one that ends
// before
// the response is the
// webhook's doing.
func IsUnreachable(err error) bool {
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	return errors.As(err, &op) && (op.Op == "dial" || op.Op == "remote error") || errors.As(err, &certificate) || errors.As(err, &record) ||
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client") // which has no type
}

// canonical is a value as JSON, with sorted members.
func canonical(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "" // a number that JSON does not have: it is never equal to another
	}
	return string(text)
}

// byServer is the ConversionReview version that the server picks of those that the CRD lists.
const byServer = ""
