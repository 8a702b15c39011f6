// LangChain.js with its default settings: 6 retries, no timeout of its own.
import { ChatOpenAI } from '@langchain/openai';
import { drive } from './drive.mjs';

const connect = ({ baseUrl, apiKey, model }) => new ChatOpenAI({ model, apiKey, configuration: { baseURL: baseUrl } });

drive({
  async plain(task) {
    const message = await connect(task).invoke(task.prompt);
    return { text: message.text, finish: message.response_metadata.finish_reason };
  },
  async stream(task) {
    const result = { text: '' };
    for await (const chunk of await connect(task).stream(task.prompt)) {
      result.text += chunk.text;
      result.finish = chunk.response_metadata.finish_reason ?? result.finish;
    }
    return result;
  },
});
