package suites

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/text"
	objectrules "github.com/crdlift/crdlift/rules/internal/objects"
	"github.com/crdlift/crdlift/rules/internal/words"
)

func textOf(format string, args ...any) text.Text { return text.Sprintf(format, args...) }
func quoted(name string) text.Text                { return text.Quoted(name) }
func value(name string) text.Text                 { return text.Value(name) }
func foreign(said string) text.Text               { return text.Foreign(text.OneLine(said)) }

// said says how a case fails, after its name.
func said(r *suite.Result, f *suite.Failure) text.Text {
	switch f.Kind {
	case suite.Rejected:
		return textOf(" is rejected, but should be accepted: %s; correct the object or the CRD", causesText(f.Causes))
	case suite.Accepted:
		return textOf(" is accepted, but should be rejected%s; add the constraint to the CRD, or correct the case", expectedText(f.Expected))
	case suite.WrongCause:
		return textOf(" is not rejected%s, but for another cause: %s; name it or correct the CRD", expectedText(f.Expected), causesText(f.Causes))
	case suite.MoreCauses:
		return textOf(" is also rejected for another cause: %s; name that cause in rejected, or write also: true", causesText(f.Causes))
	case suite.OldRejected:
		if f.Text != "" {
			return textOf(": %s", f.Text)
		}
		return textOf(" cannot begin, as its old object is rejected: %s; correct that object", causesText(f.Causes))
	case suite.Undeclared:
		return textOf(": %s is not declared and is dropped; %s", words.PathName(f.Path), meant(r, f.Path))
	case suite.Unreachable:
		return unreachable(r, f)
	case suite.NotStored:
		return notStored(f)
	case suite.Unwarned:
		if f.Wanted {
			return textOf(" expects the warning %s, but gets %s; correct the case or the CRD", quoted(f.Text), warningsText(f.Exchange))
		}
		return textOf(" does not expect the warning %s; name it in warns, or correct the object", quoted(text.OneLine(words.PathName(f.Path).String()+": "+f.Text)))
	}
	return textOf(": %s", f.Text)
}

func notStored(f *suite.Failure) text.Text {
	switch {
	case !f.Found:
		return textOf(": %s is not stored, and %s is expected; correct the case or the CRD", words.PathName(f.Path), words.ValueOf(f.Want))
	case !f.Wanted:
		return textOf(": %s is stored as %s, and should not be there; correct the case or the CRD", words.PathName(f.Path), stored(f.Got))
	}
	return textOf(": %s is stored as %s, not %s; correct the case or the CRD", words.PathName(f.Path), stored(f.Got), stored(f.Want))
}

// stored is a value in a message; words as they are.
func stored(v any) text.Text {
	if word, is := v.(string); is && word != "" && !strings.ContainsAny(word, " ,;:") {
		return value(word)
	}
	if v == nil {
		return textOf("null")
	}
	return words.ValueOf(v)
}

func unreachable(r *suite.Result, f *suite.Failure) text.Text {
	if len(f.Causes) > 0 {
		return textOf(": %s is not declared, so nothing below it is stored; %s", words.PathName(f.Path), meant(r, f.Path))
	}
	if f.Wanted {
		return textOf(": nothing can be set at %s, as a value above it has another type, or list items before it are missing; correct the path", words.PathName(f.Path))
	}
	return textOf(": there is nothing to unset at %s; remove the line", words.PathName(f.Path))
}

// meant asks whether a declared field was meant, or says what else to do.
func meant(r *suite.Result, at request.Path) string {
	if len(at) > 0 {
		if s, rest := r.Definition.Schema(r.Version, at[:len(at)-1]); s != nil && len(rest) == 0 {
			if near := r.Definition.Tree().Fields(s).Nearest(at[len(at)-1].Key); len(near) > 0 {
				return text.DidYouMean(near...)
			}
		}
	}
	return "correct the name, or declare it in the CRD"
}

func expectedText(e *suite.Expected) text.Text {
	said := text.Text{}
	if e.By != "" {
		said = textOf(" by %s", e.By)
	}
	if e.Path != nil {
		below := ""
		if e.Below {
			below = " or below"
		}
		said = textOf("%s at %s%s", said, words.PathName(e.Path), below)
	}
	if e.Rule != "" {
		said = textOf("%s by the rule %s", said, foreign(e.Rule))
	}
	if e.Text != "" {
		said = textOf("%s with the message %s", said, quoted(e.Text))
	}
	return said
}

// causesText says why an object is rejected.
func causesText(causes []request.Cause) text.Text {
	said, n := text.Text{}, 0
	for _, c := range causes {
		if c.Stage == request.RulesNotRun { // there are others, which kept these
			continue
		}
		if n++; n == 1 {
			said = objectrules.CauseText(&c)
		} else {
			said = textOf("%s, and %s", said, objectrules.CauseText(&c))
		}
	}
	return said
}

// warningsText are the warnings of an answer.
func warningsText(x *suite.Exchange) text.Text {
	all := suite.Warnings(x)
	if len(all) == 0 {
		return textOf("none")
	}
	return quoted(text.OneLine(strings.Join(all, "; ")))
}

// relate adds the places of the CRD that a failure is about.
func (j *judge) relate(told *engine.Finding, r *suite.Result, f *suite.Failure) {
	if r.Definition == nil {
		return
	}
	for _, c := range f.Causes {
		if pos, ok := r.Definition.Constraint(r.Version, &c); ok {
			told.Relate(pos, strings.TrimPrefix(objects.ConstraintMessage(c.Keyword), "it is "))
			j.relateGoOf(told, r, &c)
		}
	}
	if f.Kind != suite.NotStored {
		return
	}
	if s, rest := r.Definition.Schema(r.Version, f.Path); s != nil && len(rest) == 0 {
		if key, at := crd.Lookup(s.Node, "default"); key != nil {
			if pos, ok := r.Definition.Position(crd.FirstKey(crd.Deref(at))); ok {
				told.Relate(pos, "the default is here")
				j.relateGo(told, r.Definition, s.Path, "default", "")
			}
		}
	}
}
