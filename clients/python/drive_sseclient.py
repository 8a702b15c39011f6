"""requests with sseclient-py, as the README of sseclient-py shows."""
import requests
import sseclient

from chunks import read, reply, request
from drive import drive


def plain(task):
    response = requests.post(**request(task))
    response.raise_for_status()
    return reply(response.json())


def stream(task):
    response = requests.post(**request(task, stream=True), stream=True)
    response.raise_for_status()
    return read(event.data for event in sseclient.SSEClient(response).events())


drive({"plain": plain, "stream": stream})
