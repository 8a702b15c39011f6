"""LangChain for Python, with its default settings: the 2 retries and the timeout of openai."""
from langchain_openai import ChatOpenAI

from drive import drive


def connect(task):
    return ChatOpenAI(base_url=task["baseUrl"], api_key=task["apiKey"], model=task["model"])


def plain(task):
    message = connect(task).invoke(task["prompt"])
    return {"text": message.text, "finish": message.response_metadata.get("finish_reason")}


def stream(task):
    result = {"text": ""}
    for chunk in connect(task).stream(task["prompt"]):
        result["text"] += chunk.text
        result["finish"] = chunk.response_metadata.get("finish_reason") or result.get("finish")
    return result


drive({"plain": plain, "stream": stream})
