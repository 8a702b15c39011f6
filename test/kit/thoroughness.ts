/**
 * `npm test` leaves out what shows much the same once more: eleven of twelve hostile targets, requests of the same kind in
 * a hostile run, pages in light colours and wide, two of three places where a recording is cut, what is
 * made of the package (`test/shipped`), and series of whole runs (`test/thorough`). `.ci/run` sets this variable and leaves
 * out only the subjects of the self-test, since its next step tries each of them.
 */
export const IS_THOROUGH = process.env['WIRECHECK_TESTS'] === 'all';
