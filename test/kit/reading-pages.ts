/** Reads a page back: its text, its tags, one of its sections. */
import type { Report } from '../../src/report/report.ts';
import { render } from '../../src/render/index.ts';

export const page = (report: Report) => render(report, 'html');
/** The text without tags. */
export const textOf = (html: string) =>
  html
    .replaceAll(/<(style|script)>.*?<\/\1>/gs, '')
    .replaceAll('<wbr />', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
/** Every tag with the names of its attributes, without their values. */
export const tagsOf = (html: string) =>
  (html.replaceAll(/<(style|script)>.*?<\/\1>/gs, '').match(/<(?:[^"<>]|"[^"]*")*>?/g) ?? []).map((tag) =>
    tag
      .replaceAll(/"[^"]*"/g, '')
      .replaceAll(/\s+/g, ' ')
      .replace(' >', '>'),
  );
export const sectionOf = (html: string, id: string) =>
  html.match(new RegExp(`<section id="${id}".*?</section>`, 's'))?.[0] ?? '';
