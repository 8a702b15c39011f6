/** The careful client as a process per scenario. */
import { call } from './careful-client.mjs';

const read = (/** @type {string} */ name) => process.env[name] ?? '';
try {
  const text = await call({
    baseUrl: read('OPENAI_BASE_URL'),
    apiKey: read('OPENAI_API_KEY'),
    model: read('WIRECHECK_MODEL'),
    mode: read('WIRECHECK_MODE'),
    prompt: read('WIRECHECK_PROMPT'),
    timeoutMs: Number(read('WIRECHECK_TIMEOUT_MS')),
  });
  process.stdout.write(`${text}\n`);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
}
