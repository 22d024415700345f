package conversions

import (
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// editedAt is the version at which a client makes the edit of a finding.
func editedAt(f *webhook.Finding) string {
	if f.Edit.Stored {
		return f.Pair.From
	}
	return f.Pair.To
}

// clientEdits says what a client does.
func clientEdits(f *webhook.Finding) text.Text {
	at := text.Path(f.Edit.Path.Field())
	if f.Edit.Removed {
		return text.Sprintf("a client removes %s", at)
	}
	return text.Sprintf("a client changes %s to %s", at, text.Value(words.JSONOf(f.Edit.Value)))
}

// notKept says what of an edit does not stay, with the field that a client edits where that is not what the finding is about.
func notKept(f *webhook.Finding) text.Text {
	if f.Edit == nil {
		return text.Sprintf("a change at %s is not kept", text.Value(f.Pair.To))
	}
	field, at := text.Path(f.Edit.Path.Field()), text.Value(editedAt(f))
	if othersOf(f) {
		return text.Sprintf("the other items of %s lose what they have at %s when one is removed at %s",
			text.Path(f.Edit.Path[:len(f.Edit.Path)-1].Field()), text.Value(f.Pair.From), at)
	}
	change := "change"
	if f.Edit.Removed {
		change = "removal"
	}
	return text.Sprintf("a "+change+"%s at %s%s is not kept", when(f.Edit.Path.Field() != f.Path.Field(), " of %s", field), at,
		when(f.Edit.Stored, ", after a write at %s,", text.Value(f.Pair.To)))
}

// editRemedy says what the conversion has to do with an edit.
func editRemedy(f *webhook.Finding) text.Text {
	switch {
	case othersOf(f):
		return text.Sprintf("keep the values of the other items")
	case f.Edit != nil && f.Edit.Removed:
		return text.Sprintf("make the removal win")
	}
	return text.Sprintf("make the edited value win")
}

// othersOf reports whether a finding is about the items that a client leaves when it removes one: those of the storage version.
func othersOf(f *webhook.Finding) bool {
	return f.Edit != nil && f.Edit.Removed && !f.Edit.Stored && f.Version == f.Pair.From
}

// editedWay is the way that an object goes after an edit until it is read again.
func editedWay(f *webhook.Finding) text.Text {
	from, to := text.Value(f.Pair.From), text.Value(f.Pair.To)
	switch {
	case f.Edit != nil && f.Edit.Stored:
		return text.Sprintf("%s → %s → %s", from, to, from)
	case othersOf(f):
		return text.Sprintf("%s → %s", to, from)
	}
	return text.Sprintf("%s → %s → %s", to, from, to)
}

// does says what becomes of an object with each round trip.
func does(f *webhook.Finding) string {
	if f.Grade == webhook.Minor {
		return "changes the object"
	}
	return "makes the object longer"
}
