import { describe, expect, it } from 'vitest';
import { drawn, drawOf, failingTarget } from '../../../test/kit/failing-draws.ts';
import type { DrawnRequest } from './drawn-request.ts';
import { findCauses } from './find-causes.ts';

describe('Draws that fail', () => {
  const hungUp = { key: 'hang-up', case: 'errors/every-error-body[json]', isOfTopic: false, check: 'error-body' };
  const breaksLimit = ([request]: readonly DrawnRequest[]): boolean =>
    ['temperature', 'top_p'].some((name) => Number(request?.body[name] ?? 0) < 0);

  it('with violations of several kinds alike have one cause, and none of them is the difference', async () => {
    const draws = [{ top_p: -1 }, { temperature: -1 }, { top_p: -7, temperature: 1 }, { temperature: -9, top_p: 1 }];
    const all = draws.map((fields, index) => drawOf(index + 1, drawn(fields)));
    const sent = all.map((draw) => ({ draw, symptoms: [hungUp] }));
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
    const sent = all.map((draw) => ({ draw, symptoms: draw.requests.map(acceptedOf) }));
    const target = failingTarget({ fails: breaksLimit, symptomOf: acceptedOf, sent });
    const { causes } = await findCauses(all.map(target.failing), target);
    expect(causes.map(({ draws, difference, alike }) => [draws.length, difference, alike?.length])).toEqual([
      [3, [], 1],
    ]);
  });

  it('with violations of several kinds have a cause each if another violation does not', async () => {
    const draws = [{ top_p: -1 }, { temperature: -1 }].map((fields, index) => drawOf(index + 1, drawn(fields)));
    const other = { draw: drawOf(3, drawn({ max_tokens: 0 })), symptoms: [] };
    const sent = [...draws.map((draw) => ({ draw, symptoms: [hungUp] })), other];
    const target = failingTarget({ fails: breaksLimit, symptom: hungUp, sent });
    const { causes } = await findCauses(draws.map(target.failing), target);
    expect(causes.map(({ draws: own, difference: [place] }) => [own, place?.pointer])).toEqual([
      [[1], '/top_p'],
      [[2], '/temperature'],
    ]);
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
