/** `--reporter summary`: Markdown, or a page if the file is one. */
import type { Format } from '../format.ts';
import { briefHtml } from './brief-html.ts';
import { briefMarkdown } from './brief-markdown.ts';

export const summary: Format = {
  summary: 'one page for a manager and a vendor: what is broken and who is affected; HTML if the file ends in .html',
  render: (report, { file = '', page }) =>
    /\.html?$/i.test(file) ? briefHtml(report, page) : briefMarkdown(report, page),
};
