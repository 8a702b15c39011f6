/** Lets pages in browsers call the gateway (Fetch, 3.2). The contract does not mention them. */
import { type Answer, jsonReply, type Reply } from './answer.ts';
import type { Call } from './call.ts';
import { setHeader } from './change-answer.ts';
import type { Modifier } from './modifier.ts';

const ALLOWED_ORIGIN = 'access-control-allow-origin';

interface Pages {
  /** Default: any. */
  readonly origin?: (call: Call) => string;
  /** Answers that pages may read. Default: all. */
  readonly allows?: (reply: Reply) => boolean;
  /** The answer to OPTIONS. */
  readonly preflight?: Reply;
}

export function allowPages({ origin = () => '*', allows = () => true, preflight }: Pages = {}): Pick<
  Modifier,
  'before' | 'answer'
> {
  const allow = (reply: Reply, call: Call): Reply => setHeader(ALLOWED_ORIGIN, origin(call))(reply);
  return {
    before: (call): Answer | undefined => {
      if (call.method !== 'OPTIONS' || call.endpoint === 'other') return undefined;
      return preflight ?? allow(preflightReply('authorization, content-type'), call);
    },
    answer: (reply, call) => (allows(reply) ? allow(reply, call) : reply),
  };
}

/** GET and POST need not be named. */
export function preflightReply(headers: string, origin = '*'): Reply {
  const allowed = { [ALLOWED_ORIGIN]: origin, 'access-control-allow-headers': headers };
  return { ...jsonReply(204, null), headers: allowed, body: { pieces: [] } };
}
