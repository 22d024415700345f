package run

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// ListsRules is the hint where a rule is wrong or missing.
const ListsRules = "run 'crdlift explain' to list the rules"

func RuleIDs() []string { return rules.All().IDs() }

// matching returns the rules that match an id or a glob. An earlier id is recorded in the configuration.
func matching(config *lint.Config, glob string) ([]string, error) {
	if !strings.ContainsAny(glob, "*?[") {
		rule := rules.ByID(glob)
		if rule == nil {
			return nil, UnknownRule(glob)
		}
		if rule.ID != glob {
			config.Renamed = append(config.Renamed, glob)
		}
		return []string{rule.ID}, nil
	}
	var ids []string
	for _, id := range RuleIDs() {
		if ok, err := path.Match(glob, id); err != nil {
			return nil, UsageError(fmt.Sprintf("%q is not a valid glob: it has an unbalanced bracket", glob), ListsRules)
		} else if ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, UsageError(fmt.Sprintf("no rule matches %q", glob), ListsRules)
	}
	return ids, nil
}

// UnknownRule returns the error for an unknown rule, with the one that may be meant.
func UnknownRule(id string) error {
	hint := ListsRules
	if near := text.Nearest(id, RuleIDs()); len(near) > 0 {
		hint = fmt.Sprintf("did you mean '%s'?", near[0])
	} else if begins := beginning(id); begins != "" {
		hint = "rules that begin like that: " + begins
	}
	return UsageError(fmt.Sprintf("there is no rule %q", id), hint)
}

// beginning lists the rules whose ids begin with a word.
func beginning(word string) string {
	return strings.Join(slices.DeleteFunc(RuleIDs(), func(id string) bool { return !strings.HasPrefix(id, word+"-") }), ", ")
}
