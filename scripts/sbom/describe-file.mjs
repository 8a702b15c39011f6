// What stands beside each file that we ship: its checksum and its SBOM.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../root.mjs';
import { makeSbom, sha256 } from './sbom.mjs';
/** @import { Component, Part } from './sbom.mjs' */

/**
 * A line for people.
 * @param {string} folder
 * @param {string} name
 * @param {readonly Part[]} parts
 * @param {Component['type']} type
 */
export function describeFile(folder, name, parts, type = 'application') {
  const path = join(folder, name);
  const bytes = readFileSync(path);
  const { content: checksum } = sha256(bytes);
  writeFileSync(`${path}.sha256`, `${checksum}  ${name}\n`);
  writeFileSync(`${path}.cdx.json`, makeSbom(type, bytes, parts));
  const size = (bytes.length / 1024 / 1024).toFixed(1);
  return `${path}: wirecheck ${readManifest().version}, ${size} MB, SHA-256 ${checksum}`;
}
