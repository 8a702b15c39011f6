/** The options that make the reference gateway misbehave. */
import type { Command } from 'commander';
import type { Modifiers } from '../gateway.ts';
import { addTo } from '../settings/command-settings.ts';

export interface ModifierOptions {
  readonly fault?: readonly string[];
  readonly variant?: readonly string[];
  readonly oneIn?: string;
}

export function addModifiers(command: Command): Command {
  return command
    .option('--fault <ID>', 'make the gateway misbehave; `wirecheck list faults` lists the ids (repeatable)', addTo)
    .option(
      '--variant <ID>',
      'make it behave unusually but legally; `wirecheck list variants` lists the ids (repeatable)',
      addTo,
    )
    .option('--one-in <N>', 'only one of N replicas misbehaves; N/connection keeps each connection to one replica');
}

export function modifiersOf({ fault = [], variant = [], oneIn }: ModifierOptions): Modifiers {
  return { fault, variant, ...(oneIn !== undefined && { oneIn }) };
}
