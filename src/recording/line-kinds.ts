/** The first and the last line of a recording, whichever subject it has. */
import type {
  ClientEndLine,
  ClientStartLine,
  EndLine,
  LoadEndLine,
  LoadStartLine,
  RecordingLine,
  RelayEndLine,
  RelayStartLine,
  StartLine,
} from './recording-line.ts';

export type FirstLine = StartLine | ClientStartLine | RelayStartLine | LoadStartLine;
export type LastLine = EndLine | ClientEndLine | RelayEndLine | LoadEndLine;

/** The last line without its kind; undefined if there is none of this kind. */
export function endOf<Kind extends LastLine['kind']>(
  last: LastLine | undefined,
  wanted: Kind,
): Omit<Extract<LastLine, { kind: Kind }>, 'kind'> | undefined {
  return last?.kind === wanted ? withoutKind(last as Extract<LastLine, { kind: Kind }>) : undefined;
}

export function withoutKind<Of extends { readonly kind: string }>({ kind: _kind, ...rest }: Of): Omit<Of, 'kind'> {
  return rest;
}

export function isFirst(line: RecordingLine): line is FirstLine {
  return 'format' in line;
}

export function isLast(line: RecordingLine): line is LastLine {
  return line.kind === 'end' || line.kind.endsWith('-end');
}
