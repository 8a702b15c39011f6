import { describe, expect, it } from 'vitest';
import { drawn, drawOf, failingTarget } from '../../../test/kit/failing-draws.ts';
import type { DrawnRequest } from './drawn-request.ts';
import { findCauses } from './find-causes.ts';
import type { Symptom } from './symptoms.ts';

const above =
  (name: string, least: number) =>
  (requests: readonly DrawnRequest[]): boolean =>
    Number(requests.at(-1)?.body[name] ?? -1) > least;

describe('Draws that fail', () => {
  it('for the same reason have one cause', async () => {
    const target = failingTarget({ fails: above('temperature', 1) });
    const draws = [1.2, 1.5, 1.9].map((temperature, index) => drawOf(index + 1, drawn({ temperature, top_p: 0.3 })));
    const { causes, passed, open } = await findCauses(draws.map(target.failing), target);
    expect(causes).toHaveLength(1);
    expect(causes[0]?.draws.toSorted()).toEqual([1, 2, 3]);
    expect(causes[0]?.smallest.requests[0]?.body['top_p']).toBeUndefined();
    expect([passed.size, open]).toEqual([0, []]);
  });

  it('for different reasons have a cause each', async () => {
    const fails = (requests: readonly DrawnRequest[]): boolean =>
      above('temperature', 1)(requests) || above('top_p', 0.9)(requests);
    const target = failingTarget({ fails });
    const draws = [drawOf(1, drawn({ temperature: 1.7 })), drawOf(2, drawn({ top_p: 0.95 }))];
    const { causes } = await findCauses(draws.map(target.failing), target);
    expect(causes.map(({ difference }) => difference.map(({ pointer }) => pointer))).toEqual([
      ['/top_p'],
      ['/temperature'],
    ]);
  });

  it('in one way, and each for something of its own, are shrunk side by side', async () => {
    const fails = (requests: readonly DrawnRequest[]): boolean =>
      above('temperature', 1)(requests) || above('top_p', 0.9)(requests);
    const target = failingTarget({ fails, sent: [{ draw: drawOf(7, drawn()), symptoms: [] }] });
    const draws = [1.9, 1.95, 1.99].flatMap((hot, at) => [
      drawOf(2 * at + 1, drawn({ temperature: hot })),
      drawOf(2 * at + 2, drawn({ top_p: 0.99 - at / 100 })),
    ]);
    const { causes } = await findCauses(draws.map(target.failing), target);
    expect(causes.map((cause) => cause.draws.length)).toEqual([3, 3]);
    const numbers = target.log.map(({ number }) => number);
    const [first, second] = causes.map(({ draw }) => draw.number);
    // The second has its turn before the first is done.
    expect(numbers.indexOf(second ?? 0)).toBeLessThan(numbers.lastIndexOf(first ?? 0));
  });

  const violation = {
    key: 'violation',
    plainKey: 'refused',
    case: 'explore/refused[limits.top-p]',
    check: 'no-server-error',
  };
  const symptomOf = ({ body }: DrawnRequest) => (Number(body['top_p'] ?? 0) < 0 ? violation : {});

  it('by numbers that are changed on their way have one cause for each field', async () => {
    const isRounded = (requests: readonly DrawnRequest[]): boolean =>
      ['temperature', 'top_p'].some((name) => {
        const value = Number(requests.at(-1)?.body[name] ?? 0);
        return Math.round(value * 10) / 10 !== value;
      });
    const forwarding = { case: 'explore/forwarded[sampling]', isOfTopic: false };
    const target = failingTarget({ fails: isRounded, symptom: forwarding });
    const draws = [
      { temperature: 0.0000045, top_p: 0.55 },
      { temperature: 0.73 },
      { top_p: 0.99999, temperature: 1.99999 },
    ];
    const failing = draws.map((fields, index) => target.failing(drawOf(index + 1, drawn(fields))));
    const { causes } = await findCauses(failing, target);
    expect(causes.map(({ difference: [place] }) => place?.pointer)).toEqual(['/temperature', '/top_p']);
  });

  it('are looked into until the requests for their causes, and for one more, are used up', async () => {
    const target = failingTarget({ fails: ([request]) => JSON.stringify(request?.body['messages']).includes('q') });
    const letters = 'abdfghijklmnoprstvwxyz';
    const draws = Array.from(letters, (letter, index) =>
      drawOf(index + 1, drawn({ messages: [{ role: 'user', content: `${letter}ea q ${letters.slice(index)}` }] })),
    );
    const { causes } = await findCauses(draws.map(target.failing), target);
    expect(new Set(causes.flatMap((cause) => cause.draws)).size).toBe(letters.length);
    // The last one that was looked into may have gone beyond.
    expect(target.log.length).toBeLessThanOrEqual(40 * (causes.length + 2));
  });

  it('with a violation have the cause of valid requests that fail too', async () => {
    const target = failingTarget({ fails: above('temperature', 1), symptomOf });
    const draws = [
      drawOf(1, drawn({ top_p: -1, temperature: 2 })),
      drawOf(2, drawn({ temperature: 1.5, stream: true })),
    ];
    const { causes, open } = await findCauses(draws.map(target.failing), target);
    expect(causes.map(({ draws: [...numbers], symptoms: [{ key }] }) => [key, numbers])).toEqual([['refused', [2, 1]]]);
    expect(open).toEqual([]);
  });

  it('with a violation are shrunk without it if it does not matter', async () => {
    const target = failingTarget({ fails: above('temperature', 1), symptomOf });
    const failing = [target.failing(drawOf(1, drawn({ top_p: -1, temperature: 2 })))];
    const { causes } = await findCauses(failing, target);
    expect(causes.map(({ symptoms: [{ key }], difference }) => [key, difference[0]?.pointer])).toEqual([
      ['refused', '/temperature'],
    ]);
    expect(causes[0]?.smallest.requests[0]?.body).not.toHaveProperty('top_p');
  });

  it('because of a violation pass without it', async () => {
    const target = failingTarget({ fails: ([request]) => Number(request?.body['top_p'] ?? 0) < 0, symptomOf });
    const { causes } = await findCauses([target.failing(drawOf(1, drawn({ top_p: -1, temperature: 2 })))], target);
    expect(causes.map(({ symptoms: [{ key }], difference }) => [key, difference])).toEqual([
      ['violation', [{ pointer: '/top_p', failing: -1 }]],
    ]);
  });

  it('and cannot be shrunk count only for a case that promises them an answer', async () => {
    const ofMode = ({ body }: DrawnRequest) => ({
      case: body['stream'] === true ? 'explore/answered[stream]' : 'explore/answered[plain]',
    });
    const target = failingTarget({ fails: () => true, symptomOf: ofMode, budget: 1 });
    const draws = [{ stream: true }, { temperature: 1.25 }, { temperature: 1.25, top_p: 0.5, stream: true }];
    const failing = draws.map((fields, index) => target.failing(drawOf(index + 1, drawn(fields))));
    const { causes, open } = await findCauses(failing, target);
    expect([causes.map((cause) => cause.draws), open.map(({ draw }) => draw.number)]).toEqual([[[1, 3]], [2]]);
  });

  const twoCalls = (requests: readonly DrawnRequest[]): boolean => requests.length > 1;
  const passing = { isPassing: true } as const;

  it('only at first in a sequence have a cause if the whole sequence fails each time', async () => {
    const target = failingTarget({ fails: twoCalls, symptom: passing });
    const { causes } = await findCauses([target.failing(drawOf(3, drawn({ top_p: 1 }), drawn(), drawn()))], target);
    expect(causes.map(({ smallest: { requests }, isShrunk }) => [requests.length, isShrunk])).toEqual([[2, true]]);
  });

  it('only at first in a sequence are no finding if it does not fail each time', async () => {
    for (const last of [1, 2, 3, 5]) {
      const target = failingTarget({
        fails: (requests, times) => twoCalls(requests) && times < last,
        symptom: passing,
      });
      const { causes, passed } = await findCauses([target.failing(drawOf(3, drawn({ top_p: 1 }), drawn()))], target);
      expect([causes, [...passed.keys()]]).toEqual([[], [3]]);
    }
  });

  it('once, and pass when they are asked again, are no finding', async () => {
    const target = failingTarget({ fails: () => false });
    const { causes, passed } = await findCauses([target.failing(drawOf(5, drawn()))], target);
    expect(causes).toEqual([]);
    expect([...passed.keys()]).toEqual([5]);
  });

  it('and pass when they are asked again come after sequences', async () => {
    const target = failingTarget({ fails: twoCalls, budget: 30 });
    const singles = Array.from({ length: 40 }, (_, index) => drawOf(index + 1, drawn({ top_p: index / 50 })));
    const draws = [...singles, drawOf(41, drawn({ top_p: 1 }), drawn(), drawn())];
    const { causes } = await findCauses(draws.map(target.failing), target);
    expect(causes.map(({ smallest: { requests } }) => requests.length)).toEqual([2]);
  });

  it('without an answer are shrunk too', async () => {
    const silent = { silence: 'timeout', level: 'observe', check: 'refused' } as const;
    const target = failingTarget({ fails: above('temperature', 1), symptom: silent });
    const failing = [target.failing(drawOf(1, drawn({ temperature: 2, top_p: 0.5 })))];
    const { causes } = await findCauses(failing, target);
    expect(causes.map(({ isShrunk, difference }) => [isShrunk, difference.map(({ pointer }) => pointer)])).toEqual([
      [true, ['/temperature']],
    ]);
    expect(target.log[0]?.requests).toEqual(failing[0]?.draw.requests);
  });

  it('and cannot be asked again stay open', async () => {
    const target = failingTarget({ fails: () => true, budget: 0 });
    const { causes, open } = await findCauses([target.failing(drawOf(6, drawn()))], target);
    expect([causes, open.map(({ draw }) => draw.number)]).toEqual([[], [6]]);
  });

  it('and cannot be asked again stay open if several causes show in the same way', async () => {
    const isHigh = ([request]: readonly DrawnRequest[]): boolean =>
      ['temperature', 'top_p'].some((name) => Number(request?.body[name] ?? 0) > 0.8);
    const hasText = (requests: readonly DrawnRequest[]): boolean => /sea/.test(JSON.stringify(requests));
    const fails = (requests: readonly DrawnRequest[]): boolean => isHigh(requests) || hasText(requests);
    const high = [{ temperature: 1.7 }, { top_p: 0.95 }].map((fields, at) => drawOf(at + 1, drawn(fields)));
    const count = failingTarget({ fails });
    await findCauses(high.map(count.failing), count);
    const target = failingTarget({ fails, budget: count.log.length });
    const low = { temperature: 0.1, messages: [{ role: 'user', content: 'The sea, the sea, the sea.' }] };
    const { causes, open } = await findCauses([...high, drawOf(3, drawn(low))].map(target.failing), target);
    expect(causes.map(({ draws }) => draws)).toEqual([[2], [1]]);
    expect(open.map(({ draw }) => draw.number)).toEqual([3]);
  });

  it('and cannot be asked again count as drawn if the answer is wrong', async () => {
    const wrong = [{ isOfTopic: false }, { check: 'refused' }];
    for (const symptom of wrong) {
      const target = failingTarget({ fails: () => true, budget: 0, symptom });
      const { causes, open } = await findCauses(
        [6, 7].map((number) => target.failing(drawOf(number, drawn()))),
        target,
      );
      expect([causes.map(({ draws, isShrunk }) => [draws, isShrunk]), open]).toEqual([[[[6, 7], false]], []]);
    }
  });

  it('and cannot be asked again count as drawn once for each case, whatever came first', async () => {
    const finding = { actualType: '5xx', actual: { kind: 'status', status: 502 } } as Symptom['finding'];
    const ofMode = ({ body }: DrawnRequest) => ({
      case: body['stream'] === true ? 'explore/answered[stream]' : 'explore/answered[plain]',
      finding,
    });
    const target = failingTarget({ fails: () => true, symptomOf: ofMode, budget: 0 });
    const draws = [{}, { stream: true }, {}, { stream: true }].map((fields, at) => drawOf(at + 1, drawn(fields)));
    const failing = draws.map(target.failing).map((each) => {
      const { exchange } = each;
      return { ...each, exchange: { ...exchange, attempts: [...exchange.attempts, ...exchange.attempts] } };
    });
    const { causes } = await findCauses(failing, target);
    expect(causes.map((cause) => cause.draws)).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it('and cannot be asked again count as drawn if a 5xx stayed', async () => {
    const finding = { actualType: '5xx', actual: { kind: 'status', status: 500 } } as Symptom['finding'];
    const target = failingTarget({ fails: () => true, budget: 0, symptom: { finding } });
    const once = target.failing(drawOf(6, drawn()));
    const { exchange } = once;
    const thrice = { ...exchange, attempts: [...exchange.attempts, ...exchange.attempts] };
    expect((await findCauses([once], target)).open).toEqual([once]);
    const { causes, open } = await findCauses([{ ...once, exchange: thrice }], target);
    expect([causes.map(({ draws }) => draws), open]).toEqual([[[6]], []]);
  });

  it('by a wrong answer are not asked again before they are shrunk', async () => {
    const target = failingTarget({ fails: () => false, symptom: { isOfTopic: false } });
    const { causes, passed } = await findCauses([target.failing(drawOf(8, drawn({ top_p: 1 })))], target);
    expect(causes).toMatchObject([{ isShrunk: false, draws: [8] }]);
    expect(passed.size).toBe(0);
  });
});
