import { describe, expect, it } from 'vitest';
import { RANDOM, KEY, redactBody, stars, escapeAll } from '../../../test/kit/redaction.ts';

describe('a secret that a stream sends in pieces', () => {
  const delta = (content: string, index = 0, field = 'content') =>
    `data: ${JSON.stringify({ choices: [{ index, delta: { [field]: content } }] })}\n\n`;

  const joined = (stream: string) =>
    stream
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .map(
        (event) => Object.values((JSON.parse(event.slice(6)) as { choices: { delta: object }[] }).choices[0]!.delta)[0],
      )
      .join('');

  it.each([1, 2, 3, 5, 7])('is redacted in pieces of %i characters', (size) => {
    const pieces = `Your key is ${KEY}.`.match(new RegExp(`.{1,${size}}`, 'g'))!;
    const { text, seen } = redactBody(pieces.map((piece) => delta(piece)).join('') + 'data: [DONE]\n\n');
    expect(joined(text)).toBe(`Your key is sk-service-${stars(RANDOM.length)}.`);
    expect(seen).toEqual([{ role: 'full', form: 'raw', whole: true }]);
  });

  it.each([0, 1, 400, 5_000])('is redacted at the ends of long pieces, with a line break %i characters away', (far) => {
    const [first, second] = [RANDOM.slice(0, 6), RANDOM.slice(6, 12)];
    const [before, after] = [`${'x'.repeat(9_000)}\n${'x'.repeat(far)}`, `${'x'.repeat(far)}\n${'x'.repeat(9_000)}`];
    const { text, seen } = redactBody(delta(`${before}${first}`) + delta(`${second}${after}`));
    expect(joined(text)).toBe(`${before}${stars(12)}${after}`);
    expect(seen).toHaveLength(1);
    const apart = delta(`${first}${before}`) + delta(`${after}${second}`);
    expect(redactBody(apart)).toEqual({ text: apart, seen: [] });
  });

  it('is redacted when its pieces are escaped', () => {
    const piece = (text: string) => `data: {"choices":[{"delta":{"content":"${escapeAll(text)}"}}]}\r\n\r\n`;
    const { text, seen } = redactBody(piece(RANDOM.slice(0, 6)) + piece(RANDOM.slice(6, 12)));
    expect(seen).toEqual([{ role: 'full', form: 'json', whole: false }]);
    expect(text.match(/\*/g)).toHaveLength(12 * 6);
  });

  it('is followed separately for each choice and each field', () => {
    const [first, second] = [RANDOM.slice(0, 6), RANDOM.slice(6, 12)];
    const apart = delta(first, 0) + delta(second, 1);
    expect(redactBody(apart)).toEqual({ text: apart, seen: [] });
    const mixed = delta(first, 1) + delta('other', 0) + delta('think', 1, 'reasoning_content') + delta(second, 1);
    expect(redactBody(mixed).text).toBe(
      delta(stars(6), 1) + delta('other', 0) + delta('think', 1, 'reasoning_content') + delta(stars(6), 1),
    );
    const reasoning = delta(first, 0, 'reasoning_content') + delta(second, 0, 'reasoning_content');
    expect(redactBody(reasoning).seen).toHaveLength(1);
  });

  it('is followed if the index of a choice comes after its delta', () => {
    const event = (content: string) => `data: {"choices":[{"delta":{"content":"${content}"},"index":3}]}\n\n`;
    expect(redactBody(event(RANDOM.slice(0, 5)) + event(RANDOM.slice(5, 10))).text).toBe(
      event('*****') + event('*****'),
    );
  });

  it('is followed through events that are plain text', () => {
    const text = `data: ${RANDOM.slice(0, 7)}\n\ndata: ${RANDOM.slice(7, 14)}\n\n`;
    expect(redactBody(text).text).toBe('data: *******\n\ndata: *******\n\n');
  });
});
