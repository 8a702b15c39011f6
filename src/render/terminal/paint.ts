/** Colour, decided once by whoever asks for the text. Nothing is said by colour alone. */
export const TONES = ['bad', 'unsure', 'warn', 'good', 'quiet', 'strong'] as const;
export type Tone = (typeof TONES)[number];
export type Paint = (tone: Tone, text: string) => string;

/** SGR codes. `util.styleText` is not used: whether it looks at NO_COLOR differs between the Node versions we run on. */
const SGR: Record<Tone, number> = { bad: 31, unsure: 35, warn: 33, good: 32, quiet: 2, strong: 1 };

export function painter(colour: boolean): Paint {
  return colour ? (tone, text) => `\u001b[${SGR[tone]}m${text}\u001b[0m` : (_tone, text) => text;
}
