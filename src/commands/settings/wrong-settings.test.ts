import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { complaintIn, type Given, inputsIn } from '../../../test/kit/read-settings.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

const complaint = (given: Given) => complaintIn(cwd, given);

describe('a wrong setting', () => {
  it.each<[Given, string]>([
    [{ flags: { 'reply-tokens': '0' } }, '--reply-tokens is "0": it must be a whole number from 1 to 100000.'],
    [
      { flags: { 'stream-tokens': '99999999999999999999' } },
      '--stream-tokens is "99999999999999999999": it must be a whole number from 1 to 100000.',
    ],
    [{ env: { WIRECHECK_RETRIES: 'two' } }, 'WIRECHECK_RETRIES is "two": it must be a whole number from 0 to 10.'],
    [
      { config: 'modle: x\nstrict: true\nretries: 1.5' },
      [
        'wirecheck.config.yaml:1: unknown key "modle" in the config file. Did you mean "model"?',
        'wirecheck.config.yaml:3: retries must be a whole number from 0 to 10, not 1.5.',
      ].join('\n'),
    ],
    [
      {
        config:
          'baseUrl: x.example/v1\nmodle: x\nuserAgent: "${NO_AGENT}"\nprofile: acmee\nlevels:\n  errors.cod: must\n  usage.sum: must\nopenapi: none.json\nretries: 1.5',
      },
      [
        'wirecheck.config.yaml:1: baseUrl does not start with http:// or https://: write https://x.example/v1, or http:// if it has no TLS.',
        'wirecheck.config.yaml:2: unknown key "modle" in the config file. Did you mean "model"?',
        'wirecheck.config.yaml:3: ${NO_AGENT} is not set in the environment: set it, or write the value here.',
        'wirecheck.config.yaml:4: Unknown profile "acmee". Use one of common-servers, or a .yaml file.',
        'wirecheck.config.yaml:6: unknown clause "errors.cod". Did you mean "errors.code"?',
        'wirecheck.config.yaml:7: unknown clause "usage.sum". `npx --no-install wirecheck list clauses` lists the ids.',
        'wirecheck.config.yaml:8: Cannot read the OpenAPI description none.json: there is no such file. Check the name and the folder.',
        'wirecheck.config.yaml:9: retries must be a whole number from 0 to 10, not 1.5.',
      ].join('\n'),
    ],
    [
      { config: 'levels:\n  errors.cod: must\nheaders: { authorization: x }\nopenapi: none.json' },
      [
        'wirecheck.config.yaml:2: unknown clause "errors.cod". Did you mean "errors.code"?',
        'wirecheck.config.yaml:3: authorization must be left out: the key goes into WIRECHECK_API_KEY, so that cases can also send other keys, or none.',
        'wirecheck.config.yaml:4: Cannot read the OpenAPI description none.json: there is no such file. Check the name and the folder.',
      ].join('\n'),
    ],
    [
      { config: 'model: x\nretries: 1.5' },
      'wirecheck.config.yaml:2: retries must be a whole number from 0 to 10, not 1.5.',
    ],
    [
      { flags: { timeout: '5 parsecs' } },
      '--timeout is "5 parsecs": it must be a time above zero such as 500ms, 30s or 10m (a bare number is milliseconds, 100 or more).',
    ],
    [
      { flags: { timeout: '0' } },
      '--timeout is "0": it must be a time above zero such as 500ms, 30s or 10m (a bare number is milliseconds, 100 or more).',
    ],
    [
      { flags: { 'max-body': '4MB' } },
      '--max-body is "4MB": it must be a size above zero such as 64KiB or 4MiB, at most 4GiB (a bare number is bytes).',
    ],
    [
      { flags: { 'largest-body': '100GiB' } },
      '--largest-body is "100GiB": it must be a size above zero such as 64KiB or 4MiB, at most 256MiB (a bare number is bytes).',
    ],
    ...['=b', 'm=', '='].map((given): [Given, string] => [
      { flags: { 'upstream-model': given } },
      `--upstream-model is "${given}": it must be the name of a model, alone or as FRONT=UPSTREAM with both names.`,
    ]),
    [{ flags: { rate: '0' } }, '--rate is "0": it must be a number of requests per second such as 5/s or 0.5/s.'],
    [{ env: { WIRECHECK_STRICT: 'perhaps' } }, 'WIRECHECK_STRICT is "perhaps": it must be true or false.'],
    [{ flags: { model: '' } }, '--model is empty: it must be text without control characters.'],
    [{ flags: { model: '--strict' } }, '--model needs a value, but --strict follows it.'],
    [{ config: 'modle: x' }, 'wirecheck.config.yaml:1: unknown key "modle" in the config file. Did you mean "model"?'],
    [
      { config: 'strict: true\nreply-tokens: 3' },
      'wirecheck.config.yaml:2: unknown key "reply-tokens" in the config file. Did you mean "replyTokens"?',
    ],
    [
      { config: 'apiKey: sk-service-x' },
      'wirecheck.config.yaml:1: apiKey must be left out of a file that is shared: set WIRECHECK_API_KEY in the environment.',
    ],
    [
      { config: 'reporters:\n  - html\n  - junti' },
      'wirecheck.config.yaml:3: an item of reporters must be one of terminal, json, html, junit, markdown, sarif, github, badge, agent, prometheus, summary, with or without =FILE, not "junti". Did you mean "junit"?',
    ],
    [
      { config: 'restricted_key: x' },
      'wirecheck.config.yaml:1: restricted_key must be left out of a file that is shared: set WIRECHECK_RESTRICTED_KEY in the environment.',
    ],
    [
      { config: 'model: ${MISSING}' },
      'wirecheck.config.yaml:1: ${MISSING} is not set in the environment: set it, or write the value here.',
    ],
    [
      { config: 'strict: true\nonly:\n  - auth/*\n  - ${MISSING}' },
      'wirecheck.config.yaml:4: ${MISSING} is not set in the environment: set it, or write the value here.',
    ],
    [
      { config: 'strict: true\nmodel: ${MISSING' },
      'wirecheck.config.yaml:2: ${MISSING has no closing brace: write ${NAME}.',
    ],
    [
      { config: 'model: ${NAME:-x}', env: { NAME: 'y' } },
      'wirecheck.config.yaml:1: ${NAME:-x} does not name a variable: write ${NAME}.',
    ],
    [{ config: 'model: [a]' }, 'wirecheck.config.yaml:1: model must be text without control characters, not ["a"].'],
    [{ config: 'model:' }, 'wirecheck.config.yaml:1: model must be text without control characters, not null.'],
    [{ config: '- a' }, 'wirecheck.config.yaml:1: the file must be a map.'],
    [
      { config: 'levels: { errors.code: msut }' },
      'wirecheck.config.yaml:1: errors.code must be one of must, should, observe, not "msut". Did you mean "must"?',
    ],
    [
      { config: 'levels:\n  errors.code: should\n\n  errors.json: msut' },
      'wirecheck.config.yaml:4: errors.json must be one of must, should, observe, not "msut". Did you mean "must"?',
    ],
    [
      { config: 'only:\n  - auth/*\n  - { a: b }' },
      'wirecheck.config.yaml:3: an item of only must be text without control characters, not {"a":"b"}.',
    ],
    [
      { config: 'only:\n  - auth/*\n  - ""' },
      'wirecheck.config.yaml:3: an item of only must be text without control characters, not "".',
    ],
    [
      { config: 'headers:\n  X-Team: red\n  Authorization: x' },
      'wirecheck.config.yaml:3: Authorization must be left out: the key goes into WIRECHECK_API_KEY, so that cases can also send other keys, or none.',
    ],
    [
      { config: 'headersFromEnv:\n  X-A: TOKEN\n  X-B: EMPTY', env: { TOKEN: 't', EMPTY: '' } },
      'wirecheck.config.yaml:3: headersFromEnv: the variable EMPTY for X-B is empty: set it.',
    ],
    [{ flags: { config: '.' } }, 'Cannot read the config file .: it is a folder. Name a file.'],
    [
      { flags: { config: 'other.yaml' } },
      'Cannot read the config file other.yaml: there is no such file. Check the name and the folder.',
    ],
    [
      { flags: { 'env-file': 'none.env' } },
      'Cannot read the env file none.env: there is no such file. Check the name and the folder.',
    ],
    [
      { flags: { ca: 'none.pem' } },
      'Cannot read the certificate authority none.pem: there is no such file. Check the name and the folder.',
    ],
    [{ flags: { verbose: true, quiet: true } }, '--verbose and --quiet cannot be used together: give one of them.'],
    [
      { flags: { header: ['Authorization: Bearer x'] } },
      '--header cannot set Authorization: set WIRECHECK_API_KEY instead, so that cases can also send other keys, or none.',
    ],
    [
      { flags: { 'header-env': ['authorization=X'] }, env: { X: 'y' } },
      '--header-env cannot set authorization: set WIRECHECK_API_KEY instead, so that cases can also send other keys, or none.',
    ],
    [{ flags: { header: ['no colon'] } }, '--header must be Name: value with a valid header name.'],
    [{ flags: { header: ['a b: c'] } }, '--header must be Name: value with a valid header name.'],
    [
      { flags: { 'header-env': ['X-Secret=MISSING'] } },
      '--header-env: the variable MISSING for X-Secret is not set: set it.',
    ],
  ])('is reported with the allowed values: %j', (given, message) => {
    expect(complaint(given)).toBe(message);
  });

  it('is not shown if it may be a secret', () => {
    expect(complaint({ flags: { header: ['X-Key: hush\u0001'] } })).not.toContain('hush');
    expect(complaint({ flags: { proxy: 'user:hush@proxy' } })).not.toContain('hush');
    expect(complaint({ flags: { 'client-key': '-----BEGIN\nhush' } })).not.toContain('hush');
    expect(complaint({ config: 'proxy: user:hush@proxy' })).toBe(
      'wirecheck.config.yaml:1: proxy must be an http or https address.',
    );
    expect(complaint({ config: 'headers:\n  X-Key: [hush]' })).toBe(
      'wirecheck.config.yaml:2: X-Key must be text, in quotes if it is a number.',
    );
  });

  it('is shown without its control characters', () => {
    expect(complaint({ flags: { model: 'a\u001b[31mb' } })).toContain(String.raw`a\u{1b}[31mb`);
  });

  it('that is half of a client certificate asks for the other half', () => {
    writeFileSync(join(cwd, 'cert.pem'), '');
    expect(complaint({ flags: { 'client-cert': 'cert.pem' } })).toBe(
      '--client-cert and --client-key go together: give both or none.',
    );
  });
});

describe('an unknown variable', () => {
  it('is reported with the closest known one, and unrelated variables are ignored', () => {
    const { notices } = inputsIn(cwd, { env: { WIRECHECK_STRCIT: '1', WIRECHECK_STRICT: '1', HOME: '/' } });
    expect(notices).toEqual(['Ignored the unknown variable WIRECHECK_STRCIT. Did you mean "WIRECHECK_STRICT"?']);
  });
});
