package kubectl

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
)

// A page is a part of a list.
type page struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Continue           string `json:"continue"`           // where the next one begins; "" for the last
		RemainingItemCount int    `json:"remainingItemCount"` // how many items follow, where the server says so
	} `json:"metadata"`
	Items []json.RawMessage `json:"items"`
}

// A dump is a List in JSON with an object a line, as it is written into a file.
type dump struct {
	file    *os.File
	size    int64 // in bytes
	objects int
}

// write writes a text.
func (d *dump) write(text []byte) error {
	n, err := d.file.Write(text)
	d.size += int64(n)
	return err
}

// add writes objects. Those of built-in kinds have no apiVersion and kind of their own in lists of servers; the list's say which.
func (d *dump) add(p *page) error {
	head, err := json.Marshal(map[string]string{"apiVersion": p.APIVersion, "kind": strings.TrimSuffix(p.Kind, "List")})
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for i, item := range p.Items {
		if d.objects+i > 0 {
			text.WriteByte(',')
		}
		text.WriteByte('\n')
		var has struct {
			Kind string `json:"kind"`
		}
		if err := json.Unmarshal(item, &has); err != nil || item[0] != '{' {
			return &Failure{Line: "the response is not a list of objects"}
		}
		if has.Kind == "" {
			item = append(append(head[:len(head)-1:len(head)-1], ','), item[1:]...)
		}
		if err := json.Compact(&text, item); err != nil {
			return err
		}
	}
	d.objects += len(p.Items)
	return d.write(text.Bytes())
}

// back takes out what was written since a state of before.
func (d *dump) back(before dump) error {
	*d = before
	if err := d.file.Truncate(d.size); err != nil {
		return err
	}
	_, err := d.file.Seek(d.size, 0)
	return err
}
