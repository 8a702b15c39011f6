// AI SDK with its provider for compatible gateways and its default settings: 2 retries, no timeout.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import { drive } from './drive.mjs';

const request = ({ baseUrl, apiKey, model, prompt }) => ({
  model: createOpenAICompatible({ baseURL: baseUrl, name: 'gateway', apiKey }).chatModel(model),
  prompt,
});

drive({
  async plain(task) {
    const { text, finishReason } = await generateText(request(task));
    return { text, finish: finishReason };
  },
  async stream(task) {
    // textStream does not throw: streamText hands errors to onError alone.
    const errors = [];
    const result = streamText({ ...request(task), onError: ({ error }) => errors.push(error) });
    let text = '';
    for await (const piece of result.textStream) text += piece;
    if (errors.length > 0) throw errors[0];
    return { text, finish: await result.finishReason };
  },
});
