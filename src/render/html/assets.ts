/** The style sheets, the script and the icon of the pages: files in `assets/`, inlined so that a page is one file. */
import { createHash } from 'node:crypto';
import { readSourceFile } from '../../contract/package-files.ts';
import { Markup } from './markup.ts';

const BLOCK_COMMENT = /^ *\/\*\*[^]*?\*\/\n/gm;

/** An element with the text of files, and its source in a content security policy. */
export interface Inlined {
  readonly element: Markup;
  readonly source: string;
}

export function inlineAssets(tag: 'style' | 'script', files: readonly string[]): Inlined {
  // Comments are for those who change the file.
  const text = files.map((file) => readAsset(file).replaceAll(BLOCK_COMMENT, '')).join('\n');
  const hash = createHash('sha256').update(text).digest('base64');
  return { element: new Markup(`<${tag}>${text}</${tag}>`), source: `'sha256-${hash}'` };
}

export function readAsset(file: string): string {
  // Browsers hash inline text with plain line feeds, whatever a checkout made of them.
  return readSourceFile(`render/html/assets/${file}`).replaceAll('\r\n', '\n');
}
