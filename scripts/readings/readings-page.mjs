// `docs/readings.md`, made from the readings. A test keeps the file equal to this.
import { anchorOfReading, loadReadings } from '../../build/src/contract/explanations.js';
/** @import { Reading } from '../../build/src/contract/explanations.js' */

const INTRODUCTION = `# How the contract is read

<!-- Generated from schemas/v1/readings.yaml: change the reading there, then run \`npm run readings\`. -->

The [contract](contract.md) is short, and leaves many points open. Where its words leave a choice, one of these readings
settles it: strict enough to find broken gateways, and never stricter than the contract.
Every clause rests on at least one of them: \`wirecheck explain CLAUSE\` names it.

A number never changes and is never used again. The date says when this reading was adopted.
[CONTRIBUTING.md](../CONTRIBUTING.md#readings) says how a reading is disputed and changed.

`;

/** @returns {string} */
export function readingsPage() {
  const readings = loadReadings();
  const list = readings.map((reading) => `- [${titleOf(reading)}](#${anchorOfReading(reading)})\n`).join('');
  return `${INTRODUCTION}${list}${readings.map(sectionOf).join('')}`;
}

/** @param {Reading} reading */
function sectionOf(reading) {
  const { date, text, reason, considered, clauses } = reading;
  return `
<a id="${anchorOfReading(reading)}"></a>

## ${titleOf(reading)}

*Since ${date}.* ${text}

**Reason.** ${reason}

**Also considered.** ${considered}

**Clauses.** ${clauses.map((clause) => `\`${clause}\``).join(', ')}
`;
}

/** @param {Reading} reading */
function titleOf({ number, title }) {
  return `${number}. ${title}`;
}
