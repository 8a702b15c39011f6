"""httpx with httpx-sse, as the README of httpx-sse shows."""
import httpx
from httpx_sse import connect_sse

from chunks import read, reply, request
from drive import drive


def plain(task):
    return reply(httpx.post(**request(task)).raise_for_status().json())


def stream(task):
    with httpx.Client() as client:
        with connect_sse(client, "POST", **request(task, stream=True)) as source:
            source.response.raise_for_status()
            return read(event.data for event in source.iter_sse())


drive({"plain": plain, "stream": stream})
