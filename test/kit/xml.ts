/** A strict reader of XML 1.0 without DTD, for the tests: what is not well-formed throws. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** The production `Char`: everything else may not stand in a document, not even as a reference. */
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const NAME = /[A-Za-z_][\w.-]*/y;

export function parseXml(document: string): XmlElement {
  const illegal = ILLEGAL.exec(document);
  if (illegal) throw new Error(`illegal character at ${illegal.index}`);
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!document.startsWith(declaration)) throw new Error('no XML declaration');
  let at = declaration.length;

  const fail = (what: string): never => {
    throw new Error(`${what} at ${at}: ${document.slice(at, at + 40)}`);
  };
  const take = (pattern: RegExp): string | undefined => {
    const sticky = new RegExp(pattern.source, 'uy');
    sticky.lastIndex = at;
    const [found] = sticky.exec(document) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const expectText = (text: string) => (document.startsWith(text, at) ? (at += text.length) : fail(`no ${text}`));

  function element(): XmlElement {
    expectText('<');
    const name = take(NAME) ?? fail('no name');
    const attributes: Record<string, string> = {};
    while (take(/\s+(?=[^/>])/) !== undefined) {
      const key = take(NAME) ?? fail('no attribute name');
      if (Object.hasOwn(attributes, key)) fail('an attribute twice');
      expectText('="');
      attributes[key] = decode(take(/[^"<\n]*/) ?? '');
      expectText('"');
    }
    if (take(/\s*\/>/) !== undefined) return { name, attributes, children: [], text: '' };
    expectText('>');
    const children: XmlElement[] = [];
    let text = '';
    while (!document.startsWith('</', at)) {
      if (document[at] === '<') children.push(element());
      else text += decode(take(/[^<]+/) ?? fail('no end'));
    }
    expectText(`</${name}>`);
    return { name, attributes, children, text };
  }

  function decode(raw: string): string {
    if (raw.includes(']]>')) fail(']]> in text');
    return raw.replaceAll(/&(?:([a-z]+|#\d+);)?/g, (_all, entity: string | undefined) => {
      if (entity === undefined) return fail('a bare ampersand');
      if (entity.startsWith('#')) return String.fromCodePoint(Number(entity.slice(1)));
      return ENTITIES[entity] ?? fail(`unknown entity ${entity}`);
    });
  }

  const root = element();
  if (document.slice(at) !== '\n') fail('something behind the root');
  return root;
}

/** Names and attribute names, without any text: what an injection would change. */
export function skeletonOf({ name, attributes, children }: XmlElement): unknown {
  return [name, Object.keys(attributes), children.map(skeletonOf)];
}

export function allOf(root: XmlElement, name: string): readonly XmlElement[] {
  return [...(root.name === name ? [root] : []), ...root.children.flatMap((child) => allOf(child, name))];
}
