package crd

import (
	"iter"

	"github.com/crdlift/crdlift/internal/memory"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
)

// A CELRule is one entry of x-kubernetes-validations.
type CELRule struct {
	Schema *Schema
	Index  int
	At     Place // the entry
}

// Text is an expression or message of the rule.
func (r CELRule) Text(keyword string) string { return StringAt(r.At.Node, keyword) }

// CELRules lists the rules of schemas.
func CELRules(schemas iter.Seq[*Schema]) []CELRule {
	const keyword = "x-kubernetes-validations"
	var all []CELRule
	for s := range schemas {
		for i, n := range Items(s.Get(keyword)) {
			all = append(all, CELRule{s, i, Place{n, Item(Join(s.Path, keyword), i)}})
		}
	}
	return all
}

// parsedRules are those of this process: versions and CRDs share them.
var parsedRules = memory.Memory[string, ast.Expr]{Limit: 1 << 10}

// ParseRule is the expression of a validation rule without its macros expanded; nil for one that does not parse. It must
// not be changed.
func ParseRule(rule string) ast.Expr {
	return parsedRules.Of(rule, func() ast.Expr { return parseRule(rule) })
}

func parseRule(rule string) ast.Expr {
	p, err := parser.NewParser(parser.EnableOptionalSyntax(true))
	if err != nil {
		return nil
	}
	parsed, errs := p.Parse(common.NewTextSource(rule))
	if len(errs.GetErrors()) > 0 {
		return nil
	}
	return parsed.Expr()
}
