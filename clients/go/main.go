// openai for Go, with its default settings: 2 retries, no timeout.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

type task struct{ Scenario, BaseUrl, ApiKey, Model, Mode, Prompt string }

func request(t task) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:    t.Model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(t.Prompt)},
	}
}

func plain(client openai.Client, t task) (text string, finish string, err error) {
	completion, err := client.Chat.Completions.New(context.Background(), request(t))
	if err != nil {
		return "", "", err
	}
	return completion.Choices[0].Message.Content, completion.Choices[0].FinishReason, nil
}

func stream(client openai.Client, t task) (text string, finish string, err error) {
	events := client.Chat.Completions.NewStreaming(context.Background(), request(t))
	defer events.Close()
	texts, ends, first := map[int64]string{}, map[int64]string{}, int64(-1)
	for events.Next() {
		for _, choice := range events.Current().Choices {
			if first < 0 {
				first = choice.Index
			}
			text += choice.Delta.Content
			texts[choice.Index] += choice.Delta.Content
			if choice.FinishReason != "" {
				finish = choice.FinishReason
				ends[choice.Index] = finish
			}
		}
	}
	// Only a stream in which several choices end has several of them.
	if len(ends) > 1 {
		text, finish = texts[first], ends[first]
	}
	return text, finish, events.Err()
}

func models(client openai.Client, _ task) (text string, finish string, err error) {
	var ids []string
	pages := client.Models.ListAutoPaging(context.Background())
	for pages.Next() {
		ids = append(ids, pages.Current().ID)
	}
	return strings.Join(ids, "\n"), "", pages.Err()
}

// What the SDK gives to a caller that uses it as its README shows, a panic included.
func answer(t task) (result map[string]any) {
	defer func() {
		if caught := recover(); caught != nil {
			result = map[string]any{"scenario": t.Scenario, "ok": false, "error": fmt.Sprint("panic: ", caught)}
		}
	}()
	calls := map[string]func(openai.Client, task) (string, string, error){"plain": plain, "stream": stream, "models": models}
	client := openai.NewClient(option.WithBaseURL(t.BaseUrl), option.WithAPIKey(t.ApiKey))
	text, finish, err := calls[t.Mode](client, t)
	if err != nil {
		return map[string]any{"scenario": t.Scenario, "ok": false, "error": err.Error()}
	}
	return map[string]any{"scenario": t.Scenario, "ok": true, "text": text, "finish": finish}
}

func main() {
	var printing sync.Mutex
	var running sync.WaitGroup
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var t task
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			panic(err)
		}
		running.Go(func() {
			line, _ := json.Marshal(answer(t))
			printing.Lock()
			defer printing.Unlock()
			fmt.Println(string(line))
		})
	}
	running.Wait()
}
