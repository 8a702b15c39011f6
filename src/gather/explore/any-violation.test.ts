import { describe, expect, it } from 'vitest';
import { drawn, drawOf, failingTarget, symptomAt } from '../../../test/kit/failing-draws.ts';
import type { Draw, DrawnRequest } from './drawn-request.ts';
import { findCauses } from './find-causes.ts';
import type { Symptom } from './symptoms.ts';

describe('Draws that fail', () => {
  const hungUp = { key: 'hang-up', case: 'errors/every-error-body[json]', isOfTopic: false, check: 'error-body' };

  const breaksLimit = ([request]: readonly DrawnRequest[]): boolean =>
    ['temperature', 'top_p'].some((name) => Number(request?.body[name] ?? 0) < 0);

  it('with violations of several kinds alike have one cause, and none of them is the difference', async () => {
    const draws = [{ top_p: -1 }, { temperature: -1 }, { top_p: -7, temperature: 1 }, { temperature: -9, top_p: 1 }];
    const all = draws.map((fields, index) => drawOf(index + 1, drawn(fields)));
    const sent = all.map((draw) => ({ draw, symptoms: [symptomAt('', hungUp)] }));
    const target = failingTarget({ fails: breaksLimit, symptom: hungUp, sent });
    const failing = all.map(target.failing);
    const { causes } = await findCauses(failing, target);
    expect(causes.map(({ draws: own, difference }) => [own.toSorted((a, b) => a - b), difference])).toEqual([
      [[1, 2, 3, 4], []],
    ]);
  });

  it('with violations of several clauses that are all accepted have one cause, with what shows each clause', async () => {
    const acceptedOf = ({ body }: DrawnRequest) => {
      const name = 'top_p' in body ? 'top-p' : 'temperature';
      return { key: `accepted ${name}`, case: `explore/refused[limits.${name}]`, check: 'refused', isOfTopic: true };
    };
    const all = [{ top_p: -1 }, { temperature: -1 }, { top_p: -7 }].map((fields, at) => drawOf(at + 1, drawn(fields)));
    const sent = all.map((draw) => ({
      draw,
      symptoms: draw.requests.map((request) => symptomAt('', acceptedOf(request))),
    }));
    const target = failingTarget({ fails: breaksLimit, symptomOf: acceptedOf, sent });
    const { causes } = await findCauses(all.map(target.failing), target);
    expect(causes.map(({ draws, difference, alike }) => [draws.length, difference, alike?.others.length])).toEqual([
      [3, [], 1],
    ]);
  });

  it('with violations of several kinds have a cause each if another violation does not', async () => {
    const draws = [{ top_p: -1 }, { temperature: -1 }].map((fields, index) => drawOf(index + 1, drawn(fields)));
    const other = { draw: drawOf(3, drawn({ max_tokens: 0 })), symptoms: [] };
    const sent = [...draws.map((draw) => ({ draw, symptoms: [symptomAt('', hungUp)] })), other];
    const target = failingTarget({ fails: breaksLimit, symptom: hungUp, sent });
    const { causes } = await findCauses(draws.map(target.failing), target);
    expect(causes.map(({ draws: own, difference: [place] }) => [own, place?.pointer])).toEqual([
      [[1], '/top_p'],
      [[2], '/temperature'],
    ]);
  });

  describe('with violations of which one kind is refused as it should be', () => {
    const USER = { role: 'user', content: 'Say hello.' };
    const range = [{ top_p: -1 }, { temperature: -1 }, { max_tokens: 0 }];
    const refused = { draw: drawOf(9, drawn({ messages: [{ content: 'Say hello.' }] })), symptoms: [] };
    const serverError = (message: string): Partial<Symptom> => {
      const actual = { kind: 'status', status: 502, message: { quote: message, length: message.length } };
      const finding = { mismatch: 'status', actualType: '5xx', actual } as Symptom['finding'];
      return { case: 'explore/refused[limits.top-p]', check: 'no-server-error', finding };
    };
    const causesOf = async (
      all: readonly Draw[],
      fails: (request: DrawnRequest) => boolean,
      symptomOf: (request: DrawnRequest) => Partial<Symptom>,
    ) => {
      const sent = all.map((draw) => ({ draw, symptoms: draw.requests.map((each) => symptomAt('', symptomOf(each))) }));
      const isFailing = (requests: readonly DrawnRequest[]): boolean => requests.slice(-1).some(fails);
      const target = failingTarget({ fails: isFailing, symptomOf, sent: [...sent, refused] });
      const { causes } = await findCauses(all.map(target.failing), target);
      return causes.map(({ draws, difference }) => [draws.length, difference.length]);
    };
    const breaks = ({ body }: DrawnRequest): boolean =>
      ['top_p', 'temperature'].some((name) => Number(body[name] ?? 0) < 0) || body['max_tokens'] === 0;
    const draws = range.map((fields, at) => drawOf(at + 1, drawn(fields)));

    it('have one cause if those of three clauses get one 5xx with one text', async () => {
      expect(await causesOf(draws, breaks, () => serverError('Upstream failed'))).toEqual([[3, 0]]);
    });

    it('have a cause each if it is another text each time, or if there are but two clauses', async () => {
      const textOf = ({ body }: DrawnRequest): Partial<Symptom> => {
        const text = `No ${Object.keys(body).join(' ')}`;
        return { key: text, ...serverError(text) };
      };
      expect(await causesOf(draws, breaks, textOf)).toEqual(draws.map(() => [1, 1]));
      const two = draws.slice(0, 2);
      expect(await causesOf(two, breaks, () => serverError('Upstream failed'))).toEqual(two.map(() => [1, 1]));
    });

    it('have what they have in common as the difference if it takes more than the violation', async () => {
      const talks = range.map((fields, at) => drawOf(at + 1, drawn({ ...fields, messages: [USER, USER] })));
      const hasTwo = ({ body }: DrawnRequest): boolean => (body['messages'] as readonly unknown[]).length > 1;
      const ofBody = { key: 'code', case: 'errors/every-error-body[code]', isOfTopic: false, check: 'error-body' };
      expect(await causesOf(talks, hasTwo, () => ofBody)).toEqual([[3, 1]]);
    });
  });

  it('with violations of one kind have it as the difference', async () => {
    const target = failingTarget({ fails: breaksLimit, symptom: hungUp });
    const draws = [{ top_p: -1 }, { top_p: -7, temperature: 1 }];
    const failing = draws.map((fields, index) => target.failing(drawOf(index + 1, drawn(fields))));
    const { causes } = await findCauses(failing, target);
    expect(causes.map(({ draws: own, difference: [place] }) => [own, place?.pointer])).toEqual([[[1, 2], '/top_p']]);
  });

  it('with another violation stay open if nothing more can be asked', async () => {
    const silent = { silence: 'timeout', level: 'observe', check: 'refused' } as const;
    const count = failingTarget({ fails: breaksLimit, symptom: silent });
    await findCauses([count.failing(drawOf(1, drawn({ top_p: -1 })))], count);
    const target = failingTarget({ fails: breaksLimit, symptom: silent, budget: count.log.length });
    const draws = [{ top_p: -1 }, { temperature: -1, max_tokens: 20 }];
    const failing = draws.map((fields, index) => target.failing(drawOf(index + 1, drawn(fields))));
    const { causes, open } = await findCauses(failing, target);
    expect([causes.map((cause) => cause.draws), open.map(({ draw }) => draw.number)]).toEqual([[[1]], [2]]);
  });
});
