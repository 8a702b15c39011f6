/**
 * What an error tells of the inside of a deployment. Honest texts have addresses and paths too: documentation, versions,
 * the caller's own address. So only what cannot be one of these counts.
 */
import type { Exchange } from '../../exchange/exchange.ts';
import type { LeakKind } from '../actual.ts';

interface Leak {
  readonly kind: LeakKind;
  readonly text: string;
}

/** Characters of a message that are searched. */
const MAX_SEARCHED = 16 * 1024;

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
/** 10/8, 172.16/12 and 192.168/16, but neither a part of a longer number or name, nor a network with its length. */
const ADDRESS = new RegExp(
  String.raw`(?<![\w.-])(?:10\.${OCTET}|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.${OCTET}\.${OCTET}(?![\w/-]|\.\d)`,
  'g',
);
/** `errors.internal` may be the name of a text, so a name counts only with a scheme, a port, or as one of a cluster. */
const NAME = new RegExp(
  String.raw`(?<=:\/\/)[\w.-]{1,200}\.(?:internal|local)(?![\w-]|\.\w)` +
    String.raw`|(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.(?:internal|local)(?=:\d{2,5}(?!\d))` +
    String.raw`|(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.(?:svc\.cluster\.local|compute\.internal)(?![\w-]|\.\w)`,
  'gi',
);
/** An address of the caller, or a number of a version, has such a word before it. */
const OTHER_MEANING =
  /\b(?:your|client|caller|remote|source|from|for|by|ip|version|release|build|requires|than|since|v)(?:[\s:='"([]+(?:ip|address|addr|is))*[\s:='"([]*$/i;

const FILE = /(?<![\w:/.-])(?:file:\/\/)?(?:\/[\w.@+-]{1,100}){2,20}\.[a-z]{1,5}(?::\d+|\(\d+\)|", line \d+)/gi;
const WINDOWS_FILE = /\b[a-z]:\\(?:[\w .-]{1,100}\\){1,20}[\w.-]{1,100}\.[a-z]{1,5}(?::\d+|", line \d+)/gi;

/** One frame, as JavaScript, Python, Java, Go, PHP and Ruby write it. */
const FRAME = new RegExp(
  [
    String.raw`\bat [^\n()]{1,200}\([^\s()]{1,300}:\d+:\d+\)`,
    String.raw`\bat [^\s()]{1,300}:\d+:\d+`,
    String.raw`File "[^"\n]{1,300}", line \d+`,
    String.raw`\bat [\w$.<>]{1,300}\([\w$]{1,100}\.(?:java|kt|scala):\d+\)`,
    String.raw`[\w./@-]{1,300}\.go:\d+`,
    String.raw`#\d+ [^\s]{1,300}\(\d+\):`,
    String.raw`[\w./-]{1,300}\.rb:\d+:in\b`,
  ].join('|'),
  'g',
);
/** Fewer may be a hint at a place in the request. */
const MIN_FRAMES = 3;

/** The first of each kind. What is in the base URL or in the request is no news to the caller. */
export function findLeaks(message: string, { request }: Exchange, baseUrl: string): readonly Leak[] {
  const text = message.slice(0, MAX_SEARCHED);
  const headers = request.headers.map(([, value]) => value);
  const known = [baseUrl, request.path, request.body ?? '', ...headers].join('\n').toLowerCase();
  const isOurs = (found: string): boolean => known.includes(found.toLowerCase());
  const firstOf = (kind: Leak['kind'], patterns: readonly RegExp[], isHonest: (match: RegExpMatchArray) => boolean) => {
    const matches = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
    const match = matches.find((each) => !isOurs(each[0]) && !isHonest(each));
    return match ? [{ kind, text: match[0] }] : [];
  };
  const frames = [...text.matchAll(FRAME)];
  // The files of a stack trace say no more than the trace.
  const inside =
    frames.length >= MIN_FRAMES
      ? [{ kind: 'stack-trace', text: frames[0]?.[0] ?? '' } as const]
      : firstOf('file-path', [FILE, WINDOWS_FILE], () => false);
  return [
    ...firstOf('private-address', [ADDRESS, NAME], ({ index = 0 }) =>
      OTHER_MEANING.test(text.slice(Math.max(0, index - 40), index)),
    ),
    ...inside,
  ];
}
