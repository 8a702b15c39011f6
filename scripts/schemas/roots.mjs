// The types that our own files have. `schemas/files/config.schema.json` is made from the rows of the settings instead.

/**
 * @typedef {object} Root
 * @property {string} file The module that declares the type.
 * @property {string} type
 * @property {readonly string[]} [sharesWith] Schemas whose definitions it refers to, instead of having them itself.
 */

/** By the name of the schema. @type {Readonly<Record<string, Root>>} */
export const ROOTS = {
  clauses: { file: 'src/contract/read-clauses.ts', type: 'ClauseFile' },
  requests: { file: 'src/suite/suite-file.ts', type: 'RequestFile' },
  suite: { file: 'src/suite/suite-file.ts', type: 'SuiteFile' },
  'client-suite': { file: 'src/client/scenario.ts', type: 'ScenarioFile' },
  'relay-suite': { file: 'src/relay/load-relay-suite.ts', type: 'SuiteFile' },
  waivers: { file: 'src/report/excuses/waivers.ts', type: 'WaiverFile' },
  targets: { file: 'src/commands/targets/targets-file.ts', type: 'TargetsFile' },
  clients: { file: 'src/client/read-clients.ts', type: 'ClientsFile' },
  report: { file: 'src/report/report.ts', type: 'Report', sharesWith: ['traffic'] },
  recording: { file: 'src/recording/recording-line.ts', type: 'RecordingLine', sharesWith: ['traffic'] },
  comparison: { file: 'src/report/comparison/comparison.ts', type: 'Comparison', sharesWith: ['traffic', 'report'] },
  board: { file: 'src/render/board/board.ts', type: 'Board' },
};

/** The schema without a file of its own: the definitions that both of these have. */
export const SHARED = {
  name: 'traffic',
  by: ['report', 'recording'],
  description: 'Definitions that reports and recordings share.',
};
