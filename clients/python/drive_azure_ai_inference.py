"""azure-ai-inference with its default settings: 3 retries."""
from azure.ai.inference import ChatCompletionsClient
from azure.ai.inference.models import UserMessage
from azure.core.credentials import AzureKeyCredential

from drive import drive


def create(task, **options):
    client = ChatCompletionsClient(endpoint=task["baseUrl"], credential=AzureKeyCredential(task["apiKey"]))
    return client.complete(model=task["model"], messages=[UserMessage(task["prompt"])], **options)


def plain(task):
    choice = create(task).choices[0]
    return {"text": choice.message.content, "finish": choice.finish_reason}


def stream(task):
    choices = [choice for chunk in create(task, stream=True) for choice in chunk.choices or []]
    ends = [choice.finish_reason for choice in choices if choice.finish_reason]
    text = "".join((choice.delta and choice.delta.content) or "" for choice in choices)
    return {"text": text, "finish": ends[0] if ends else None}


drive({"plain": plain, "stream": stream})
