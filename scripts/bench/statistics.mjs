// Several runs of one thing in three numbers.

/** The median, and between what the runs lay. */
export function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median: rounded(median), low: rounded(sorted[0]), high: rounded(sorted.at(-1)), runs: sorted.length };
}

/** Four digits are more than any of this is exact to. */
function rounded(value) {
  return Number(value.toPrecision(4));
}

/** One summary for each field of the rounds. */
export function summaries(rounds) {
  return Object.fromEntries(Object.keys(rounds[0]).map((name) => [name, summary(rounds.map((round) => round[name]))]));
}

/** One round after another: what is compared is measured in the same minute. */
export async function repeat(times, measure) {
  const rounds = [];
  for (let round = 0; round < times; round += 1) rounds.push(await measure(round));
  return rounds;
}
