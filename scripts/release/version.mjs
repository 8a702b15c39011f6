// The version in package.json and package-lock.json.
import { ReleaseError } from './release-error.mjs';

const PLAIN_VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/**
 * The version to release.
 *
 * @param {string | undefined} text
 * @param {string} current
 */
export function readVersion(text, current) {
  const wanted = partsOf(text ?? '');
  if (text === undefined || wanted === undefined) {
    throw new ReleaseError(`Give the version as three numbers, such as 1.2.3: \`npm run release -- VERSION\`.`);
  }
  const older = partsOf(current) ?? [];
  const difference = wanted.map((part, index) => part - (older[index] ?? 0)).find((each) => each !== 0) ?? 0;
  if (difference < 0) throw new ReleaseError(`${text} is older than ${current} in package.json. Choose a newer one.`);
  return text;
}

/** @param {string} version */
function partsOf(version) {
  return PLAIN_VERSION.exec(version)?.slice(1).map(Number);
}

/**
 * The text of package.json with another version.
 *
 * @param {string} text
 * @param {string} version
 */
export function setVersion(text, version) {
  return toText({ ...JSON.parse(text), version });
}

/**
 * The text of package-lock.json, which has the version twice.
 *
 * @param {string} text
 * @param {string} version
 */
export function setLockedVersion(text, version) {
  const lock = JSON.parse(text);
  const packages = { ...lock.packages, '': { ...lock.packages[''], version } };
  return toText({ ...lock, version, packages });
}

/** As npm writes it. @param {unknown} value */
function toText(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
