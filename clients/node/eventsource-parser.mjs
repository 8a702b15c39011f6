// fetch with eventsource-parser, as the README of eventsource-parser shows.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { drive, firstChoice } from './drive.mjs';

async function ask({ baseUrl, apiKey, model, prompt }, options) {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: prompt }], ...options }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response;
}

drive({
  async plain(task) {
    const { choices } = await (await ask(task)).json();
    return { text: choices[0].message.content, finish: choices[0].finish_reason };
  },
  async stream(task) {
    const { body } = await ask(task, { stream: true });
    const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    const pieces = [];
    for await (const { data } of events) {
      if (data === '[DONE]') break;
      const { choices, error } = JSON.parse(data);
      if (error) throw new Error(error.message);
      for (const { index, delta, finish_reason: finish } of choices ?? []) {
        pieces.push({ index, text: delta?.content ?? '', finish });
      }
    }
    if (!pieces.some(({ finish }) => finish)) throw new Error('The stream ended early.');
    return firstChoice(pieces);
  },
});
