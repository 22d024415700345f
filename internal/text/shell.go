package text

import "strings"

var plainWord = Pattern(`^[\w./:=@%+,-]+$`)

// ShellWord is a word as a shell takes it: as it is, or quoted.
func ShellWord(word string) string {
	if plainWord().MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
