import { expect, it } from 'vitest';
import { clientEnvironment } from './client-setup.ts';

it('keeps ordinary variables, and leaves out proxies, keys and settings of other clients', () => {
  const { variables, secrets } = clientEnvironment({
    PATH: '/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
    KEYBOARD: 'de',
    GIT_AUTHOR_NAME: 'A',
    http_proxy: 'http://proxy',
    HTTPS_PROXY: 'http://proxy',
    NODE_USE_ENV_PROXY: '1',
    no_proxy: '*',
    OPENAI_API_KEY: 'sk-real-one',
    OPENAI_BASE_URL: 'https://api.example',
    WIRECHECK_API_KEY: 'sk-service-real',
    LANGSMITH_TRACING: 'true',
    AWS_SECRET_ACCESS_KEY: 'abcdefgh12345',
    GITHUB_TOKEN: 'ghp_12345678',
    COPY: 'Bearer ghp_12345678',
    UNSET: undefined,
  });
  expect(variables).toEqual({ PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8', KEYBOARD: 'de', GIT_AUTHOR_NAME: 'A' });
  expect(secrets.map(({ name }) => name)).toEqual([
    'OPENAI_API_KEY',
    'WIRECHECK_API_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
  ]);
});
