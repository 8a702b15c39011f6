/**
 * The code of a system error, such as ENOENT, which the types of Node do not promise.
 * @param {Error} error
 */
export function errorCode(error) {
  return 'code' in error ? String(error.code) : error.message;
}
