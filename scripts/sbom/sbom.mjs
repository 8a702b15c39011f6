// Writes an SBOM: CycloneDX 1.6 as JSON. It has no time and no serial number, so that two builds have the same.
import { createHash } from 'node:crypto';
import { readManifest } from '../root.mjs';

/**
 * A component, as CycloneDX has it. Only what we write.
 * @typedef {object} Component
 * @property {'application' | 'container' | 'library' | 'platform'} type
 * @property {string} bom-ref
 * @property {string} name
 * @property {string} [version]
 * @property {{ license: { id: string } }[]} [licenses]
 * @property {{ alg: 'SHA-256' | 'SHA-512', content: string }[]} [hashes]
 * @property {string} [cpe]
 * @property {string} [purl]
 * @property {{ name: string, value: string }[]} [properties]
 * @property {Component[]} [components]
 */

/**
 * A component with the references of those that it needs itself.
 * @typedef {{ component: Component, needs: readonly string[] }} Part
 */

/**
 * @param {Component['type']} type
 * @param {Buffer} bytes of the file that the SBOM describes
 * @param {readonly Part[]} parts
 */
export function makeSbom(type, bytes, parts) {
  const { name, version, license, dependencies } = readManifest();
  const ref = packageUrl('npm', name, version);
  const needed = new Set(parts.flatMap(({ needs }) => needs));
  const own = parts
    .map(({ component }) => component)
    .filter((each) => Object.hasOwn(dependencies, each.name) || !needed.has(each['bom-ref']))
    .map((each) => each['bom-ref']);
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type,
        'bom-ref': ref,
        name,
        version,
        hashes: [sha256(bytes)],
        licenses: [{ license: { id: license } }],
        purl: ref,
      },
    },
    components: parts.map(({ component }) => component),
    dependencies: [
      { ref, dependsOn: own },
      ...parts.map(({ component, needs }) => ({ ref: component['bom-ref'], dependsOn: needs })),
    ],
  };
  return `${JSON.stringify(sbom, undefined, 2)}\n`;
}

/**
 * @param {Buffer} bytes
 * @returns {{ alg: 'SHA-256', content: string }}
 */
export function sha256(bytes) {
  return { alg: 'SHA-256', content: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * https://github.com/package-url/purl-spec
 * @param {string} type
 * @param {string} name With its scope or distribution, such as `@scope/name`.
 * @param {string} version
 * @param {string} [qualifiers]
 */
export function packageUrl(type, name, version, qualifiers = '') {
  const path = name.split('/').map(encodeURIComponent).join('/');
  return `pkg:${type}/${path}@${encodeURIComponent(version)}${qualifiers}`;
}
