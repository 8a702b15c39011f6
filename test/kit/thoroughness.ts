/**
 * `npm test` leaves out what shows much the same once more: five of six hostile targets, requests of the same kind in a
 * hostile run, and pages in every combination of colours and width. `.ci/run` sets this variable, and leaves out nothing.
 */
export const IS_THOROUGH = process.env['WIRECHECK_TESTS'] === 'all';
