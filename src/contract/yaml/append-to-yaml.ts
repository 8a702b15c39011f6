/** Adds to a YAML file that people wrote, and leaves their comments and their order as they are. */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { parseYaml } from './yaml-document.ts';

const require = createRequire(import.meta.url);

/** The text with one more item at the end of the list under a key; the list is made where there is none. */
export function appendToYamlList(text: string, file: string, key: string, item: object): string {
  // Says what is wrong with the file, and on which line.
  parseYaml(text, file);
  const { isMap, isSeq, parseDocument }: typeof Yaml = require('yaml');
  const document = parseDocument(text, { schema: 'core' });
  const list = document.get(key);
  if (isSeq(list)) {
    list.flow = false;
    list.add(document.createNode(item));
  } else if (isMap(document.contents) || document.contents === null) {
    document.set(key, document.createNode([item]));
  }
  return document.toString({ lineWidth: 0, indentSeq: !/^- /m.test(text) });
}
