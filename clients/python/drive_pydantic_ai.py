"""Pydantic AI, with its default settings: the 2 retries and the timeout of openai."""
import asyncio

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from drive import drive


def connect(task):
    provider = OpenAIProvider(base_url=task["baseUrl"], api_key=task["apiKey"])
    return Agent(OpenAIChatModel(task["model"], provider=provider))


async def collect(task):
    async with connect(task).run_stream(task["prompt"]) as result:
        return "".join([piece async for piece in result.stream_text(delta=True)])


def plain(task):
    return {"text": asyncio.run(connect(task).run(task["prompt"])).output}


def stream(task):
    return {"text": asyncio.run(collect(task))}


drive({"plain": plain, "stream": stream})
