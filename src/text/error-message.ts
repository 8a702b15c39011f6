/** The message in what a program prints when it fails: most of the rest is a stack trace. */

/** `KeyError: 'choices'`, `panic: early`: as the runtimes begin the line that says what happened. */
const ERROR_LINE = /^(?:Uncaught )?(?:[\w.$]*(?:Error|Exception)(?: \[\w+\])?|panic)\b.*:/;

/** `at parse (client.mjs:9:12)`: the message ends before the stack. */
const FRAME = /^at \S/;

/** The line of a stack trace that says what happened. */
export function firstWords(complaint: string): string {
  return messageLines(complaint)[0] ?? '';
}

/**
 * The whole message, which may have several lines, without what differs from call to call: the place in the text at
 * which a parser stopped, and the port.
 */
export function messageForm(complaint: string): string {
  return messageLines(complaint).join('\n').replaceAll(PLACE, '$1#').replaceAll(PORT, '$1#');
}

function messageLines(complaint: string): readonly string[] {
  const lines = complaint.split('\n').map((line) => line.trim());
  const named = lines.findIndex((line) => ERROR_LINE.test(line));
  const message = lines.slice(named === -1 ? lines.findIndex((line) => line !== '') : named);
  const end = message.findIndex((line, place) => place > 0 && (line === '' || FRAME.test(line)));
  return end === -1 ? message : message.slice(0, end);
}

/** `position 107`, `line 1 column 108 (char 107)`, `LineNumber: 0 | BytePositionInLine: 107` */
const PLACE = /(\b(?:\w*(?:position|line|column|offset)\w*|pos|col|char|character)[ :=#]+)\d+\b/gi;
const PORT = /(\b(?:127\.0\.0\.1|localhost):)\d+/g;
