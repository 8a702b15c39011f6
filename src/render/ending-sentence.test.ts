import { describe, expect, it } from 'vitest';
import type { Report } from '../report/report.ts';
import { endingSentence } from './ending-sentence.ts';
import { conforming } from '../../test/kit/sample-reports.ts';

type Ending = Report['ending'];
const unreachable = (kind: Extract<Ending, { kind: 'unreachable' }>['failure']['kind'], more = {}): Ending => ({
  kind: 'unreachable',
  failure: { kind, code: 'CODE', detail: 'detail', ...more },
});

describe('the sentence on how a run ended', () => {
  it('is missing where the run went to its end', () => {
    expect(endingSentence(conforming())).toBeUndefined();
  });

  it.each([
    [unreachable('refused'), 'Nothing listens at https://gateway.example/v1', '--wait-for'],
    [unreachable('unresolved'), 'host name', 'DNS'],
    [unreachable('tls'), 'CODE', '--ca FILE'],
    [
      unreachable('tls', {
        code: 'EPROTO',
        detail: 'write EPROTO 80DC:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/a.c:350:',
      }),
      'does not speak https',
      'http://',
    ],
    [
      unreachable('tls', {
        code: 'EPROTO',
        detail: 'write EPROTO 80DC:error:0A000410:SSL routines:read:sslv3 alert handshake failure:../deps/a.c:1593:',
      }),
      'handshake with https://gateway.example/v1 fails (sslv3 alert handshake failure)',
      '--client-cert',
    ],
    [unreachable('closed'), 'closes the connection', 'http or https'],
    [unreachable('timeout', { limit: 'connect-timeout' }), 'did not answer in time', '--connect-timeout'],
    [unreachable('not-http'), 'not HTTP', 'check the port'],
    [unreachable('limit', { limit: 'max-headers' }), '--max-headers', 'raise'],
    [unreachable('aborted'), 'broken off', 'run again'],
    [{ kind: 'key-refused', status: 401 }, 'refuses the key with 401', 'WIRECHECK_API_KEY'],
    [{ kind: 'not-this-api', status: 404 }, '/models gives 404', 'https://host/v1'],
    [
      { kind: 'not-this-api', status: 404, nearby: 'https://gateway.example/api/v1' },
      'answers like this API',
      'wirecheck run https://gateway.example/api/v1',
    ],
    [{ kind: 'no-model', reason: 'empty-list' }, 'list is empty', '--model'],
    [{ kind: 'no-model', reason: 'no-list' }, 'cannot be read', '--model'],
    [{ kind: 'stopped-answering', suspect: 'parameters/huge' }, 'parameters/huge', '--rerun-failed'],
    [{ kind: 'rate-limited' }, '429', '--rate'],
    [{ kind: 'budget', setting: 'max-requests' }, '--max-requests', 'wirecheck plan'],
    [{ kind: 'bailed', after: 'positive' }, 'in the stage "positive"', 'Leave the flag out'],
    [{ kind: 'interrupted' }, 'interrupted', 'judged'],
    [{ kind: 'recording-cut' }, 'breaks off', 'Record again'],
  ] satisfies [Ending, string, string][])('names what happened and the remedy: %j', (ending, what, remedy) => {
    const sentence = endingSentence(conforming({ ending }));
    expect(sentence).toContain(what);
    expect(sentence).toContain(remedy);
    expect(sentence).not.toContain('\n');
  });
});
