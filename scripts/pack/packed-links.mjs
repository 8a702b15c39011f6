// Links of the packed documents: in the package, a link to a file of the repository alone would lead nowhere.
import { readdirSync } from 'node:fs';
import { posix } from 'node:path';

/** npm packs these in any case. */
const ALWAYS = ['package.json', 'README.md', 'LICENSE'];

/**
 * Whether npm packs a file or a folder.
 * @param {string} path
 * @param {readonly string[]} files of package.json: names, folders, and `folder/*.ext`
 */
function isPacked(path, files) {
  return [...ALWAYS, ...files].some((entry) => {
    if (!entry.includes('*')) return path === entry || path.startsWith(`${entry}/`);
    return posix.dirname(path) === posix.dirname(entry) && path.endsWith(posix.extname(entry));
  });
}

/**
 * Every packed document of ours, by its path.
 * @param {readonly string[]} files
 */
export function packedDocuments(files) {
  const folders = ['.', 'docs', 'schemas', 'suites', 'profiles', 'templates', 'vectors'];
  return folders
    .flatMap((folder) => readdirSync(folder).map((name) => posix.join(folder, name)))
    .filter((path) => path.endsWith('.md') && isPacked(path, files));
}

const PICTURE = /<picture>.*?<\/picture>\n*/gs;
/** A line of its own. */
const DRAWING = /^!\[[^[\]]*\]\(([^()\s]+)\)\n+/gm;
const LINK = /!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^()\s]+)\)/g;

/**
 * The text of a document in which links to files that are not packed are only their words. Without its picture, a caption
 * says nothing.
 * @param {string} text
 * @param {string} file its path
 * @param {readonly string[]} files
 */
export function withoutDeadLinks(text, file, files) {
  /** @param {string} target */
  const isDead = (target) => {
    if (/^[a-z]+:|^#/.test(target)) return false;
    return !isPacked(posix.join(posix.dirname(file), target.replace(/#.*$/, '')), files);
  };
  return text
    .replaceAll(PICTURE, (whole) => (isDead(/src="([^"]*)"/.exec(whole)?.[1] ?? '#') ? '' : whole))
    .replaceAll(DRAWING, (whole, target) => (isDead(target) ? '' : whole))
    .replaceAll(LINK, (whole, words, target) => (isDead(target) ? words : whole));
}

/**
 * The links of a document to other files, as they are written. Those in blocks of code are text.
 * @param {string} text
 */
export function linksIn(text) {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  const found = [...prose.matchAll(/\]\(([^()\s]+)\)|(?:src|srcset|href)="([^"]*)"/g)];
  return found.map(([, link, attribute]) => link ?? attribute ?? '').filter((link) => !/^[a-z]+:|^#/.test(link));
}
