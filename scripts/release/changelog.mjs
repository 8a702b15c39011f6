// Moves the unreleased entries of the changelog under a version.
import { ReleaseError } from './release-error.mjs';

const UNRELEASED = '## Unreleased';

/**
 * @param {string} text
 * @param {string} version
 * @param {string} date Such as `2026-11-16`.
 */
export function cutChangelog(text, version, date) {
  const lines = text.split('\n');
  const start = lines.indexOf(UNRELEASED);
  if (start === -1) throw new ReleaseError(`CHANGELOG.md has no line "${UNRELEASED}". Add it above the last version.`);
  if (lines.some((line) => line === `## ${version}` || line.startsWith(`## ${version} `))) {
    throw new ReleaseError(`CHANGELOG.md already has the version ${version}. Choose another.`);
  }
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  const end = next === -1 ? lines.length : next;
  const entries = dropEmptyHeadings(
    lines
      .slice(start + 1, end)
      .join('\n')
      .trim(),
  );
  if (!/^- /m.test(entries)) {
    throw new ReleaseError(`CHANGELOG.md has no entries under "${UNRELEASED}". Say what changed for users.`);
  }
  const section = [UNRELEASED, '', `## ${version} (${date})`, '', entries, ''];
  return `${[...lines.slice(0, start), ...section, ...lines.slice(end)].join('\n').trimEnd()}\n`;
}

/** @param {string} entries */
function dropEmptyHeadings(entries) {
  const parts = entries.split(/^(?=### )/m);
  return parts
    .filter((part) => !part.startsWith('### ') || part.trim().includes('\n'))
    .join('')
    .trim();
}
