package e2e

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// normal is a value without what differs from server to server or from time to time.
func (q *asker) normal(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return q.normalObject(value)
	case []any:
		all := make([]any, len(value))
		for i := range value {
			all[i] = q.normal(value[i])
		}
		return all
	case string:
		return q.plain(value)
	}
	return value
}

func (q *asker) normalObject(o map[string]any) map[string]any {
	normal := map[string]any{}
	for key, value := range o {
		normal[key] = q.normal(value)
	}
	if metadata, is := o["metadata"].(map[string]any); is {
		made := normal["metadata"].(map[string]any)
		_, isList := o["items"]
		_, isTable := o["rows"]
		if rv, is := metadata["resourceVersion"].(string); is {
			made["resourceVersion"] = q.revision(rv, isList || isTable || o["metadata"].(map[string]any)["uid"] == nil)
		}
		if metadata["continue"] != nil && metadata["continue"] != "" {
			made["continue"] = "some"
		}
	}
	if fields, is := normal["managedFields"].([]any); is {
		// Servers have them in the order of their times, which are whole seconds.
		slices.SortStableFunc(fields, func(a, b any) int { return strings.Compare(text(a), text(b)) })
	}
	if cells, is := normal["cells"].([]any); is {
		for i, cell := range cells {
			if age, is := cell.(string); is && ages.MatchString(age) {
				cells[i] = "age"
			}
		}
	}
	if causes, is := normal["causes"].([]any); is {
		slices.SortStableFunc(causes, func(a, b any) int { return strings.Compare(text(a), text(b)) })
		normal["causes"] = slices.CompactFunc(causes, func(a, b any) bool { return text(a) == text(b) }) // servers say some twice
	}
	if all, is := normal["resources"].([]any); is { // the server has them in the order of its CRDs' coming
		slices.SortStableFunc(all, func(a, b any) int { return strings.Compare(text(a), text(b)) })
	}
	if details, is := normal["details"].(map[string]any); is && normal["kind"] == "Status" {
		if causes, _ := details["causes"].([]any); len(causes) > 1 { // their order may differ, and so may that of the message
			words := strings.FieldsFunc(fmt.Sprint(normal["message"]), func(r rune) bool { return strings.ContainsRune(" ,[]", r) })
			slices.Sort(words)
			normal["message"] = strings.Join(words, " ")
		}
	}
	return normal
}

// revision says which step a resourceVersion was first seen in. One that no object had is after the last before it; that of a list
// or a bookmark stands for all up to it.
func (q *asker) revision(text string, upTo bool) string {
	number, err := strconv.ParseUint(text, 10, 64)
	if err != nil || number == 0 {
		return text
	}
	at, found := slices.BinarySearchFunc(q.revisions, number, func(r revision, n uint64) int { return cmp.Compare(r.number, n) })
	switch {
	case found:
		return q.revisions[at].token
	case at == 0:
		return "before all"
	case upTo:
		return q.revisions[at-1].token
	}
	return "after " + q.revisions[at-1].token
}

var (
	unmade    = regexp.MustCompile(`\b[m-z]gen-[a-z0-9]{5}\b`) // of an object that was not created
	ages      = regexp.MustCompile(`^(\d+[smhdy])+$|^<invalid>$|^<unknown>$`)
	times     = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	uuids     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	protobufs = regexp.MustCompile(`, application/vnd\.kubernetes\.protobuf(;stream=watch)?`)
	numbers   = regexp.MustCompile(`(ResourceVersion in (?:precondition|object meta): |resource version: (?:\d+ \()?|current: |` +
		`(?:precondition|record) \(|resourceVersion\\*":\\*")(\d+)`)
	// fixtures' servers keep objects below a prefix of their own, others below /registry; of a dry run the message has none
	storage = regexp.MustCompile(`Key: /([0-9a-f-]{36}|registry)/`)
	// which of several errors it tells, and in which order, is a matter of luck with the real server
	untyped = regexp.MustCompile(`(?s)^(failed to .*?: )?(?:errors:\n +)?\.[a-z][^ ]*: .*`)
)

// plain is a text without what servers make.
func (q *asker) plain(text string) string {
	for _, token := range q.next {
		text = strings.ReplaceAll(text, token, "continue token")
	}
	text = unmade.ReplaceAllStringFunc(text, func(name string) string {
		if q.named[name] != "" {
			return name
		}
		return name[:len(name)-5] + "generated"
	})
	for value, token := range q.named {
		if !uuids.MatchString(value) && strings.Contains(text, value) {
			text = strings.ReplaceAll(text, value, token)
		}
	}
	text = protobufs.ReplaceAllString(text, "") // one of the known differences
	text = untyped.ReplaceAllString(storage.ReplaceAllString(text, "Key: /"), "${1}wrong fields")
	text = uuids.ReplaceAllStringFunc(text, func(uid string) string {
		switch {
		case strings.HasPrefix(uid, "11111111-"): // a script's own
			return uid
		case q.named[uid] == "":
			return "uid that was not answered"
		}
		return q.named[uid]
	})
	text = times.ReplaceAllStringFunc(text, func(at string) string {
		if strings.HasPrefix(at, "2020-") { // a script's own
			return at
		}
		return "time"
	})
	return numbers.ReplaceAllStringFunc(text, func(found string) string {
		parts := numbers.FindStringSubmatch(found)
		return parts[1] + q.revision(parts[2], false)
	})
}
