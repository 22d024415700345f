package webhooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A Mistake is a small fault in a webhook of parcels that is right otherwise, and the rule that tells it.
type Mistake struct {
	Fault
	Rule string
}

// mistaken is a mistake with objects that are converted to v2, which loses data unless something else is said.
func mistaken(name string, change func(*Conversion)) Mistake {
	return Mistake{Fault{Name: name, Object: there(change)}, "webhook-data-lost"}
}

func mistakenStatus(name string, change func(*Conversion)) Mistake {
	return Mistake{Fault{Name: name, Object: there(change)}, "webhook-status-lost"}
}

func mistakenMetadata(name string, change func(*Conversion)) Mistake {
	return Mistake{Fault{Name: name, Object: there(change)}, "webhook-metadata-lost"}
}

// text is a mistake that makes something else of a text of the destination.
func text(field string, to func(string) string) func(*Conversion) {
	return func(c *Conversion) {
		destination := of(specOf(c), "destination")
		if value, ok := destination[field].(string); ok {
			destination[field] = to(value)
		}
	}
}

// each is a mistake that makes something else of the objects in a list.
func each(object func(*Conversion) map[string]any, list string, to func(i int, item map[string]any)) func(*Conversion) {
	return func(c *Conversion) {
		all, _ := object(c)[list].([]any)
		for i, item := range all {
			if item, ok := item.(map[string]any); ok {
				to(i, item)
			}
		}
	}
}

// entries is a mistake that drops entries of a map.
func entries(object func(*Conversion) map[string]any, name string, drop func(key string, value any) bool) func(*Conversion) {
	return func(c *Conversion) { maps.DeleteFunc(of(object(c), name), drop) }
}

// timed is a mistake that writes a time in another way.
func timed(field string, to func(time.Time) string) func(*Conversion) {
	return makes(field, func(text string) any {
		if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return to(t)
		}
		return text
	})
}

var fractions = regexp.MustCompile(`\.[0-9]+`)

func cutTo(n int) func([]any) any { return func(all []any) any { return all[:min(len(all), n)] } }

func compareTexts(a, b any, field string) int {
	one, _ := a.(map[string]any)
	other, _ := b.(map[string]any)
	return cmp.Compare(fmt.Sprint(one[field]), fmt.Sprint(other[field]))
}

func isEmptyText(_ string, value any) bool { return value == "" }

// Mistakes are all of them.
var Mistakes = append([]Mistake{
	mistaken("blanks-trimmed", text("recipient", strings.TrimSpace)),
	mistaken("lower-cased", text("address", strings.ToLower)),
	mistaken("cut-at-40", text("recipient", func(s string) string { return strings.ToValidUTF8(s[:min(len(s), 40)], "") })),
	mistaken("cut-below-the-limit", text("address", func(s string) string { return s[:min(len(s), 119)] })),
	mistaken("first-line-only", text("recipient", func(s string) string { line, _, _ := strings.Cut(s, "\n"); return line })),
	mistaken("path-cleaned", text("recipient", func(s string) string {
		if strings.HasPrefix(s, "/") {
			return path.Clean(s)
		}
		return s
	})),
	mistaken("number-normalized", text("recipient", func(s string) string {
		if n, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
			return strconv.FormatFloat(n, 'f', -1, 64)
		}
		return s
	})),
	mistaken("yes-for-true", text("recipient", func(s string) string {
		if s == "yes" {
			return "true"
		}
		return s
	})),
	mistaken("null-for-none", text("recipient", func(s string) string {
		if s == "null" {
			return ""
		}
		return s
	})),
	mistaken("latest-for-none", text("recipient", func(s string) string {
		if s == "latest" {
			return ""
		}
		return s
	})),
	mistaken("escaped", text("address", html.EscapeString)),
	mistaken("ascii-only", text("address", func(s string) string {
		return strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII {
				return '?'
			}
			return r
		}, s)
	})),
	mistaken("list-cut-at-10", makes("stops", cutTo(10))),
	mistaken("list-cut-at-64", makes("legs", cutTo(64))),
	mistaken("list-without-empty", makes("stops", func(all []any) any {
		return slices.DeleteFunc(all, func(item any) bool { return item == "" })
	})),
	mistaken("list-without-duplicates", makes("stops", func(all []any) any {
		seen := map[any]bool{}
		return slices.DeleteFunc(all, func(item any) bool {
			before := seen[item]
			seen[item] = true
			return before
		})
	})),
	mistaken("list-sorted", makes("legs", func(all []any) any {
		slices.SortStableFunc(all, func(a, b any) int { return compareTexts(a, b, "via") })
		return all
	})),
	mistaken("list-as-map", makes("legs", func(all []any) any { // by the mode, so that the last one of each is left
		byMode := map[string]any{}
		for _, leg := range all {
			byMode[fmt.Sprint(of(map[string]any{"leg": leg}, "leg")["mode"])] = leg
		}
		left := []any{}
		for _, mode := range slices.Sorted(maps.Keys(byMode)) {
			left = append(left, byMode[mode])
		}
		return left
	})),
	mistaken("lists-joined", makes("matrix", func(all []any) any {
		joined := []any{}
		for _, row := range all {
			row, _ := row.([]any)
			joined = append(joined, row...)
		}
		if len(all) == 0 {
			return all
		}
		return []any{joined}
	})),
	mistaken("only-of-the-first", each(specOf, "contents", func(i int, item map[string]any) {
		if i > 0 {
			delete(item, "note")
		}
	})),
	mistaken("enum-in-one-place", each(specOf, "contents", func(_ int, item map[string]any) {
		if item["kind"] == "Tube" {
			item["kind"] = "Box"
		}
	})),
	mistaken("enum-in-another-place", each(specOf, "legs", func(_ int, item map[string]any) {
		if item["mode"] == "Air" {
			delete(item, "mode")
		}
	})),
	mistaken("enum-without-a-word", makes("urgency", func(word string) any {
		if word == "Soon" {
			return "Usual"
		}
		return word
	})),
	mistaken("number-of-item-as-8-bits", each(specOf, "contents", func(_ int, item map[string]any) {
		if n, ok := item["count"].(int64); ok {
			item["count"] = min(n, math.MaxUint8)
		}
	})),
	mistaken("map-without-empty", entries(specOf, "selector", isEmptyText)),
	mistaken("map-cut-at-10", func(c *Conversion) {
		for i, key := range slices.Sorted(maps.Keys(of(specOf(c), "selector"))) {
			if i >= 10 {
				delete(of(specOf(c), "selector"), key)
			}
		}
	}),
	mistaken("keys-in-small-letters", func(c *Conversion) {
		selector := of(specOf(c), "selector")
		for key, value := range maps.Clone(selector) {
			delete(selector, key)
			selector[strings.ToLower(key)] = value
		}
	}),
	mistaken("float32", makes("weight", func(n float64) any { return float64(float32(n)) })),
	mistaken("whole-numbers-of-float32", makes("weight", func(n int64) any { return int64(float32(n)) })),
	mistaken("two-digits", makes("weight", func(n float64) any { return math.Round(n*100) / 100 })),
	mistaken("per-cent", makes("share", func(n float64) any { return math.Round(n*100) / 100 })),
	mistaken("int32", makes("sequence", func(n int64) any { return int64(int32(n)) })),
	mistaken("float64", makes("sequence", func(n int64) any { return int64(float64(n)) })),
	mistaken("not-below-zero", makes("sequence", func(n int64) any { return max(n, 0) })),
	mistaken("below-the-maximum", makes("copies", func(n int64) any { return min(n, 999) })),
	mistaken("default-for-zero", func(c *Conversion) {
		if spec := specOf(c); spec["copies"] == int64(0) {
			delete(spec, "copies")
		}
	}),
	mistaken("default-for-false", func(c *Conversion) {
		if spec := specOf(c); spec["insured"] == false {
			delete(spec, "insured")
		}
	}),
	mistaken("absent-is-true", func(c *Conversion) {
		if spec := specOf(c); len(spec) > 0 && spec["fragile"] == nil {
			spec["fragile"] = true
		}
	}),
	mistaken("absent-is-80", func(c *Conversion) {
		if spec := specOf(c); len(spec) > 0 && spec["limit"] == nil {
			spec["limit"] = int64(80)
		}
	}),
	mistaken("number-as-text", makes("limit", func(n int64) any { return strconv.FormatInt(n, 10) })),
	mistaken("text-as-number", makes("limit", func(text string) any {
		if n, err := strconv.ParseInt(strings.TrimSuffix(text, "%"), 10, 64); err == nil {
			return n
		}
		return text
	})),
	mistaken("zone-left-out", timed("until", func(t time.Time) string { return t.Format("2006-01-02T15:04:05Z") })),
	mistaken("day-only", timed("until", func(t time.Time) string { return t.UTC().Truncate(24 * time.Hour).Format(time.RFC3339) })),
	mistaken("zone-left-out-in-items", each(specOf, "legs", func(_ int, item map[string]any) {
		if text, ok := item["depart"].(string); ok && len(text) >= 19 {
			item["depart"] = text[:19] + "Z"
		}
	})),
	mistaken("whole-seconds", makes("wait", func(text string) any {
		if d, err := time.ParseDuration(text); err == nil {
			return d.Truncate(time.Second).String()
		}
		return text
	})),
	mistaken("hours-of-a-day", makes("storage", func(text string) any {
		if d, err := time.ParseDuration(text); err == nil {
			return strconv.FormatInt((d%(24*time.Hour)).Milliseconds(), 10) + "ms"
		}
		return text
	})),
	mistaken("seconds-of-a-time", makes("until", func(text string) any { return fractions.ReplaceAllString(text, "") })),
	{Fault{Name: "lists-in-unknown-fields", Object: there(func(c *Conversion) {
		for _, value := range of(specOf(c), "extra") {
			if object, ok := value.(map[string]any); ok {
				delete(object, "list")
			}
		}
	})}, "webhook-preserved"},
	mistakenStatus("condition-unknown", func(c *Conversion) {
		if all, ok := statusOf(c)["conditions"].([]any); ok {
			statusOf(c)["conditions"] = slices.DeleteFunc(all, func(item any) bool {
				return of(map[string]any{"item": item}, "item")["status"] == "Unknown"
			})
		}
	}),
	mistakenStatus("last-condition", func(c *Conversion) {
		if all, ok := statusOf(c)["conditions"].([]any); ok && len(all) > 1 {
			statusOf(c)["conditions"] = all[len(all)-1:]
		}
	}),
	mistakenStatus("condition-time", each(statusOf, "conditions", func(_ int, item map[string]any) { delete(item, "lastTransitionTime") })),
	mistakenStatus("counters-of-zero", entries(statusOf, "counters", func(_ string, value any) bool { return value == int64(0) })),
	mistakenStatus("phase-without-a-word", func(c *Conversion) {
		if status := statusOf(c); status["phase"] == "Lost" {
			status["phase"] = "Waiting"
		}
	}),
	mistakenStatus("generation-of-32-bits", func(c *Conversion) {
		if n, ok := statusOf(c)["observedGeneration"].(int64); ok {
			statusOf(c)["observedGeneration"] = int64(int32(n))
		}
	}),
	{Fault{Name: "generation-as-text", Object: there(func(c *Conversion) {
		if n, ok := statusOf(c)["observedGeneration"].(int64); ok {
			statusOf(c)["observedGeneration"] = strconv.FormatInt(n, 10)
		}
	})}, "webhook-invalid"},
	mistakenMetadata("label-without-value", entries(metadata, "labels", isEmptyText)),
	mistakenMetadata("annotation-without-value", entries(metadata, "annotations", isEmptyText)),
	mistakenMetadata("annotations-trimmed", func(c *Conversion) {
		annotations := of(metadata(c), "annotations")
		for key, value := range annotations {
			if text, ok := value.(string); ok && !strings.HasPrefix(key, "parcels.") {
				annotations[key] = strings.TrimSpace(text)
			}
		}
	}),
	mistakenMetadata("labels-in-small-letters", func(c *Conversion) {
		labels := of(metadata(c), "labels")
		for key, value := range labels {
			labels[key] = strings.ToLower(fmt.Sprint(value))
		}
	}),
	mistakenMetadata("annotations-of-others", entries(metadata, "annotations", func(key string, _ any) bool { return strings.HasPrefix(key, "example.com/") })),
	{Fault{Name: "labels-lost-on-the-way-back", Object: back(func(c *Conversion) { delete(metadata(c), "labels") })}, "webhook-metadata-lost"},
	{Fault{Name: "undeclared", Object: there(func(c *Conversion) {
		if value, found := of(specOf(c), "destination")["address"]; found {
			specOf(c)["address"] = value
		}
	})}, "webhook-undeclared"},
	{Fault{Name: "lower-cased-on-the-way-back", Object: back(func(c *Conversion) {
		if text, ok := specOf(c)["recipient"].(string); ok {
			specOf(c)["recipient"] = strings.ToLower(text)
		}
	})}, "webhook-data-lost"},
	{Fault{Name: "own-field-of-v2-trimmed", Object: back(func(c *Conversion) {
		annotations := of(metadata(c), "annotations")
		var text string
		if carried, ok := annotations[holdAnnotation].(string); ok && json.Unmarshal([]byte(carried), &text) == nil {
			trimmed, _ := json.Marshal(strings.TrimSpace(text))
			annotations[holdAnnotation] = string(trimmed)
		}
	})}, "webhook-write-lost"},
	{Fault{Name: "stale-copy", Object: func(c *Conversion) { // what a client edits at v2 is lost
		const kept = "parcels.example.com/stops"
		annotations := member(metadata(c), "annotations")
		var stops []any
		if c.To == "v2" {
			if stops, found := specOf(c)["stops"]; found {
				text, _ := utiljson.Marshal(stops)
				annotations[kept] = string(text)
			}
		} else if text, ok := annotations[kept].(string); ok {
			if delete(annotations, kept); utiljson.Unmarshal([]byte(text), &stops) == nil {
				specOf(c)["stops"] = stops
			}
		}
	}}, "webhook-edit-lost"},
	{Fault{Name: "every-50th-answer", Object: func(c *Conversion) {
		if c.requests.Load()%50 == 0 {
			delete(specOf(c), "stops")
		}
	}}, "webhook-not-stable"},
	{Fault{Name: "value-of-the-last-request", Object: there(func(c *Conversion) {
		if value, found := specOf(c)["sequence"]; found {
			c.last.Store(value)
		} else if last := c.last.Load(); last != nil && len(specOf(c)) > 0 {
			specOf(c)["sequence"] = last
		}
	})}, "webhook-not-stable"},
	{Fault{Name: "shared-object", Object: there(func(c *Conversion) { // which two requests write at once
		c.busy.Add(1)
		defer c.busy.Add(-1)
		c.last.Store(runtime.DeepCopyJSON(specOf(c)))
		time.Sleep(2 * time.Millisecond)
		if c.busy.Load() > 1 && c.Out["spec"] != nil {
			c.Out["spec"] = runtime.DeepCopyJSON(c.last.Load().(map[string]any))
		}
	})}, "webhook-concurrent"},
	{Fault{Name: "answers-in-another-order", List: func(_ *Request, converted []any) { slices.Reverse(converted) }}, "webhook-order"},
	{Fault{Name: "uid-of-the-object", Answer: func(q *Request, review map[string]any) {
		if object, ok := q.Objects[0].(map[string]any); ok {
			response(review)["uid"] = of(object, "metadata")["uid"]
		}
	}}, "webhook-contract"},
	{Fault{Name: "error-of-one-version", Object: back(func(c *Conversion) { c.Err = "v2 is not supported" })}, "webhook-pair-missing"},
	{Fault{Name: "error-of-a-long-text", Object: there(func(c *Conversion) {
		if text, ok := of(specOf(c), "destination")["address"].(string); ok && len(text) > 100 {
			c.Err = "the address is too long"
		}
	})}, "webhook-failed"},
	{Fault{Name: "error-of-a-long-request", HTTP: func(q *Request, w http.ResponseWriter) bool {
		text, err := json.Marshal(q.Objects)
		return err == nil && len(text) > 64<<10 && write(http.StatusRequestEntityTooLarge, "text/plain", "too large")(q, w)
	}}, "webhook-failed"},
	{Fault{Name: "error-of-a-large-number", Object: there(func(c *Conversion) {
		if n, ok := specOf(c)["copies"].(int64); ok && n > 100 {
			c.Err = "more copies than 100"
		}
	})}, "webhook-failed"},
	{Fault{Name: "crash-at-an-annotation", HTTP: crash(func(object map[string]any) bool {
		return of(of(object, "metadata"), "annotations")["example.com/note"] != nil
	})}, "webhook-failed"},
	{Fault{Name: "crash-without-address", HTTP: crash(func(object map[string]any) bool {
		spec, found := object["spec"].(map[string]any)
		return found && spec["address"] == nil
	})}, "webhook-failed"},
	{Fault{Name: "crash-at-an-empty-list", HTTP: crash(func(object map[string]any) bool {
		text, err := json.Marshal(of(object, "spec")["legs"])
		return err == nil && bytes.Equal(text, []byte("[]"))
	})}, "webhook-failed"},
}, keeping...)
