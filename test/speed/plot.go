package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// A series is a line of a plot.
type series struct {
	name   string
	points []point
}

type point struct{ x, y float64 }

const (
	plotWidth, plotHeight    = 720.0, 420.0
	left, right, top, bottom = 70.0, 34.0, 44.0, 54.0
	plotStyle                = `text{font:13px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:#24292f}.title{font-weight:600}`
	gridColour, borderColour = "#d0d7de", "#57606a"
)

// colours tell series apart, also in print and for most who see colours differently; shapes do so as well.
var colours = []string{"#0550ae", "#bc4c00", "#1a7f37"}

// An axis maps a range of powers of ten to pixels.
type axis struct {
	first, last int // exponents
	from, to    float64
}

func newAxis(from, to float64, values []float64) axis {
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		least, most = min(least, v), max(most, v)
	}
	return axis{int(math.Floor(math.Log10(least))), int(math.Ceil(math.Log10(most))), from, to}
}

func (a axis) at(v float64) float64 {
	span := max(1, a.last-a.first)
	return a.from + (math.Log10(v)-float64(a.first))/float64(span)*(a.to-a.from)
}

// plot draws series with positive values on logarithmic axes as an SVG. It has a background of its own, so that it can be
// read on dark pages, too. A dashed line shows what linear growth looks like.
func plot(title, xTitle, yTitle string, all []series) []byte {
	var xs, ys []float64
	for _, s := range all {
		for _, p := range s.points {
			xs, ys = append(xs, p.x), append(ys, p.y)
		}
	}
	x, y := newAxis(left, plotWidth-right, xs), newAxis(plotHeight-bottom, top, ys)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %[1]g %[2]g" role="img">`+"\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n", html.EscapeString(title), plotStyle)
	fmt.Fprintf(&b, `<rect width="%g" height="%g" rx="6" fill="#ffffff" stroke="%s"/>`+"\n", plotWidth, plotHeight, gridColour)
	text(&b, "title", left, 26, "start", title)
	text(&b, "", (left+plotWidth-right)/2, plotHeight-14, "middle", xTitle)
	fmt.Fprintf(&b, `<text transform="translate(18 %g) rotate(-90)" text-anchor="middle">%s</text>`+"\n", (top+plotHeight-bottom)/2, html.EscapeString(yTitle))
	for e := x.first; e <= x.last; e++ {
		at := x.at(math.Pow10(e))
		line(&b, at, y.from, at, y.to, gridColour, "")
		text(&b, "", at, y.from+20, "middle", power(e))
	}
	for e := y.first; e <= y.last; e++ {
		at := y.at(math.Pow10(e))
		line(&b, x.from, at, x.to, at, gridColour, "")
		text(&b, "", x.from-8, at+4, "end", power(e))
	}
	linear(&b, x, y, all)
	for i, s := range all {
		curve(&b, x, y, s, i)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// linear draws a line of slope 1 through the last point of the first series.
func linear(b *strings.Builder, x, y axis, all []series) {
	if len(all) == 0 || len(all[0].points) == 0 {
		return
	}
	end := all[0].points[len(all[0].points)-1]
	begin := point{math.Pow10(x.first), end.y * math.Pow10(x.first) / end.x}
	if lowest := math.Pow10(y.first); begin.y < lowest {
		begin = point{end.x * lowest / end.y, lowest}
	}
	line(b, x.at(begin.x), y.at(begin.y), x.at(end.x), y.at(end.y), borderColour, "5 5")
	legend(b, len(all), borderColour, "linear", true)
}

func curve(b *strings.Builder, x, y axis, s series, i int) {
	colour := colours[i%len(colours)]
	var path strings.Builder
	for n, p := range s.points {
		verb := "L"
		if n == 0 {
			verb = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", verb, x.at(p.x), y.at(p.y))
		mark(b, i, x.at(p.x), y.at(p.y), colour)
	}
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", path.String(), colour)
	legend(b, i, colour, s.name, false)
}

// legend names a line in the upper left corner of the drawing.
func legend(b *strings.Builder, row int, colour, name string, dashed bool) {
	y := top + 22 + 20*float64(row)
	pattern := ""
	if dashed {
		pattern = "5 5"
	} else {
		mark(b, row, left+32, y, colour)
	}
	line(b, left+16, y, left+48, y, colour, pattern)
	text(b, "", left+56, y+4, "start", name)
}

func mark(b *strings.Builder, i int, x, y float64, colour string) {
	if i%2 == 0 {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4.5" fill="%s"/>`+"\n", x, y, colour)
		return
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="8" height="8" fill="%s"/>`+"\n", x-4, y-4, colour)
}

func line(b *strings.Builder, x1, y1, x2, y2 float64, colour, dashes string) {
	if dashes != "" {
		dashes = fmt.Sprintf(` stroke-dasharray="%s"`, dashes)
	}
	fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"%s/>`+"\n", x1, y1, x2, y2, colour, dashes)
}

func text(b *strings.Builder, class string, x, y float64, anchor, s string) {
	if class != "" {
		class = fmt.Sprintf(` class="%s"`, class)
	}
	fmt.Fprintf(b, `<text%s x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", class, x, y, anchor, html.EscapeString(s))
}

// power writes a power of ten.
func power(exponent int) string {
	if exponent < 0 {
		return fmt.Sprintf("%.*f", -exponent, math.Pow10(exponent))
	}
	return thousands(int(math.Pow10(exponent)))
}
