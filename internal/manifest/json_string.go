package manifest

import (
	"unicode/utf16"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func (r *jsonReader) str() (*yaml.Node, error) {
	n := r.node(yaml.ScalarNode, yaml.DoubleQuotedStyle, yaml.NodeTagString)
	start := r.at
	r.at++
	var value []byte // nil while the text itself is the value
	text := r.at     // the text from here on is not in value yet
	for {
		if r.at >= len(r.src) {
			return nil, r.unexpected("the closing quote")
		}
		switch c := r.src[r.at]; {
		case c == '"':
			n.Value = string(append(value, r.src[text:r.at]...))
			r.at++
			r.note(n, start)
			return n, nil
		case c == '\\':
			value = append(value, r.src[text:r.at]...)
			var err error
			if value, err = r.escape(value); err != nil {
				return nil, err
			}
			text = r.at
		case c < ' ':
			return nil, r.fail(r.at, "the control character %q in a string; write it as an escape", c)
		case c < utf8.RuneSelf:
			r.at++
		default:
			char, size := utf8.DecodeRune(r.src[r.at:])
			if char == utf8.RuneError && size == 1 {
				value = utf8.AppendRune(append(value, r.src[text:r.at]...), char)
				text = r.at + 1
			}
			r.at += size
		}
	}
}

// escape appends the character that the escape at r.at denotes.
func (r *jsonReader) escape(value []byte) ([]byte, error) {
	r.at++
	c := r.peek()
	switch c {
	case '"', '\\', '/':
		value = append(value, c)
	case 'b':
		value = append(value, '\b')
	case 'f':
		value = append(value, '\f')
	case 'n':
		value = append(value, '\n')
	case 'r':
		value = append(value, '\r')
	case 't':
		value = append(value, '\t')
	case 'u':
		r.at++
		return r.unicode(value)
	default:
		return nil, r.unexpected("the rest of an escape")
	}
	r.at++
	return value, nil
}

// unicode appends the character of a \u escape whose digits begin at r.at, together with the other half of a
// surrogate pair. A surrogate without its half is U+FFFD.
func (r *jsonReader) unicode(value []byte) ([]byte, error) {
	char, good := hexDigits(r.src[r.at:])
	if r.at += good; good < 4 {
		return nil, r.unexpected("a hexadecimal digit")
	}
	if utf16.IsSurrogate(char) {
		pair := rune(utf8.RuneError)
		if rest := r.src[r.at:]; len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' {
			if low, good := hexDigits(rest[2:]); good == 4 {
				pair = utf16.DecodeRune(char, low)
			}
		}
		if pair != utf8.RuneError {
			r.at += 6
		}
		char = pair
	}
	return utf8.AppendRune(value, char), nil
}

// hexDigits reads up to four hexadecimal digits and tells how many there are.
func hexDigits(b []byte) (char rune, good int) {
	for good < 4 && good < len(b) {
		c := b[good]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return char, good
		}
		char = char<<4 | rune(c)
		good++
	}
	return char, good
}
