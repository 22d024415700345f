package webhooks

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// objectFaults are what the API server accepts.
var objectFaults = []Fault{
	{Name: "field-lost", Object: func(c *Conversion) {
		if c.To == "v2" {
			delete(specOf(c), "image")
		}
	}},
	{Name: "field-lost-on-the-way-back", Object: func(c *Conversion) {
		if c.From == "v2" {
			delete(specOf(c), "image")
		}
	}},
	{Name: "own-field-lost", Object: func(c *Conversion) { // of v1: nothing of v2 can have it
		if c.To == "v2" {
			delete(of(metadata(c), "annotations"), legacyAnnotation)
		}
	}},
	{Name: "own-field-of-v2-lost", Object: func(c *Conversion) {
		if c.From == "v2" {
			delete(of(metadata(c), "annotations"), noteAnnotation)
		}
	}},
	{Name: "swapped", Object: func(c *Conversion) {
		if spec := specOf(c); c.To == "v2" {
			image, command := spec["image"], spec["command"]
			put(spec, "image", command)
			put(spec, "command", image)
		}
	}},
	{Name: "value-changed", Object: func(c *Conversion) {
		if spec := specOf(c); c.From == "v2" && spec["size"] == "large" {
			spec["size"] = "medium"
		}
	}},
	{Name: "false-lost", Object: func(c *Conversion) { // as omitempty does with a default that is true
		if spec := specOf(c); spec["started"] == false {
			delete(spec, "started")
		}
	}},
	{Name: "zero-lost", Object: func(c *Conversion) {
		if spec := specOf(c); spec["replicas"] == int64(0) {
			delete(spec, "replicas")
		}
	}},
	{Name: "large-number-rounded", Object: func(c *Conversion) {
		if n, ok := specOf(c)["serial"].(int64); ok {
			specOf(c)["serial"] = int64(float64(n))
		}
	}},
	{Name: "fraction-cut", Object: func(c *Conversion) {
		if n, ok := specOf(c)["ratio"].(float64); ok {
			specOf(c)["ratio"] = int64(n)
		}
	}},
	{Name: "number-as-text", Object: func(c *Conversion) {
		if n, ok := specOf(c)["port"].(int64); ok {
			specOf(c)["port"] = fmt.Sprint("port-", n)
		}
	}},
	{Name: "list-cut", Object: func(c *Conversion) {
		if args, ok := specOf(c)["args"].([]any); ok && len(args) > 1 {
			specOf(c)["args"] = args[:1]
		}
	}},
	{Name: "list-reversed", Object: func(c *Conversion) {
		if args, ok := specOf(c)["args"].([]any); ok && c.To == "v2" {
			slices.Reverse(args)
		}
	}},
	{Name: "items-mixed-up", Object: func(c *Conversion) {
		parts, _ := specOf(c)["parts"].([]any)
		for _, part := range parts {
			if part, ok := part.(map[string]any); ok && c.To == "v2" {
				delete(part, "weight")
			}
		}
	}},
	{Name: "key-lost", Object: func(c *Conversion) {
		for key := range of(specOf(c), "env") {
			if strings.Contains(key, "/") {
				delete(of(specOf(c), "env"), key)
			}
		}
	}},
	{Name: "text-escaped", Object: func(c *Conversion) {
		if image, ok := specOf(c)["image"].(string); ok && c.To == "v2" {
			specOf(c)["image"] = strings.ReplaceAll(image, "<", "&lt;")
		}
	}},
	{Name: "status-lost", Object: func(c *Conversion) { delete(c.Out, "status") }},
	{Name: "conditions-lost", Object: func(c *Conversion) { delete(statusOf(c), "conditions") }},
	{Name: "labels-lost", Object: func(c *Conversion) { delete(metadata(c), "labels") }},
	{Name: "annotations-lost", Object: func(c *Conversion) {
		for key := range of(metadata(c), "annotations") {
			if !strings.HasPrefix(key, "gadgets.example.com/") {
				delete(of(metadata(c), "annotations"), key)
			}
		}
	}},
	{Name: "undeclared", Object: func(c *Conversion) {
		if specOf(c)["size"] != nil && c.From == "v2" {
			specOf(c)["capacity"] = specOf(c)["size"]
		}
	}},
	{Name: "unknown-field-lost", Object: func(c *Conversion) {
		if settings, ok := specOf(c)["settings"].(map[string]any); ok {
			clear(settings)
		}
	}},
	{Name: "list-too-long", Object: func(c *Conversion) { // what v2 refuses, and takes back
		if args, ok := specOf(c)["args"].([]any); ok && c.To == "v2" && len(args) > 0 && len(args) < 6 {
			for len(args) < 6 {
				args = append(args, "")
			}
			specOf(c)["args"] = args
		} else if ok && c.From == "v2" {
			specOf(c)["args"] = slices.DeleteFunc(args, func(arg any) bool { return arg == "" })
		}
	}},
	{Name: "default-missing", Object: func(c *Conversion) {
		if c.To == "v2" && specOf(c)["replicas"] == int64(1) {
			delete(specOf(c), "replicas")
		}
	}},
	{Name: "duration-respelled", Object: func(c *Conversion) {
		if text, ok := specOf(c)["interval"].(string); ok && c.From == "v2" {
			if d, err := time.ParseDuration(text); err == nil {
				specOf(c)["interval"] = fmt.Sprint(d.Nanoseconds()) + "ns"
			}
		}
	}},
	{Name: "grows", Object: func(c *Conversion) {
		if spec := specOf(c); c.From == "v2" && spec["env"] == nil && c.Out["spec"] != nil {
			spec["env"] = map[string]any{}
		} else if env, ok := spec["env"].(map[string]any); c.From == "v2" && ok && len(env) == 0 {
			env["converted"] = "yes"
		}
	}},
	{Name: "direct-way-differs", Object: func(c *Conversion) {
		if c.From == "v3" && c.To == "v2" || c.From == "v2" && c.To == "v3" {
			delete(specOf(c), "paused")
		}
	}},
	{Name: "stale-copy-wins", Object: func(c *Conversion) {
		const stashed = "gadgets.example.com/image"
		annotations := member(metadata(c), "annotations")
		if image, ok := specOf(c)["image"].(string); ok && c.To == "v2" {
			annotations[stashed] = image
		} else if image, ok := annotations[stashed].(string); ok && c.From == "v2" {
			delete(annotations, stashed)
			specOf(c)["image"] = image
		}
	}},
	{Name: "scale-differs", Object: func(c *Conversion) {
		if n, ok := specOf(c)["replicas"].(int64); ok && c.To == "v2" {
			specOf(c)["replicas"] = min(n+1, 100)
		} else if ok && c.From == "v2" && n > 0 {
			specOf(c)["replicas"] = n - 1
		}
	}},
}

// put sets a member, or deletes it for nil.
func put(object map[string]any, name string, value any) {
	if value == nil {
		delete(object, name)
		return
	}
	object[name] = value
}
