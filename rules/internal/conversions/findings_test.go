package conversions

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/webhook"
)

// TestAlikeTogether has one entry for what one mistake does to a type in several places, and others by themselves.
func TestAlikeTogether(t *testing.T) {
	t.Parallel()
	found := func(path, detail string, change webhook.Change) webhook.Finding {
		return webhook.Finding{
			Property: webhook.DataLost, Pair: webhook.Pair{From: "v1", To: "v2"}, Version: "v1", Path: fieldsOf(path), Detail: detail, Change: change,
		}
	}
	of := func(f webhook.Finding) likeness {
		l, ok := likenessOf(&f)
		if !ok {
			l.field = f.Path.Field()
		}
		return l
	}
	secret := found("spec.tls.secret.optional", "", webhook.Lost)
	for name, c := range map[string]struct {
		other webhook.Finding
		alike bool
	}{
		"the same field of another place":      {found("spec.auth[0].secret.optional", "", webhook.Lost), true},
		"another field":                        {found("spec.tls.secret.name", "", webhook.Lost), false},
		"the same field with another change":   {found("spec.auth.secret.optional", "", webhook.Changed), false},
		"the same field with words of its own": {found("spec.auth.secret.optional", "boom", webhook.Lost), false},
		"the object as a whole":                {found("", "", webhook.Lost), false},
	} {
		if is := of(secret) == of(c.other); is != c.alike {
			t.Errorf("%s: alike: %t", name, is)
		}
	}
	refused := secret
	refused.Cause = &request.Cause{Keyword: "minLength"}
	if of(refused) == of(secret) {
		t.Error("a refusal is like a loss")
	}
}

// fieldsOf is a path of fields; none for "".
func fieldsOf(path string) request.Path {
	if path == "" {
		return nil
	}
	return request.Keys(strings.Split(path, ".")...)
}
