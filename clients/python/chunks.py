"""What any client makes of the events of a stream: the text of the first choice."""
import json


def request(task, **options):
    messages = [{"role": "user", "content": task["prompt"]}]
    return {
        "url": f"{task['baseUrl']}/chat/completions",
        "headers": {"Authorization": f"Bearer {task['apiKey']}"},
        "json": {"model": task["model"], "messages": messages, **options},
    }


def reply(completion):
    choice = completion["choices"][0]
    return {"text": choice["message"]["content"], "finish": choice.get("finish_reason")}


def read(data_of_events):
    text, finish = "", None
    for data in data_of_events:
        if data == "[DONE]":
            break
        chunk = json.loads(data)
        if chunk.get("error"):
            raise RuntimeError(chunk["error"])
        for choice in chunk.get("choices") or []:
            text += choice["delta"].get("content") or ""
            finish = choice.get("finish_reason") or finish
    if finish is None:
        raise RuntimeError("the stream ended early")
    return {"text": text, "finish": finish}
