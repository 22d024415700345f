package webhooks

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// there is a fault of the way from v1 to v2 alone, so that it has one finding, and back one of the way from v2 to v1.
func there(fault func(*Conversion)) func(*Conversion) { return onWay("v1", "v2", fault) }
func back(fault func(*Conversion)) func(*Conversion)  { return onWay("v2", "v1", fault) }

func onWay(from, to string, fault func(*Conversion)) func(*Conversion) {
	return func(c *Conversion) {
		if c.From == from && c.To == to {
			fault(c)
		}
	}
}

// loses is a fault that drops a field of the spec where it has a value.
func loses(field string, value any) func(*Conversion) {
	return func(c *Conversion) {
		if spec := specOf(c); spec[field] == value {
			delete(spec, field)
		}
	}
}

// makes is a fault that makes something else of a field of the spec.
func makes[T any](field string, to func(T) any) func(*Conversion) {
	return func(c *Conversion) {
		if value, ok := specOf(c)[field].(T); ok {
			specOf(c)[field] = to(value)
		}
	}
}

// between is a fault of all ways to v2 and from it.
func between(fault func(*Conversion)) func(*Conversion) {
	return func(c *Conversion) {
		if c.To == "v2" || c.From == "v2" {
			fault(c)
		}
	}
}

// stashes is a fault that keeps something of an object in an annotation at v2, and believes that on the way back.
func stashes(name string, take func(*Conversion) any, restore func(*Conversion, any)) func(*Conversion) {
	annotation := "gadgets.example.com/" + name
	return between(func(c *Conversion) {
		annotations := member(metadata(c), "annotations")
		if c.To == "v2" {
			if value := take(c); value != nil {
				annotations[annotation] = value
			}
		} else if value, found := annotations[annotation].(string); found {
			delete(annotations, annotation)
			restore(c, value)
		}
	})
}

// emptyValue reports whether omitempty leaves a value out.
func emptyValue(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	}
	return value == false || value == "" || value == nil
}

// deepen has a template that is nested deeply, which servers take: it is an object of its own.
func deepen(c *Conversion) {
	template := map[string]any{}
	for range 299 {
		template = map[string]any{"a": template}
	}
	spec := specOf(c)
	spec["template"] = map[string]any{"apiVersion": "v1", "kind": "Part", "a": template}
	c.Out["spec"] = spec
}

// objectFaults are what the API server accepts.
var objectFaults = []Fault{
	{Name: "field-lost", Object: there(func(c *Conversion) { delete(specOf(c), "image") })},
	{Name: "field-lost-on-the-way-back", Object: back(func(c *Conversion) { delete(specOf(c), "image") })},
	{Name: "too-deep", Object: deepen},
	{Name: "too-deep-if-large", Object: there(func(c *Conversion) {
		if specOf(c)["capacity"] == "large" {
			deepen(c)
		}
	})},
	{Name: "own-field-lost", Object: there(func(c *Conversion) { // of v1: nothing of v2 can have it
		delete(of(metadata(c), "annotations"), legacyAnnotation)
	})},
	{Name: "own-field-of-v2-lost", Object: back(func(c *Conversion) {
		delete(of(metadata(c), "annotations"), noteAnnotation)
	})},
	{Name: "swapped", Object: there(func(c *Conversion) {
		spec := specOf(c)
		image, command := spec["image"], spec["command"]
		put(spec, "image", command)
		put(spec, "command", image)
	})},
	{Name: "value-changed", Object: back(func(c *Conversion) {
		if spec := specOf(c); spec["size"] == "large" {
			spec["size"] = "medium"
		}
	})},
	{Name: "star-lost", Object: there(loses("image", "*"))},      // which some take for a field that is not there
	{Name: "false-lost", Object: there(loses("started", false))}, // as omitempty does with a default that is true
	{Name: "zero-lost", Object: there(loses("replicas", int64(0)))},
	{Name: "default-missing", Object: there(loses("started", true))},
	{Name: "large-number-rounded", Object: there(makes("serial", func(n int64) any { return int64(float64(n)) }))},
	{Name: "fraction-cut", Object: there(makes("ratio", func(n float64) any { return int64(n) }))},
	{Name: "number-as-text", Object: there(makes("port", func(n int64) any { return fmt.Sprint("port-", n) }))},
	{Name: "list-cut", Object: there(makes("args", func(args []any) any { return args[:min(len(args), 1)] }))},
	{Name: "list-reversed", Object: there(makes("args", func(args []any) any {
		slices.Reverse(args)
		return args
	}))},
	{Name: "field-of-items-lost", Object: there(func(c *Conversion) {
		parts, _ := specOf(c)["parts"].([]any)
		for _, part := range parts {
			if part, ok := part.(map[string]any); ok {
				delete(part, "weight")
			}
		}
	})},
	{Name: "key-lost", Object: there(func(c *Conversion) {
		maps.DeleteFunc(of(specOf(c), "env"), func(key string, _ any) bool { return strings.Contains(key, "/") })
	})},
	{Name: "text-escaped", Object: there(makes("image", func(image string) any { return strings.ReplaceAll(image, "<", "&lt;") }))},
	{Name: "status-lost", Object: there(func(c *Conversion) { delete(c.Out, "status") })},
	{Name: "conditions-lost", Object: there(func(c *Conversion) { delete(statusOf(c), "conditions") })},
	{Name: "labels-lost", Object: there(func(c *Conversion) { delete(metadata(c), "labels") })},
	{Name: "annotations-lost", Object: there(func(c *Conversion) {
		maps.DeleteFunc(of(metadata(c), "annotations"), func(key string, _ any) bool { return !strings.HasPrefix(key, "gadgets.example.com/") })
	})},
	{Name: "undeclared", Object: back(func(c *Conversion) {
		if specOf(c)["size"] != nil {
			specOf(c)["capacity"] = specOf(c)["size"]
		}
	})},
	{Name: "unknown-field-lost", Object: there(func(c *Conversion) { clear(of(specOf(c), "settings")) })},
	{Name: "list-too-long", Object: between(func(c *Conversion) { // what v2 rejects, and takes back
		const more = "-more-"
		args, ok := specOf(c)["args"].([]any)
		for ok && c.To == "v2" && len(args) > 0 && len(args) < 6 {
			args = append(args, more)
		}
		if ok {
			specOf(c)["args"] = slices.DeleteFunc(args, func(arg any) bool { return arg == more && c.From == "v2" })
		}
	})},
	{Name: "template-of-no-kind", Object: stashes("kind", func(c *Conversion) (kind any) { // which no write leaves as it is
		if template, ok := specOf(c)["template"].(map[string]any); ok {
			kind, template["kind"] = template["kind"], ""
		}
		return kind
	}, func(c *Conversion, kind any) {
		if template, ok := specOf(c)["template"].(map[string]any); ok {
			template["kind"] = kind
		}
	})},
	{Name: "duration-respelled", Object: back(func(c *Conversion) {
		if text, ok := specOf(c)["interval"].(string); ok {
			if d, err := time.ParseDuration(text); err == nil {
				specOf(c)["interval"] = fmt.Sprint(d.Nanoseconds()) + "ns"
			}
		}
	})},
	{Name: "grows", Object: back(func(c *Conversion) {
		spec := specOf(c)
		env, found := spec["env"].(map[string]any)
		switch {
		case c.Out["spec"] == nil:
		case !found:
			spec["env"] = map[string]any{}
		case len(env) == 0:
			env["converted"] = "yes"
		}
	})},
	{Name: "set-turned", Object: back(func(c *Conversion) { // each time anew, which says nothing of a set
		if tags, _ := specOf(c)["tags"].([]any); len(tags) > 1 {
			specOf(c)["tags"] = append(tags[1:], tags[0])
		}
	})},
	{Name: "absent-pointer-written", Object: back(func(c *Conversion) { // though v1 tells none from false
		if spec := specOf(c); spec["paused"] == nil && c.Out["spec"] != nil {
			spec["paused"] = false
		}
	})},
	{Name: "false-pointer-dropped", Object: back(loses("paused", false))},
	{Name: "absent-made-true", Object: there(func(c *Conversion) {
		if spec := specOf(c); spec["paused"] == nil && c.Out["spec"] != nil {
			spec["paused"] = true
		}
	})},
	{Name: "number-of-text", Object: there(makes("port", func(n int64) any { return fmt.Sprint(n) }))},
	{Name: "text-taken-for-number", Object: back(makes("command", func(text string) any {
		if text == "1.10" {
			return "1.1"
		}
		return text
	}))},
	{Name: "empty-entry-dropped", Object: there(func(c *Conversion) {
		maps.DeleteFunc(of(specOf(c), "env"), func(_ string, value any) bool { return value == "" })
	})},
	{Name: "omits-what-is-empty", Object: between(func(c *Conversion) { // both ways, as types without pointers do: no fault
		maps.DeleteFunc(specOf(c), func(name string, value any) bool {
			return slices.Contains([]string{"paused", "image", "env", "args"}, name) && emptyValue(value)
		})
	})},
	{Name: "number-in-status", Object: there(func(c *Conversion) {
		if phase, ok := statusOf(c)["phase"].(string); ok {
			statusOf(c)["phase"] = int64(len(phase))
		}
	})},
	{Name: "direct-way-differs", Object: func(c *Conversion) {
		if c.From == "v3" && c.To == "v2" {
			delete(specOf(c), "paused")
		}
	}},
	{Name: "stale-copy-wins", Object: stashes("image", func(c *Conversion) any {
		return specOf(c)["image"]
	}, func(c *Conversion, image any) { specOf(c)["image"] = image })},
	{Name: "stale-list-wins", Object: stashes("parts", func(c *Conversion) any {
		text, err := utiljson.Marshal(specOf(c)["parts"])
		if specOf(c)["parts"] == nil || err != nil {
			return nil
		}
		return string(text)
	}, func(c *Conversion, text any) {
		var parts []any
		if utiljson.Unmarshal([]byte(text.(string)), &parts) == nil {
			specOf(c)["parts"] = parts
		}
	})},
	{Name: "scale-differs", Object: between(func(c *Conversion) { // 0 becomes 1, and 1 becomes 0
		if n, ok := statusOf(c)["replicas"].(int64); ok {
			statusOf(c)["replicas"] = n ^ 1
		}
	})},
}

// put sets a member, or deletes it for nil.
func put(object map[string]any, name string, value any) {
	if value == nil {
		delete(object, name)
		return
	}
	object[name] = value
}
