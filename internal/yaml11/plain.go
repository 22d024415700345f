package yaml11

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// keyword is the value of the plain words that are not strings.
func keyword(s string) (scalar, bool) {
	switch s {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return scalar{kind: Bool, bool: true}, true
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return scalar{kind: Bool}, true
	case "", "~", "null", "Null", "NULL":
		return scalar{kind: Null}, true
	case ".nan", ".NaN", ".NAN":
		return scalar{kind: Float, float: math.NaN()}, true
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return scalar{kind: Float, float: math.Inf(+1)}, true
	case "-.inf", "-.Inf", "-.INF":
		return scalar{kind: Float, float: math.Inf(-1)}, true
	}
	return scalar{}, false
}

// resolvePlain is yaml.v2's resolve for text without quotes and tag.
func resolvePlain(s string) scalar {
	str := scalar{kind: String, text: s}
	if k, ok := keyword(s); ok {
		return k
	}
	switch c := s[0]; {
	case c == '.':
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return scalar{kind: Float, float: f}
		}
		return str
	case c == '+' || c == '-' || '0' <= c && c <= '9':
		return resolveNumber(s)
	}
	return str
}

// resolveNumber reads what begins with a digit or a sign. Timestamps need no case of their own: no number looks like
// one, and to JSON they are strings.
func resolveNumber(s string) scalar {
	plain := strings.ReplaceAll(s, "_", "")
	if plausibleInt(plain) {
		if i, ok := parseInt(plain, 0); ok {
			return i
		}
	}
	// ParseFloat takes hexadecimal floats and words, too. Beyond the range of a float64 the text stays a string.
	if strings.Trim(plain, "0123456789+-.eE") == "" {
		if f, err := strconv.ParseFloat(plain, 64); err == nil {
			return scalar{kind: Float, float: f}
		}
	}
	// What ParseInt with base 0 does not take already: a second sign after the prefix.
	if rest, ok := strings.CutPrefix(plain, "0b"); ok {
		if i, ok := parseInt(rest, 2); ok {
			return i
		}
	} else if rest, ok := strings.CutPrefix(plain, "-0b"); ok {
		if i, err := strconv.ParseInt("-"+rest, 2, 64); err == nil {
			return scalar{kind: Int, int: i}
		}
	}
	return scalar{kind: String, text: s}
}

// plausibleInt spares quantities, versions and dates the error that ParseInt would make.
func plausibleInt(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F', c == 'x', c == 'X', c == 'o', c == 'O':
		case (c == '+' || c == '-') && i == 0:
		default:
			return false
		}
	}
	return true
}

func parseInt(s string, base int) (scalar, bool) {
	if i, err := strconv.ParseInt(s, base, 64); err == nil {
		return scalar{kind: Int, int: i}, true
	}
	if u, err := strconv.ParseUint(s, base, 64); err == nil {
		return scalar{kind: Int, int: int64(u), big: true}, true
	}
	return scalar{}, false
}

// isTimestamp takes what yaml.v2 takes for a !!timestamp.
func isTimestamp(s string) bool {
	for _, layout := range [...]string{
		"2006-1-2T15:4:5.999999999Z07:00",
		"2006-1-2t15:4:5.999999999Z07:00",
		"2006-1-2 15:4:5.999999999",
		"2006-1-2",
	} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}
