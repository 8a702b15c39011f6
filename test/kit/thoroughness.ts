/**
 * `npm test` leaves out what shows the same once more: more requests of the same kind in a hostile run, and a page in every
 * combination of colours and width. `.ci/run` sets this variable, and leaves out nothing.
 */
export const IS_THOROUGH = process.env['WIRECHECK_TESTS'] === 'all';
