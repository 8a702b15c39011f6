/** Makes an exchange of an entry of a HAR file, without its secrets. */
import { loadContract } from '../../contract/load-contract.ts';
import { requestIssues } from '../../contract/request-issues.ts';
import type { Attempt, Body, Exchange, Header, SecretSeen } from '../../exchange/exchange.ts';
import type { Redaction, Redactor } from '../../exchange/secrets/redaction.ts';
import type { SentKey } from '../../suite/case.ts';
import { parseJson } from '../../json.ts';
import type { HarCall } from './har-reading.ts';
import { bearerOf, hasMaskedKey, hideCredential, type HarSecrets } from './har-secrets.ts';

/** The step of an exchange that was not planned. */
const HAR_STEP = 'har';

export interface EntryReader {
  readonly survey: { readonly startedAt: number; readonly secrets: HarSecrets };
  readonly redactor: Redactor;
  readonly maxDepth: number;
}

export function toExchange(call: HarCall, id: string, { survey, redactor, maxDepth }: EntryReader): Exchange {
  const { startedAt, secrets } = survey;
  const seen = new Map<string, SecretSeen>();
  const sent = secrets.sentWith(call);
  const note = <Value>({ value, seen: found }: Redaction<Value>, place: SecretSeen['place']): Value => {
    for (const secret of found) {
      if (sent.has(secret.role)) seen.set(JSON.stringify([place, secret]), { ...secret, role: 'full', place });
    }
    return value;
  };
  const hide = (text: string): string => redactor.text(text).value;
  const { answerBody, answerHeaders, status, httpVersion, headersAt, endAt } = call;
  const bytes = note(redactor.body(Buffer.from(answerBody)), 'body');
  const body: Body = { bytes, reads: [{ at: endAt, bytes: bytes.length }], end: endOf(call), maxDepth };
  const headers = answerHeaders.map(([name, value]): Header => {
    const [, shown] = hideCredential([name, value]);
    return [name, shown === value ? note(redactor.text(value), 'header') : shown];
  });
  const answer = { status, httpVersion, headers, interim: 0, body, headersAt, endAt, lateness: 0 };
  const attempt: Attempt = {
    sentAt: call.startedAt - startedAt,
    pause: 0,
    outcome: { kind: 'answer', answer },
    secretsSeen: [...seen.values()],
  };
  return {
    id,
    step: HAR_STEP,
    name: id,
    seeks: breaksRule(call) ? 'refusal' : 'answer',
    request: {
      endpoint: call.endpoint,
      mode: call.isStream ? 'stream' : 'plain',
      method: call.method,
      path: hide(call.path),
      headers: call.headers.map((header): Header => [header[0], hide(hideCredential(header)[1])]),
      ...(call.body !== undefined && { body: hide(call.body) }),
      key: keyOf(call, secrets),
    },
    attempts: [attempt],
  };
}

/** A key that got a 401 was not valid: a command with a valid one would not repeat the refusal. */
function keyOf({ headers, status }: HarCall, secrets: HarSecrets): SentKey {
  if (!secrets.showsKeys || hasMaskedKey(headers)) return 'not-in-file';
  if (bearerOf(headers) === undefined) return 'none';
  return status === 401 ? 'unknown' : 'full';
}

/** The answer to such a request says nothing about how valid ones are answered. */
function breaksRule({ endpoint, body, isBodyWhole }: HarCall): boolean {
  if (endpoint !== 'chat' || body === undefined || !isBodyWhole) return false;
  const contract = loadContract();
  return requestIssues(contract, body).some(({ clause }) => contract.clause(clause)?.level === 'must');
}

/** Some tools count other bytes than they store. A body that parses is complete. */
function endOf({ isWhole, isLeftEarly, answerBody, isStream }: HarCall): Body['end'] {
  if (isLeftEarly && isStream) return { kind: 'aborted', why: 'client-left' };
  if (isWhole) return { kind: 'complete' };
  const text = Buffer.from(answerBody).toString('utf8');
  const isComplete = isStream ? /^data: ?\[DONE\]/m.test(text) : parseJson(text) !== undefined;
  return isComplete ? { kind: 'complete' } : { kind: 'aborted', why: 'the file has only a part of the body' };
}
