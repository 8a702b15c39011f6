import { describe, expect, it } from 'vitest';
import { drawn, drawOf, failingTarget } from '../../test/kit/failing-draws.ts';
import { type Cause, triggerOf } from './cause.ts';
import type { DrawnRequest } from './drawn-request.ts';
import { quoteText } from '../text/quote.ts';
import { findCauses } from './find-causes.ts';
import type { Symptom } from './symptoms.ts';

const numberIn = (name: string, [request]: readonly DrawnRequest[]): number => Number(request?.body[name] ?? -1);
const says = (pattern: RegExp, requests: readonly DrawnRequest[]): boolean => pattern.test(JSON.stringify(requests));
const saying = (content: string, fields = {}): DrawnRequest =>
  drawn({ messages: [{ role: 'user', content }], ...fields });

/** The draws of each cause. */
const drawsOf = (causes: readonly Cause[]): readonly (readonly number[])[] =>
  causes.map(({ draws }) => draws.toSorted((a, b) => a - b)).toSorted(([a = 0], [b = 0]) => a - b);

async function causesOf(
  options: Parameters<typeof failingTarget>[0],
  requests: readonly DrawnRequest[],
): Promise<readonly Cause[]> {
  const target = failingTarget(options);
  const draws = requests.map((request, index) => drawOf(index + 1, request));
  return (await findCauses(draws.map(target.failing), target)).causes;
}

describe('A limit within the range', () => {
  const tooHot = (requests: readonly DrawnRequest[]): boolean => numberIn('temperature', requests) > 1.5;
  const narrow = (requests: readonly DrawnRequest[]): boolean => numberIn('top_p', requests) > 0.9;
  const hot = [1.7, 1.62, 1.9, 1.51].map((temperature) => drawn({ temperature }));

  it('explains all that is beyond it', async () => {
    expect(drawsOf(await causesOf({ fails: tooHot }, hot))).toEqual([[1, 2, 3, 4]]);
  });

  it('does not explain what fails for another field, also beside it', async () => {
    const others = [{ top_p: 0.95 }, { top_p: 0.97, temperature: 0.4 }, { top_p: 0.92, temperature: 1.2 }].map(drawn);
    const fails = (requests: readonly DrawnRequest[]): boolean => tooHot(requests) || narrow(requests);
    expect(drawsOf(await causesOf({ fails }, [...hot, ...others]))).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7],
    ]);
  });

  it('does not explain a draw without the field if nothing more can be asked', async () => {
    const fails = (requests: readonly DrawnRequest[]): boolean => tooHot(requests) || says(/ש/, requests);
    const count = failingTarget({ fails });
    await findCauses([count.failing(drawOf(1, drawn({ temperature: 1.7 })))], count);
    const target = failingTarget({ fails, budget: count.log.length });
    const failing = [drawn({ temperature: 1.7 }), saying(`שלום ${'and so on '.repeat(9)}`)].map((request, index) =>
      target.failing(drawOf(index + 1, request)),
    );
    const { causes, open } = await findCauses(failing, target);
    expect([drawsOf(causes), open.map(({ draw }) => draw.number)]).toEqual([[[1]], [2]]);
  });
});

describe('Unknown fields that are refused', () => {
  const isUnknown = (requests: readonly DrawnRequest[]): boolean => says(/x_wirecheck_/, requests);
  const inMessage = (name: string) => drawn({ messages: [{ role: 'user', content: 'Say hello.', [name]: [1] }] });
  const fields = [{ x_wirecheck_Name: null }, { 'x_wirecheck_v1.2': { a: 1 } }, { x_wirecheck_a: 'text' }].map(drawn);

  it('have one cause for each place, without their names', async () => {
    const causes = await causesOf({ fails: isUnknown }, [
      ...fields,
      inMessage('x_wirecheck_a'),
      inMessage('x_wirecheck_0'),
    ]);
    expect(drawsOf(causes)).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(new Set(causes.flatMap(triggerOf))).toEqual(new Set(['/messages/*/x_wirecheck_*', '/x_wirecheck_*']));
  });

  it('do not explain what fails for its text', async () => {
    const fails = (requests: readonly DrawnRequest[]): boolean => isUnknown(requests) || says(/ש/, requests);
    expect(drawsOf(await causesOf({ fails }, [...fields, saying('שלום')]))).toEqual([[1, 2, 3], [4]]);
  });
});

describe('Texts of two scripts that fail', () => {
  const isScript = (requests: readonly DrawnRequest[]): boolean => says(/[ש-ת]|[ก-ฮ]/u, requests);
  const texts = ['Say שלום', 'Tell me สวกด', 'And תודה too', 'กขค please'].map((text) => saying(text));
  const greek = { draw: drawOf(9, saying('Say αβγ')), keys: new Set<string>() };

  it('have a cause each if another script passes', async () => {
    expect(drawsOf(await causesOf({ fails: isScript, sent: [greek] }, texts))).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it('have one cause if none passes', async () => {
    const fails = (requests: readonly DrawnRequest[]): boolean => says(/[^\0-\x7F]/, requests);
    const failed = { ...greek, keys: new Set(['refused']) };
    expect(drawsOf(await causesOf({ fails, sent: [failed] }, texts))).toEqual([[1, 2, 3, 4]]);
  });

  it('are not told apart by a draw that passes for its violation', async () => {
    const refused = { ...greek, draw: drawOf(9, saying('Say αβγ', { temperature: 3 })) };
    expect(drawsOf(await causesOf({ fails: isScript, sent: [refused] }, texts))).toEqual([[1, 2, 3, 4]]);
  });
});

describe('Characters beyond the basic plane that do not arrive', () => {
  const draws = ['🏳 a', '𐌾 and 𐌱', 'b 🇷🇴', 'the 𠀀 too', 'c 𐌾', 'see 🌊'].map((text) => saying(text));
  const textOf = (request: DrawnRequest): string => {
    const [message] = request.body['messages'] as readonly { readonly content: string }[];
    return message?.content ?? '';
  };
  /** The draws of each cause, if texts arrive so. */
  const told = async (arrive: (text: string) => string, passing: readonly string[] = []) => {
    const symptomOf = (request: DrawnRequest) => {
      const expected = { kind: 'client-text', text: quoteText(textOf(request)), from: 0 };
      const actual = { kind: 'text', text: quoteText(arrive(textOf(request))) };
      const finding = { mismatch: 'message-text', expected, actualType: 'text', actual };
      return { case: 'explore/forwarded[messages]', isOfTopic: false, finding } as unknown as Partial<Symptom>;
    };
    const fails = ([request]: readonly DrawnRequest[]): boolean =>
      request !== undefined && arrive(textOf(request)) !== textOf(request);
    const hebrew = { draw: drawOf(8, saying('שלום')), keys: new Set<string>() };
    const sent = [hebrew, ...passing.map((text) => ({ ...hebrew, draw: drawOf(9, saying(text)) }))];
    const failing = draws.filter((request) => fails([request]));
    return drawsOf(await causesOf({ fails, symptomOf, sent }, failing));
  };

  it('have one cause if the same comes for each', async () => {
    expect(await told((text) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?'))).toEqual([[1, 2, 3, 4, 5, 6]]);
  });

  it('have a cause for each kind if others arrive', async () => {
    const arrive = (text: string): string => text.replaceAll(/\p{Regional_Indicator}|\p{Script=Gothic}/gu, '');
    expect(await told(arrive, ['🌊'])).toEqual([[1, 3], [2]]);
  });

  it.each([
    ['are doubled', '$&$&'],
    ['become another character', '\uFFFD'],
  ])('have a cause of their own if they %s', async (_what, to) => {
    const arrive = (text: string): string =>
      text.replaceAll(/\p{Script=Han}/gu, to).replaceAll(/[\u{10000}-\u{1FFFF}]/gu, '?');
    expect(await told(arrive)).toEqual([[1, 2, 3, 5, 6], [4]]);
  });
});

describe('What the answers say', () => {
  const answering = (status: number, code: string, message: string): Partial<Symptom> => {
    const quoteOf = (text: string) => ({ quote: text, length: text.length });
    const actual = { kind: 'status', status, code: quoteOf(code), message: quoteOf(message) };
    return { finding: { actualType: '4xx', actual } } as unknown as Partial<Symptom>;
  };
  const isNarrow = (request: DrawnRequest): boolean => Number(request.body['top_p'] ?? 0) > 0.9;
  const fails = (requests: readonly DrawnRequest[]): boolean =>
    numberIn('temperature', requests) > 1.5 || requests.some(isNarrow);
  /** The first two have one fault, the others both. */
  const draws = [
    { temperature: 1.7 },
    { temperature: 1.9 },
    { temperature: 1.6, top_p: 0.95 },
    { temperature: 1.8, top_p: 0.97 },
  ];
  const told = async (hot: Partial<Symptom>, narrow: Partial<Symptom>) =>
    drawsOf(await causesOf({ fails, symptomOf: (request) => (isNarrow(request) ? narrow : hot) }, draws.map(drawn)));
  const apart = [
    [1, 2],
    [3, 4],
  ];

  it.each([
    ['the status', answering(400, 'a', 'No.'), answering(422, 'a', 'No.')],
    ['the code', answering(400, 'a', 'No.'), answering(400, 'b', 'No.')],
    ['the message', answering(400, 'a', 'This is too hot.'), answering(400, 'a', 'This is too narrow.')],
  ])('tells causes apart: %s', async (_what, first, second) => {
    expect(await told(first, second)).toEqual(apart);
  });

  it('does not if only values differ', async () => {
    const first = answering(400, 'a', 'Got 1.7 for "a", request 8f-31.');
    const second = answering(400, 'a', 'Got 1.1 for "b", request 77-4e.');
    expect(await told(first, second)).toEqual([[1, 2, 3, 4]]);
  });

  it('does not if it is different every time', async () => {
    let turn = 0;
    const words = ['one', 'two', 'three', 'four', 'five'];
    const symptomOf = () => answering(400, 'a', `Request ${words[(turn += 1) % 5]} failed.`);
    expect(drawsOf(await causesOf({ fails, symptomOf }, draws.map(drawn)))).toEqual([[1, 2, 3, 4]]);
  });
});
