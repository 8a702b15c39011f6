/** A client that keeps the contract: one call with fetch, server-sent events read by their grammar, no retries. */

/**
 * @typedef {object} Task
 * @property {string} baseUrl
 * @property {string} apiKey
 * @property {string} model
 * @property {string} mode `plain`, `stream` or `models`
 * @property {string} prompt
 * @property {number} timeoutMs
 */

/**
 * The text of the reply, or one model id per line. Throws if the call failed.
 * @param {Task} task
 * @returns {Promise<string>}
 */
export async function call({ baseUrl, apiKey, model, mode, prompt, timeoutMs }) {
  const request = { headers: { authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(timeoutMs) };
  if (mode === 'models') {
    /** @type {{ data: { id: string }[] }} */
    const list = await readJson(await fetch(`${baseUrl}/models`, request));
    return list.data.map(({ id }) => id).join('\n');
  }
  const body = { model, messages: [{ role: 'user', content: prompt }], ...(mode === 'stream' && { stream: true }) };
  const response = await fetch(`${baseUrl}/chat/completions`, {
    ...request,
    method: 'POST',
    headers: { ...request.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (mode === 'stream') return readStream(response);
  /** @type {{ choices: [{ message: { content: string } }] }} */
  const completion = await readJson(response);
  return completion.choices[0].message.content;
}

/**
 * @template Value
 * @param {Response} response
 * @returns {Promise<Value>}
 */
async function readJson(response) {
  if (!response.ok) throw new Error(`status ${response.status}`);
  const value = /** @type {Value & { error?: { message: string } }} */ (await response.json());
  if (value.error) throw new Error(value.error.message);
  return value;
}

/** @param {Response} response */
async function readStream(response) {
  if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
  const reply = { text: '', isFinished: false, isDone: false };
  const events = eventReader((name, data) => takeEvent(name, data, reply));
  const decoder = new TextDecoder();
  for await (const bytes of response.body) {
    events(decoder.decode(bytes, { stream: true }));
    if (reply.isDone) break;
  }
  if (!reply.isFinished) throw new Error('the stream ended before finish_reason');
  return reply.text;
}

/**
 * @param {string} name
 * @param {string} data
 * @param {{ text: string, isFinished: boolean, isDone: boolean }} reply
 */
function takeEvent(name, data, reply) {
  if (name === 'error') throw new Error(data);
  if (name !== '' && name !== 'message') return;
  if (data === '[DONE]') {
    reply.isDone = true;
    return;
  }
  const chunk = JSON.parse(data);
  if (chunk.error) throw new Error(chunk.error.message);
  for (const { index = 0, delta, finish_reason: reason } of chunk.choices ?? []) {
    if (index !== 0) continue;
    reply.text += delta?.content ?? '';
    if (reason) reply.isFinished = true;
  }
}

/**
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 * @param {(name: string, data: string) => void} onEvent
 */
function eventReader(onEvent) {
  let rest = '';
  let name = '';
  /** @type {string[]} */
  let data = [];
  let isStart = true;
  const takeLine = (/** @type {string} */ line) => {
    if (line === '') {
      if (data.length > 0) onEvent(name, data.join('\n'));
      [name, data] = ['', []];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'event') name = value;
  };
  return (/** @type {string} */ text) => {
    rest += isStart ? text.replace(/^\uFEFF/, '') : text;
    isStart = false;
    for (;;) {
      // A CR at the very end may be the first half of a CRLF.
      const end = /\r\n|\n|\r(?!$)/.exec(rest);
      if (!end) break;
      const line = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      takeLine(line);
    }
  };
}
