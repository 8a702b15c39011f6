/** XML 1.0, as much of it as a JUnit file needs. */
import { inert } from '../../text/inert.ts';

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children?: readonly Element[];
  /** In place of children. */
  readonly lines?: readonly string[];
}

/** Long texts are already cut; this only bounds the file. */
const MAX_LENGTH = 10_000;

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Inert text has no character that XML cannot represent, and no line end; `]]>` loses its last character. */
function text(value: string): string {
  return inert(value, MAX_LENGTH).replaceAll(/[&<>"]/g, (character) => REFERENCES[character] ?? '');
}

export function xmlDocument(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}\n`;
}

function write({ name, attributes, children = [], lines = [] }: Element, indent: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(String(value))}"`);
  const start = `${indent}<${name}${list.join('')}`;
  if (lines.length > 0) return `${start}>\n${lines.map(text).join('\n')}\n${indent}</${name}>`;
  if (children.length === 0) return `${start}/>`;
  return `${start}>\n${children.map((child) => write(child, `${indent}  `)).join('\n')}\n${indent}</${name}>`;
}
