package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"

	"sigs.k8s.io/yaml"
)

// writeJSON writes a list, whose items each begin with a dash at the start of a line, as kubectl prints it in JSON.
func writeJSON(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	out.WriteString("{\n    \"apiVersion\": \"v1\",\n    \"items\": [")
	var item bytes.Buffer
	between := "\n        "
	end := func() error {
		if item.Len() == 0 {
			return nil
		}
		text, err := yaml.YAMLToJSON(item.Bytes())
		if err != nil {
			return err
		}
		item.Reset()
		var shown bytes.Buffer
		err = json.Indent(&shown, bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("[")), []byte("]")), "        ", "    ")
		out.WriteString(between)
		out.Write(shown.Bytes())
		between = ",\n        "
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() && err == nil {
		line := lines.Bytes()
		if line[0] != ' ' {
			err = end()
		}
		if line[0] == '-' || item.Len() > 0 {
			item.Write(line)
			item.WriteByte('\n')
		}
		if line[0] != ' ' && line[0] != '-' {
			item.Reset()
		}
	}
	out.WriteString("\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n")
	return errors.Join(err, lines.Err(), out.Flush(), f.Close())
}
