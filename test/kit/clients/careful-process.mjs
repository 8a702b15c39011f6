/** The careful client as a process per scenario. */
import { call } from './careful-client.mjs';

const { env } = process;
try {
  const text = await call({
    baseUrl: env.OPENAI_BASE_URL,
    apiKey: env.OPENAI_API_KEY,
    model: env.WIRECHECK_MODEL,
    mode: env.WIRECHECK_MODE,
    prompt: env.WIRECHECK_PROMPT,
    timeoutMs: Number(env.WIRECHECK_TIMEOUT_MS),
  });
  process.stdout.write(`${text}\n`);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
}
