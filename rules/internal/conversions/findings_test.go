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
		t.Error("a rejection is like a loss")
	}
}

// fieldsOf is a path of fields; none for "".
func fieldsOf(path string) request.Path {
	if path == "" {
		return nil
	}
	return request.Keys(strings.Split(path, ".")...)
}

// TestWords has what a person reads of a finding.
func TestWords(t *testing.T) {
	t.Parallel()
	env := request.Path{request.Key("spec"), request.Key("env"), request.Index(2)}
	lost := func(items int) *webhook.Finding {
		object := webhook.Object{"spec": map[string]any{"env": make([]any, items)}}
		return &webhook.Finding{Path: env, Change: webhook.Lost, Shown: 2, Seen: 9, Object: object}
	}
	became := func(was, is any) *webhook.Finding {
		return &webhook.Finding{Path: fieldsOf("spec.a"), Change: webhook.Changed, Was: was, Is: is}
	}
	label := webhook.Finding{Pair: webhook.Pair{From: "v1", To: "v2"}, Path: fieldsOf("metadata.labels")}
	back := label
	back.Back = true
	long := strings.Repeat("a", 300)
	for got, want := range map[string]string{
		counted(lost(11)).Brief(): " (in 2 of the 9 converted objects with items in spec.env; the shortest such list that was found has 11)",
		counted(lost(1)).Brief():  " (in 2 of the 9 converted objects with items in spec.env)",
		counted(&webhook.Finding{Path: fieldsOf("spec.a"), Shown: 1, Seen: 1}).Brief():                                              " (in 1 of the 1 converted object with it)",
		counted(&webhook.Finding{Shown: 1, Seen: 2}).Brief():                                                                        " (in 1 of the 2 converted objects with it)",
		Became(&webhook.Finding{Path: fieldsOf("spec.a"), Change: webhook.Lost, Edit: &webhook.Edit{}}).Brief():                     "loses spec.a",
		counted(became("a", "b")).Brief():                                                                                           "",
		Became(became("a <b", "a &lt;b")).Brief():                                                                                   `changes spec.a from "a <b" to "a &lt;b"`,
		Became(became(long, long[:253])).Brief():                                                                                    "changes spec.a from 300 to 253 characters",
		Became(became("text", "te")).Brief():                                                                                        `changes spec.a from "text" to "te"`,
		Became(became(long, "b")).Brief()[:25]:                                                                                      `changes spec.a from "aaaa`,
		Became(&webhook.Finding{Path: fieldsOf("spec.a"), Change: webhook.Lost, Was: "x"}).Brief():                                  "loses spec.a",
		Became(&webhook.Finding{Path: fieldsOf("spec.a"), Change: webhook.Lost, Was: "x", Edit: &webhook.Edit{Value: "x"}}).Brief(): `loses spec.a, written as "x"`,
		metadataWay(&label).Brief():                                                                                                 "v1 → v2",
		metadataWay(&back).Brief():                                                                                                  "v1 → v2 → v1",
		objectsWith(&webhook.Finding{Size: 64}).Brief():                                                                             " for objects of 64 KiB and more",
		how(became(long, long[:40])).Brief():                                                                                        " from 300 to 40 characters",
		with(&webhook.Finding{Missing: true}).Brief():                                                                               "",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
