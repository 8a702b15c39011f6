/** The frame of every page: one self-contained file that may load nothing, with a header, the contents and a footer. */
import { createHash } from 'node:crypto';
import { readSourceFile } from '../../contract/package-files.ts';
import { groupDigits, inert } from '../../text/layout.ts';
import { LOOKS, type Shade } from '../looks.ts';
import { Markup, type HtmlPiece, html } from './markup.ts';

export interface DocumentSection {
  readonly id: string;
  readonly title: string;
  /** How many entries it has. */
  readonly count?: number | undefined;
}

interface DocumentParts {
  readonly title: string;
  /** It stands beside the name of the tool. */
  readonly subtitle: string;
  readonly version: string;
  /** The icon on the browser's tab shows it. */
  readonly shade: Shade;
  /** Style sheets beyond those of every page, by name. */
  readonly styles: readonly string[];
  /** Scripts of the page, by name; a page with any also has copy buttons and a choice of colours. */
  readonly scripts: readonly string[];
  /** Its server tells it when it changes. */
  readonly isLive?: boolean;
  /** Absent for a column with the contents beside it. */
  readonly layout?: string;
  readonly sections: readonly DocumentSection[];
  readonly main: HtmlPiece;
  readonly footer: HtmlPiece;
}

const SHARED = ['palette', 'frame', 'overview', 'findings'];

export function renderDocument(parts: DocumentParts): string {
  const { title, subtitle, version, shade, styles, scripts, isLive, layout, sections, main, footer } = parts;
  const { fill, sign } = LOOKS[shade];
  // The verdict on the browser's tab, as an address that holds the image itself.
  const icon = readAsset('icon.svg').replace('FILL', fill).replace('SIGN', sign);
  const style = inlineAssets('style', 'css', [...SHARED, ...styles]);
  const script = scripts.length === 0 ? undefined : inlineAssets('script', 'js', ['controls', ...scripts]);
  const page = html`${DOCTYPE}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policyFor(style.source, script?.source, isLive)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content="wirecheck ${inert(version, 40)}" />
        <title>${title} (wirecheck)</title>
        <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}" />
        ${style.element}
      </head>
      <body ${layout !== undefined && html`class="${layout}"`}>
        <a class="skip" href="#main">Skip to the verdict</a>
        <header class="top">
          <p class="name">wirecheck <span class="quiet">${subtitle}</span></p>
          ${script && html`<button type="button" id="theme" hidden>Dark</button>`}
        </header>
        ${sections.length > 0 && renderContents(sections)}
        <main id="main" tabindex="-1">${main}</main>
        <footer>${footer}</footer>
        ${
          script &&
          html`<p id="announcement" class="unseen" role="status"></p>
            ${script.element}`
        }
      </body>
    </html>`;
  return `${page.text}\n`;
}

const DOCTYPE = new Markup('<!doctype html>');

function renderContents(sections: DocumentParts['sections']): Markup {
  return html`<nav class="contents" aria-label="Contents">
    <ul>
      ${sections.map(
        ({ id, title, count }) =>
          html`<li>
            <a href="#${id}"
              >${title}${count !== undefined && html` <span class="number">${groupDigits(count)}</span>`}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

/** Nothing may be loaded, sent or run but the style and the script of this file, known by their hashes. */
function policyFor(style: string, script: string | undefined, isLive = false): string {
  return [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${script}`]),
    ...(isLive ? ["connect-src 'self'"] : []),
    `style-src ${style}`,
    // The icon on the tab.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

const BLOCK_COMMENT = /^ *\/\*\*[^]*?\*\/\n/gm;

/** An element with the text of files, and its source in a content security policy. */
function inlineAssets(tag: 'style' | 'script', extension: 'css' | 'js', names: readonly string[]) {
  // Comments are for those who change the file.
  const text = names.map((name) => readAsset(`${name}.${extension}`).replaceAll(BLOCK_COMMENT, '')).join('\n');
  const hash = createHash('sha256').update(text).digest('base64');
  return { element: new Markup(`<${tag}>${text}</${tag}>`), source: `'sha256-${hash}'` };
}

/** Markup that holds no data, so that it lies beside its script. */
export function readFragment(file: string): Markup {
  const text = readAsset(file).replaceAll(/<!--[^]*?-->\n/g, '');
  return new Markup(
    text
      .trim()
      .replaceAll(/\s*\n\s*/g, '\n')
      .replaceAll('\n>', '>'),
  );
}

function readAsset(file: string): string {
  // Browsers hash inline text with plain line feeds, whatever a checkout made of them.
  return readSourceFile(`render/html/assets/${file}`).replaceAll('\r\n', '\n');
}
