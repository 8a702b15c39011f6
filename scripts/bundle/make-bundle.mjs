// Makes wirecheck.mjs: the whole program in one file that Node runs without an install.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest, ROOT } from '../root.mjs';
import { describeFile } from '../sbom/describe-file.mjs';
import { packageComponents } from '../sbom/package-components.mjs';
/** @import { Program } from './make-program.mjs' */

const BUNDLE = 'wirecheck.mjs';

/**
 * Returns a line for people.
 * @param {string} folder
 * @param {Program} program
 */
export function makeBundle(folder, program) {
  writeFileSync(join(folder, BUNDLE), bundleText(program), { mode: 0o755 });
  return describeFile(folder, BUNDLE, packageComponents(program.packages));
}

/** @param {Program} program */
export function bundleText({ text, packages }) {
  const head = readFileSync(join(ROOT, 'scripts/bundle/head.mjs'), 'utf8').replace('VERSION', readManifest().version);
  return ['#!/usr/bin/env node', head, asComment(joinLicences(packages)), '//PROGRAM', asComment(text), ''].join('\n');
}

/** @param {string} text */
function asComment(text) {
  return `//${text.replaceAll('\n', '\n//')}`;
}

/**
 * Of wirecheck and of every package in the program.
 * @param {readonly string[]} packages
 */
export function joinLicences(packages) {
  return ['.', ...packages]
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
      const file = readdirSync(join(ROOT, folder)).find((name) => /^licen[cs]e/i.test(name));
      if (file === undefined) throw new Error(`${folder} has no licence file, so it cannot be bundled.`);
      const text = readFileSync(join(ROOT, folder, file), 'utf8')
        .replaceAll('©', '(c)')
        .trim();
      return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n\n`;
    })
    .join('');
}
