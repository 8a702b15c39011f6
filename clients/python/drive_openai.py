"""openai for Python, with its default settings: 2 retries, a timeout of 10 minutes."""
from openai import OpenAI

from drive import drive


def connect(task):
    return OpenAI(base_url=task["baseUrl"], api_key=task["apiKey"])


def create(task, **options):
    messages = [{"role": "user", "content": task["prompt"]}]
    return connect(task).chat.completions.create(model=task["model"], messages=messages, **options)


def plain(task):
    choice = create(task).choices[0]
    return {"text": choice.message.content, "finish": choice.finish_reason}


def stream(task):
    choices = [choice for chunk in create(task, stream=True) for choice in chunk.choices or []]
    # Only a stream in which several choices end has several of them.
    ends = [choice for choice in choices if choice.finish_reason]
    if len({choice.index for choice in ends}) > 1:
        choices = [choice for choice in choices if choice.index == choices[0].index]
    text = "".join((choice.delta and choice.delta.content) or "" for choice in choices)
    return {"text": text, "finish": ends[0].finish_reason if ends else None}


def models(task):
    return {"text": "\n".join(model.id for model in connect(task).models.list())}


drive({"plain": plain, "stream": stream, "models": models})
