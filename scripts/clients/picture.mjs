// docs/clients.svg: the scenarios as a picture, a column per client and a row per scenario that one of them fails.
import { formatResult, isFailing, listRows } from './scenarios.mjs';
/** @import { PlayedClient } from './scenarios.mjs' */

const CELL = { width: 92, height: 22 };
const LEFT = 420;
const TOP = 56;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .head { font-weight: 600 }
  .page { fill: #fff } .pass { fill: #dafbe1 } .fail { fill: #ffcecb } .none { fill: #eaeef2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .page { fill: #0d1117 } .pass { fill: #12361f } .fail { fill: #6e2522 } .none { fill: #21262d }
  }`;

/** @param {readonly PlayedClient[]} reports */
export function drawMatrix(reports) {
  const rows = listRows(reports).filter(({ results }) => results.some(isFailing));
  const [width, height] = [LEFT + reports.length * CELL.width + 8, TOP + rows.length * CELL.height + 8];
  const heads = reports.flatMap(({ client }, at) =>
    [client.name.replace(/ for .*/, ''), /(for .*)/.exec(client.name)?.[1] ?? '', client.version].map((line, part) =>
      drawText({ x: LEFT + (at + 0.5) * CELL.width, y: 16 + part * 15 }, line, {
        look: part < 2 ? 'head' : '',
        anchor: 'middle',
      }),
    ),
  );
  const cells = rows.flatMap(({ title, results }, row) => {
    const y = TOP + row * CELL.height;
    return [
      drawText({ x: 8, y: y + 15 }, title),
      ...results.flatMap((result, at) => {
        const x = LEFT + at * CELL.width;
        const look = isFailing(result) ? 'fail' : result === 'pass' ? 'pass' : 'none';
        return [
          `<rect class="${look}" x="${x + 1}" y="${y + 1}" width="${CELL.width - 2}" height="${CELL.height - 2}" rx="3"/>`,
          drawText({ x: x + CELL.width / 2, y: y + 15 }, formatResult(result), { anchor: 'middle' }),
        ];
      }),
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Stock clients and the scenarios that they fail">
<style>${STYLE}
</style>
<rect class="page" width="${width}" height="${height}"/>
${[...heads, ...cells].join('\n')}
</svg>
`;
}

/**
 * @param {{ x: number, y: number }} place
 * @param {string} words
 * @param {{ look?: string, anchor?: 'start' | 'middle' }} options `look`: a class of the style sheet
 */
function drawText({ x, y }, words, { look = '', anchor = 'start' } = {}) {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text${look && ` class="${look}"`} x="${x}" y="${y}" text-anchor="${anchor}">${escaped}</text>`;
}
