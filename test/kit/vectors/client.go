// A right client, for the reader of vectors/README.md.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
	"time"
)

func call(base, mode string) (string, error) {
	client := http.Client{Timeout: 2 * time.Second}
	request, _ := http.NewRequest("GET", base+"/models", nil)
	if mode != "models" {
		body := fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":%t}`, mode == "stream")
		request, _ = http.NewRequest("POST", base+"/chat/completions", strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Authorization", "Bearer sk-service-example")
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	reply, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 {
		return "", errors.Join(err, errors.New(response.Status))
	}
	if mode == "stream" {
		return textOf(string(reply))
	}
	r, err := read(reply)
	if err != nil || mode == "models" {
		ids := []string{}
		for _, model := range r.Data {
			ids = append(ids, model.ID)
		}
		sort.Strings(ids)
		return strings.Join(ids, "\n"), err
	}
	return r.Choices[0].Message.Content, nil
}

type part struct{ Content string }
type reply struct {
	Error   any
	Data    []struct{ ID string }
	Choices []struct {
		Index          int
		Message, Delta part
		Finish         string `json:"finish_reason"`
	}
}

func read(text []byte) (r reply, err error) {
	if err = json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &r); err == nil && r.Error != nil && r.Error != false && r.Error != "" {
		err = fmt.Errorf("%v", r.Error)
	}
	return
}

func textOf(stream string) (text string, err error) {
	stream = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(stream, "\ufeff"))
	finished := false
	for _, event := range strings.Split(stream, "\n\n") {
		name, data := "", []string{}
		for _, line := range strings.Split(event, "\n") {
			field, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			if field == "event" {
				name = value
			} else if field == "data" {
				data = append(data, value)
			}
		}
		all := strings.Join(data, "\n")
		if all == "[DONE]" {
			break
		} else if name == "error" {
			return "", errors.New(all)
		} else if all == "" || (name != "" && name != "message") {
			continue
		}
		chunk, err := read([]byte(all))
		if err != nil {
			return "", err
		}
		for _, choice := range chunk.Choices {
			if choice.Index == 0 {
				text += choice.Delta.Content
				finished = finished || choice.Finish != ""
			}
		}
	}
	if !finished {
		return "", errors.New("the stream ended early")
	}
	return text, nil
}
