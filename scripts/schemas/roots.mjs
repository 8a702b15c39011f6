// The types that our own files have. `schemas/files/config.schema.json` is made from the rows of the settings instead.

/**
 * @typedef {object} Root
 * @property {string} module The module of src/ that declares the type.
 * @property {string} type
 * @property {readonly string[]} [sharesWith] Schemas whose definitions it refers to, instead of having them itself.
 */

/** By the name of the schema. @type {Readonly<Record<string, Root>>} */
export const ROOTS = {
  clauses: { module: 'contract/read-contract', type: 'ClauseFile' },
  profile: { module: 'contract/profile/profile', type: 'ProfileFile' },
  requests: { module: 'suite/suite-file', type: 'RequestFile' },
  suite: { module: 'suite/suite-file', type: 'SuiteFile' },
  'client-suite': { module: 'gather/client/scenario', type: 'ScenarioFile' },
  'relay-suite': { module: 'gather/relay/read-relay-suite', type: 'RelaySuiteFile' },
  'load-suite': { module: 'gather/load/plan-load', type: 'LoadSuiteFile' },
  'explore-suite': { module: 'gather/explore/explore-cases', type: 'ExploreSuiteFile' },
  waivers: { module: 'report/excuses/waivers', type: 'WaiverFile' },
  targets: { module: 'commands/targets/read-targets', type: 'TargetsFile' },
  clients: { module: 'gather/client/read-clients', type: 'ClientsFile' },
  report: { module: 'report/report', type: 'Report', sharesWith: ['traffic'] },
  recording: { module: 'recording/recording-line', type: 'RecordingLine', sharesWith: ['traffic'] },
  comparison: { module: 'report/comparison/comparison', type: 'Comparison', sharesWith: ['traffic', 'report'] },
  board: { module: 'render/board/board', type: 'Board' },
  verification: { module: 'report/verification/verification', type: 'Verification' },
};

/** The schema without a file of its own: the definitions that both of these have. */
export const SHARED = {
  name: 'traffic',
  by: ['report', 'recording'],
  description: 'Definitions that reports and recordings share.',
};
