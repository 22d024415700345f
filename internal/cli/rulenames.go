package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// listsRules is the hint where a rule is wrong or missing.
const listsRules = "'crdlift explain' lists the rules."

func ruleIDs() []string { return rules.All().IDs() }

// matching returns the rules that match an id or a glob. An earlier id is recorded in the configuration.
func matching(config *lint.Config, glob string) ([]string, error) {
	if !strings.ContainsAny(glob, "*?[") {
		rule := rules.ByID(glob)
		if rule == nil {
			return nil, unknownRule(glob)
		}
		if rule.ID != glob {
			config.Renamed = append(config.Renamed, glob)
		}
		return []string{rule.ID}, nil
	}
	var ids []string
	for _, id := range ruleIDs() {
		if ok, err := path.Match(glob, id); err != nil {
			return nil, usageError{fmt.Sprintf("%q is not a valid glob: it has an unbalanced bracket", glob), ""}
		} else if ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, usageError{fmt.Sprintf("no rule matches %q", glob), listsRules}
	}
	return ids, nil
}

// unknownRule returns the error for an unknown rule, with the one that may be meant.
func unknownRule(id string) error {
	hint := listsRules
	if near := text.Nearest(id, ruleIDs()); len(near) > 0 {
		hint = fmt.Sprintf("Did you mean '%s'?", near[0])
	} else if begins := beginning(id); begins != "" {
		hint = "Rules that begin like that: " + begins + "."
	}
	return usageError{fmt.Sprintf("there is no rule %q", id), hint}
}

// beginning lists the rules whose ids begin with a word.
func beginning(word string) string {
	return strings.Join(slices.DeleteFunc(ruleIDs(), func(id string) bool { return !strings.HasPrefix(id, word+"-") }), ", ")
}
