// Node in an SBOM, with the libraries that are compiled into it.
import { readFileSync } from 'node:fs';
import { packageUrl, sha256 } from './sbom.mjs';
/** @import { Part } from './sbom.mjs' */

/** Numbers of interfaces and of tables, not of libraries. */
const NO_LIBRARIES = ['node', 'modules', 'napi', 'cldr', 'tz', 'unicode'];

/** @returns {Part} */
export function nodeComponent() {
  const version = process.versions.node;
  const ref = packageUrl('generic', 'node', version);
  const libraries = Object.entries(process.versions).flatMap(([name, own]) =>
    NO_LIBRARIES.includes(name) || !own ? [] : [{ name, version: own }],
  );
  return {
    component: {
      type: 'platform',
      'bom-ref': ref,
      name: 'node',
      version,
      hashes: [sha256(readFileSync(process.execPath))],
      cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
      purl: ref,
      components: libraries.map((library) => ({
        type: 'library',
        'bom-ref': `${ref}#${library.name}`,
        ...library,
        purl: packageUrl('generic', library.name, library.version),
      })),
    },
    needs: [],
  };
}
