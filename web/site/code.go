package main

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// renderCode renders a block of code with the classes of assets/site.css.
func renderCode(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	out, err := highlighted(string(n.Lines().Value(source)), string(n.(*ast.FencedCodeBlock).Language(source)))
	if err != nil {
		return ast.WalkStop, err
	}
	_, err = w.WriteString(string(out))
	return ast.WalkContinue, err
}

// highlighted is a block of code in a language, "" for text. The keyboard can scroll it.
func highlighted(code, language string, options ...chromahtml.Option) (template.HTML, error) {
	lexer := lexers.Get(language)
	if language == "" || lexer == nil {
		return template.HTML(block{}.Start(true, "") + html.EscapeString(code) + block{}.End(true)), nil
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	around := block{wraps: language == "sh"}
	options = append([]chromahtml.Option{chromahtml.WithClasses(true), chromahtml.WithPreWrapper(around)}, options...)
	err = chromahtml.New(options...).Format(&out, styles.Fallback, tokens)
	return template.HTML(out.String()), err // chroma escapes what it is given
}

// A block is what stands around code. Commands wrap, so that the comments behind them can be read; in output, columns matter.
type block struct{ wraps bool }

// Start implements chromahtml.PreWrapper.
func (b block) Start(bool, string) string {
	if b.wraps {
		return "<pre tabindex=\"0\" class=\"wraps\"><code class=\"chroma\">"
	}
	return "<pre tabindex=\"0\"><code class=\"chroma\">"
}

// End implements chromahtml.PreWrapper.
func (block) End(bool) string { return "</code></pre>\n" }

// lineNumber begins each line of the excerpts on the pages of rules; the line that they are about has a mark.
var lineNumber = regexp.MustCompile(`(?m)^([> ]) *([0-9]+)  `)

// excerpt renders such an excerpt: the numbers are not part of the YAML.
func excerpt(code string) (template.HTML, error) {
	numbers := lineNumber.FindAllStringSubmatch(code, -1)
	if len(numbers) == 0 || len(numbers) != strings.Count(code, "\n") {
		return "", fmt.Errorf("an excerpt has a line without a number:\n%s", code)
	}
	first, _ := strconv.Atoi(numbers[0][2]) // of digits
	marked := first + slices.IndexFunc(numbers, func(n []string) bool { return n[1] == ">" })
	return highlighted(lineNumber.ReplaceAllString(code, ""), "yaml", chromahtml.WithLineNumbers(true), chromahtml.BaseLineNumber(first),
		chromahtml.HighlightLines([][2]int{{marked, marked}}))
}
