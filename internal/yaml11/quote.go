package yaml11

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// PlainSafe reports whether s may be written without quotes on one line, as a key or a value, in block and in flow style,
// such that YAML 1.1 and YAML 1.2 both read the string s. It is false for some strings that would be safe. Keys
// longer than 1,024 bytes are not its concern: no YAML parser takes them without `?`, quoted or not.
func PlainSafe(s string) bool {
	return plainText(s) && !ambiguous(s)
}

// plainText reports whether a parser would take the text of s for a plain scalar, all of it.
func plainText(s string) bool {
	prev := rune(' ') // so that a space or a comment sign is rejected at the beginning
	for i, r := range s {
		switch {
		case r == utf8.RuneError:
			return false // perhaps not valid UTF-8
		case i == 0 && r < utf8.RuneSelf && !isAlnum(r) && !strings.ContainsRune("_./$(+", r):
			return false
		case strings.ContainsRune(",[]{}?", r):
			return false // indicators in flow style
		case r == '#' && prev == ' ':
			return false
		case prev == ':' && !isAlnum(r) && r != '/' && r != '_' && r != '-':
			return false
		case r >= 0x7f && (!unicode.IsPrint(r) || r == '\ufeff'), r < ' ':
			return false
		}
		prev = r
	}
	// Texts of four dots or more are rejected needlessly, but do not occur.
	return prev != ' ' && prev != ':' && !strings.HasPrefix(s, "...")
}

func isAlnum(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// ambiguous reports whether some YAML parser might read more than a string into plain s: the words of YAML 1.1
// and whatever resembles a number, a date, a time or a base 60 number. Quantities such as 10Gi and 500m differ from
// those by a letter that no number has.
func ambiguous(s string) bool {
	if _, ok := keyword(s); ok {
		return true
	}
	c := s[0]
	if c == '.' && len(s) > 1 {
		c = s[1]
	}
	if c != '+' && c != '-' && (c < '0' || c > '9') {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !('0' <= c && c <= '9') && strings.IndexByte("+-._: abcdefABCDEFoOxXtTzZ", c) < 0 {
			return false
		}
	}
	return true
}

// Quote returns s in double quotes, as JSON and YAML 1.1 and 1.2 read it. Invalid UTF-8 becomes U+FFFD.
func Quote(s string) string {
	return string(appendQuoted(make([]byte, 0, len(s)+2), s))
}

const hex = "0123456789abcdef"

func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if ' ' <= c && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError && verbatim(r) || r == utf8.RuneError && size > 1 {
				i += size
				continue
			}
		}
		b = append(b, s[start:i]...)
		b = appendEscaped(b, r)
		i += size
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// verbatim reports whether YAML takes r, which is not ASCII, inside quotes as it is: it is printable and no line break.
func verbatim(r rune) bool {
	return r >= 0xa0 && r != 0x2028 && r != 0x2029 && r != 0xfeff && r != 0xfffe && r != 0xffff
}

func appendEscaped(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	}
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
