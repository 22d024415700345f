package text

// Apart are two values that differ. In the brief texts, those that begin alike are shown from where they part.
func Apart(before, now string) (Text, Text) {
	a, b := Value(before), Value(now)
	if a.brief != b.brief {
		return a, b
	}
	x, y := []rune(before), []rune(now)
	alike := 0
	for alike < min(len(x), len(y)) && x[alike] == y[alike] {
		alike++
	}
	from := max(alike-8, 0) // a little of the common text shows the place
	return Text{before, ellipsis + brief(string(x[from:]), maxValue)}, Text{now, ellipsis + brief(string(y[from:]), maxValue)}
}
