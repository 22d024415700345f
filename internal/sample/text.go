package sample

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/internal/text"
)

// formats are texts of the formats that servers check; %d is a number from 0 to 9.
var formats = map[string]string{
	"bsonobjectid": "507f1f77bcf86cd79943901%d", "uri": "https://example.com/%d", "email": "a%d@example.com",
	"hostname": "host%d.example.com", "ipv4": "10.0.0.%d", "ipv6": "fe80::%d", "cidr": "10.%d.0.0/16", "mac": "01:02:03:04:05:0%d",
	"uuid": "00000000-0000-4000-8000-00000000000%d", "uuid3": "00000000-0000-3000-8000-00000000000%d",
	"uuid4": "00000000-0000-4000-8000-00000000000%d", "uuid5": "00000000-0000-5000-8000-00000000000%d",
	"isbn": "0321751043", "isbn10": "0321751043", "isbn13": "978-0321751041", "creditcard": "4111111111111111",
	"ssn": "111-22-333%d", "hexcolor": "#fffff%d", "rgbcolor": "rgb(1,2,%d)", "byte": "YWJ%dYQ==", "password": "secret%d",
	"date": "2020-01-1%d", "duration": "1%ds", "datetime": "2020-01-01T00:00:0%dZ",
}

// natural are texts as people write them; the first that a pattern takes is used. Of durations, quantities and numbers they are
// the canonical ones, as a Go type writes them: another spelling would come back as this one.
var natural = []string{
	"%[1]s-%[2]d", "%[2]d", "%[3]ds", "%[2]dMi", "%[3]d%%", "v%[2]d", "%[3]dm0s", "10.0.0.%[3]d", "10.0.%[3]d.0/24", "%[1]s-%[2]d.example.com",
	"https://example.com/%[1]s/%[2]d", "example.com/%[1]s-%[2]d", "2020-01-01T00:00:%02[3]dZ", "%[3]d:%[3]d", "example.com/%[1]s:%[2]d",
	"sha256:%064[2]x", "%064[2]x", "v1.%[2]d.0", "1.%[2]d.0", "/%[1]s/%[2]d", "arn:aws:iam::123456789012:role/%[1]s-%[2]d", "a%[2]d@example.com",
	"00000000-0000-4000-8000-%012[2]d", "us-east-%[3]d", "%[4]s_%[2]d", "registry.example.com/%[1]s@sha256:%064[2]x",
	"registry.example.com/%[1]s/image:v%[2]d", "s3://%[1]s-%[2]d", "%[1]s:%[2]d", "2001:db8::%[3]d", "00:00:5e:00:53:%[3]d",
}

// naturally are the nth of them, of a field of a name.
func naturally(name string, n int) []string {
	all := make([]string, len(natural))
	for i, form := range natural {
		all[i] = fmt.Sprintf(form, name, n, n%49+10, strings.ToUpper(name))
	}
	return all
}

// timed are the names of fields that hold durations, as far as names say: controller-gen writes no format for them.
var timed = text.Pattern(`(?i)(duration|interval|timeout|period|ttl)$`)

// scheduled are the names of fields that hold what cron reads.
var scheduled = text.Pattern(`(?i)(schedule|cron)$`)

// text is the nth text that the schemas accept, as far as one is found quickly. It has the field's name in it where it may.
func (s *shape) text(at Path, n int) string {
	least, most := length(s.MinLength, 0), length(s.MaxLength, -1)
	name := wordOf(at)
	if format := formats[strings.ReplaceAll(s.Format, "-", "")]; format != "" && len(s.patterns) == 0 {
		if strings.Contains(format, "%d") {
			return fmt.Sprintf(format, n%10)
		}
		return format
	}
	if len(s.patterns) > 0 {
		if text, ok := s.matching(name, n); ok {
			return text
		}
	}
	if len(s.patterns) == 0 && s.accepts()("10 * * * *") {
		switch {
		case timed().MatchString(name):
			return fmt.Sprintf("%ds", 10+n%49)
		case scheduled().MatchString(name):
			return fmt.Sprintf("%d * * * *", n%60)
		}
	}
	text := fmt.Sprintf("%s-%d", name, n)
	if most >= 0 && len(text) > most {
		if text = fmt.Sprint(n); len(text) > most {
			text = text[len(text)-most:]
		}
	}
	return text + strings.Repeat("a", max(0, least-len(text)))
}

// wordOf is the name of the nearest field, as a word of small letters.
func wordOf(at Path) string {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i].Kind == Property {
			word := strings.Map(func(r rune) rune {
				if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
					return r
				}
				return -1
			}, strings.ToLower(at[i].Name))
			if word = strings.TrimLeft(word, "0123456789"); word != "" {
				return word
			}
		}
	}
	return "value"
}

// compiled are patterns by their texts: they are compiled once.
var compiled = memory.Memory[string, *regexp.Regexp]{Limit: 1 << 12}

func compile(pattern string) *regexp.Regexp {
	return compiled.Of(pattern, func() *regexp.Regexp {
		made, _ := regexp.Compile(pattern) // nil for one that is none
		return made
	})
}

func (s *shape) matching(name string, n int) (string, bool) {
	matches := s.accepts()
	for _, text := range naturally(name, n) {
		if matches(text) {
			return text, true
		}
	}
	var spelled []string
	for _, pattern := range s.patterns {
		for _, text := range spellings(pattern, int64(length(s.MinLength, 0))) {
			for _, text := range []string{text, text + strings.Repeat("a", max(0, length(s.MinLength, 0)-len(text)))} {
				if matches(text) {
					spelled = append(spelled, text)
				}
			}
		}
	}
	if len(spelled) == 0 {
		return "", false
	}
	return spelled[n%len(spelled)], true
}

type spellingKey struct {
	pattern string
	least   int64
}

var spelt = memory.Memory[spellingKey, []string]{Limit: 1 << 12}

// spellings are compare.Spellings, made once.
func spellings(pattern string, least int64) []string {
	return spelt.Of(spellingKey{pattern, least}, func() []string { return compare.Spellings(pattern, &least) })
}
