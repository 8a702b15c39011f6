/** The style sheets, the script and the icon of the pages: files in `assets/`, inlined so that a page is one file. */
import { createHash } from 'node:crypto';
import { readFileBeside } from '../../contract/package-files.ts';
import { Markup } from './markup.ts';

/** An element with the text of files, and its source in a content security policy. */
export interface Inlined {
  readonly element: Markup;
  readonly source: string;
}

export function inlineAssets(tag: 'style' | 'script', files: readonly string[]): Inlined {
  const text = files.map(readAsset).join('\n');
  const hash = createHash('sha256').update(text).digest('base64');
  return { element: new Markup(`<${tag}>${text}</${tag}>`), source: `'sha256-${hash}'` };
}

export function readAsset(file: string): string {
  // Browsers hash inline text with plain line feeds, whatever a checkout made of them.
  return readFileBeside(import.meta.url, `./assets/${file}`).replaceAll('\r\n', '\n');
}
