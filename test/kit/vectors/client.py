"""A right client, for the reader of vectors/README.md."""
import http.client, json, re


class Reply(http.client.HTTPResponse):
    def _read_status(self):
        """http.client takes 103 Early Hints for the answer."""
        version, status, reason = super()._read_status()
        while 101 < status < 200:
            http.client.parse_headers(self.fp)
            version, status, reason = super()._read_status()
        return version, status, reason


def call(base, mode):
    host, path = re.match(r"http://([^/]+)(.*)", base).groups()
    connection = http.client.HTTPConnection(host, timeout=2)
    connection.response_class = Reply
    headers = {"Authorization": "Bearer sk-service-example", "Content-Type": "application/json"}
    if mode == "models":
        connection.request("GET", path + "/models", None, headers)
    else:
        body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "stream": mode == "stream"}
        connection.request("POST", path + "/chat/completions", json.dumps(body), headers)
    reply = connection.getresponse()
    content = reply.read().decode("utf-8-sig")
    if reply.status != 200:
        raise ValueError(reply.status)
    if mode == "stream":
        return text_of(re.sub(r"\r\n|\r", "\n", content))
    value = json.loads(content)
    if value.get("error"):
        raise ValueError(value["error"])
    return [model["id"] for model in value["data"]] if mode == "models" else value["choices"][0]["message"]["content"]


def text_of(stream):
    text, finished = "", False
    for event in stream.split("\n\n"):
        fields = [line.partition(":")[::2] for line in event.split("\n")]
        data = "\n".join(value[value.startswith(" "):] for name, value in fields if name == "data")
        name = [value.strip() for field, value in fields if field == "event"][-1:]
        if data == "[DONE]":
            break
        if name == ["error"]:
            raise ValueError(data)
        if data == "" or name not in ([], ["message"]):
            continue
        chunk = json.loads(data)
        if chunk.get("error"):
            raise ValueError(chunk["error"])
        for choice in chunk.get("choices") or []:
            if choice.get("index", 0) == 0:
                text += (choice.get("delta") or {}).get("content") or ""
                finished = finished or bool(choice.get("finish_reason"))
    if not finished:
        raise ValueError("the stream ended early")
    return text
