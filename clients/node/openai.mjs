// openai for JavaScript, with its default settings: 2 retries, a timeout of 10 minutes.
import OpenAI from 'openai';
import { drive, firstChoice } from './drive.mjs';

const connect = ({ baseUrl, apiKey }) => new OpenAI({ baseURL: baseUrl, apiKey });
const request = ({ model, prompt }) => ({ model, messages: [{ role: 'user', content: prompt }] });

drive({
  async plain(task) {
    const completion = await connect(task).chat.completions.create(request(task));
    const [choice] = completion.choices;
    return { text: choice.message.content, finish: choice.finish_reason };
  },
  async stream(task) {
    const pieces = [];
    for await (const { choices } of await connect(task).chat.completions.create({ ...request(task), stream: true })) {
      for (const { index, delta, finish_reason: finish } of choices ?? []) {
        pieces.push({ index, text: delta?.content ?? '', finish });
      }
    }
    return firstChoice(pieces);
  },
  async models(task) {
    const ids = [];
    for await (const { id } of connect(task).models.list()) ids.push(id);
    return { text: ids.join('\n') };
  },
});
