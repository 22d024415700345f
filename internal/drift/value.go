package drift

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/marker"
)

// A reading turns the value of a marker into a form in which it can be compared with that of a manifest; ok is false for
// what is not sure to mean one thing.
type reading func(p marker.Parsed) (value string, ok bool)

// scalar reads a word, a number or a string in quotes.
func scalar(p marker.Parsed) (string, bool) { return word(p.Value) }

func word(raw string) (string, bool) {
	raw = strings.TrimSpace(raw)
	if plain, err := strconv.Unquote(raw); err == nil && !strings.HasPrefix(raw, "'") {
		return numeral(plain), true
	}
	if raw == "" || strings.Trim(raw, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" {
		return "", false
	}
	return numeral(raw), true
}

// bare reads a string, also without quotes.
func bare(p marker.Parsed) (string, bool) {
	value := strings.TrimSpace(p.Value)
	if plain, err := strconv.Unquote(value); err == nil {
		return numeral(plain), true
	}
	return numeral(value), !strings.ContainsAny(value, "\"'`;,{}")
}

// flag reads a marker that says true, with or without a value.
func flag(p marker.Parsed) (string, bool) {
	switch p.Value {
	case "", "true":
		return "true", true
	case "false":
		return "", true
	}
	return "", false
}

// list reads words that semicolons divide.
func list(p marker.Parsed) (string, bool) { return wordsOf(p.Value) }

func wordsOf(raw string) (string, bool) {
	var all []string
	for _, one := range strings.Split(raw, ";") {
		value, ok := word(one)
		if !ok {
			return "", false
		}
		all = append(all, value)
	}
	return joined(all), true
}

// argument reads one argument of a marker.
func argument(name string) reading {
	return func(p marker.Parsed) (string, bool) {
		for _, a := range p.Arguments {
			if a[0] == name {
				plain, err := strconv.Unquote(a[1])
				return plain, err == nil && !strings.HasPrefix(a[1], "'")
			}
		}
		return "", false
	}
}

// joined is a list in the form in which it can be compared: in any order.
func joined(all []string) string {
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "\n")
}

// numeral is a number in one form of several, and any other text as it is.
func numeral(text string) string {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return text
}

// written is the value of a manifest in the form of a reading: of mappings in a list, the members of a name. A value that
// has no such form is not ok.
func written(n *yaml.Node, member string) (value string, ok bool) {
	if n = crd.Deref(n); n == nil {
		return "", true
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return numeral(n.Value), n.Tag != yaml.NodeTagNull
	case yaml.SequenceNode:
		var all []string
		for _, item := range crd.Items(n) {
			item = crd.Deref(item)
			if member != "" {
				item = crd.Deref(crd.Get(item, member))
			}
			if item == nil || item.Kind != yaml.ScalarNode || item.Tag == yaml.NodeTagNull {
				return "", false
			}
			text := item.Value
			if member == "" {
				text = numeral(text)
			}
			all = append(all, text)
		}
		return joined(all), true
	}
	return "", false
}
