/** The second key: its list and one call of a model of that list are its control, before the load. */
import { wasAnswered } from '../exchange/reading/answered.ts';
import type { Keys } from '../settings.ts';
import type { KeyUse } from '../suite/case.ts';
import type { AloneCalls } from './alone-calls.ts';
import { modelOfOtherKey } from './preflight.ts';

export class OtherKey {
  readonly role: KeyUse;
  /** That it may call; undefined if it got no reply alone. Then it only lists. */
  model: string | undefined;

  constructor(role: KeyUse) {
    this.role = role;
  }

  /** `model`: that the first key calls. */
  async ask(alone: AloneCalls, model: string): Promise<void> {
    const list = await alone.list(this.role, 'before');
    this.model = list && modelOfOtherKey(list, model);
    if (this.model === undefined) return;
    const control = await alone.control(true);
    if (!control || !wasAnswered(control)) this.model = undefined;
  }
}

/** Undefined if the user gave none. */
export function findOtherKey(keys: Keys, hasUpstream: boolean): OtherKey | undefined {
  const role = hasUpstream ? 'second' : 'restricted';
  return keys[role] === undefined ? undefined : new OtherKey(role);
}
