export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Installed in a project, wirecheck is not on the path. An alias would not do: zsh completes what it stands for. */
const LEAD = '# Installed with npm in a project? Then define the command in the start-up file of your shell:';

export const AFTER_INSTALL = {
  posix: `${LEAD}\n#   wirecheck() { npx --no-install wirecheck "$@"; }`,
  fish: `${LEAD}\n#   function wirecheck; npx --no-install wirecheck $argv; end`,
} as const;
