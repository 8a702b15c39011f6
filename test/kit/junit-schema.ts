/** The shape of a JUnit file that Jenkins, GitLab and GitHub's reporters agree on, as a table, and what a file has against it. */
import type { XmlElement } from './xml.ts';

interface Shape {
  readonly attributes: Readonly<Record<string, RegExp>>;
  readonly optional?: Readonly<Record<string, RegExp>>;
  /** In this order: how often each may stand. */
  readonly children: readonly (readonly [names: readonly string[], least: number, most: number])[];
  readonly text?: boolean;
}

const ANY = /^[^\n]*$/;
const NAME = /^[^\n]+$/;
const WHOLE = /^\d+$/;
const SECONDS = /^\d+\.\d{3}$/;
const MANY = Infinity;
const COUNTS = { name: NAME, tests: WHOLE, failures: WHOLE, errors: WHOLE, time: SECONDS };

const SHAPES: Readonly<Record<string, Shape>> = {
  testsuites: { attributes: COUNTS, children: [[['testsuite'], 0, MANY]] },
  testsuite: {
    attributes: { ...COUNTS, skipped: WHOLE, timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/ },
    children: [
      [['properties'], 0, 1],
      [['testcase'], 1, MANY],
    ],
  },
  testcase: {
    attributes: { name: NAME, classname: NAME, time: SECONDS },
    optional: { file: NAME, line: WHOLE },
    children: [
      [['properties'], 0, 1],
      [['failure', 'error', 'skipped'], 0, 1],
      [['system-out'], 0, 1],
    ],
  },
  properties: { attributes: {}, children: [[['property'], 1, MANY]] },
  property: { attributes: { name: NAME, value: ANY }, children: [] },
  failure: { attributes: { type: NAME, message: NAME }, children: [], text: true },
  error: { attributes: { type: NAME, message: NAME }, children: [], text: true },
  skipped: { attributes: { message: NAME }, children: [] },
  'system-out': { attributes: {}, children: [], text: true },
};

export function junitProblems(root: XmlElement): readonly string[] {
  return root.name === 'testsuites' ? problemsOf(root) : [`the root is ${root.name}`];
}

function problemsOf(element: XmlElement): readonly string[] {
  const shape = SHAPES[element.name];
  if (shape === undefined) return [`unknown element ${element.name}`];
  return [
    ...attributeProblems(element, shape),
    ...childProblems(element, shape),
    ...(!shape.text && element.text.trim() !== '' ? [`text in ${element.name}`] : []),
    ...element.children.flatMap(problemsOf),
  ];
}

function attributeProblems({ name, attributes }: XmlElement, shape: Shape): readonly string[] {
  const known = { ...shape.attributes, ...shape.optional };
  return [
    ...Object.keys(shape.attributes)
      .filter((key) => attributes[key] === undefined)
      .map((key) => `${name} has no ${key}`),
    ...Object.entries(attributes)
      .filter(([key, value]) => !known[key]?.test(value))
      .map(([key, value]) => `${name} has ${key}=${value}`),
  ];
}

function childProblems({ name, children }: XmlElement, shape: Shape): readonly string[] {
  let rest = children;
  const problems: string[] = [];
  for (const [names, least, most] of shape.children) {
    const end = rest.findIndex((child) => !names.includes(child.name));
    const number = end === -1 ? rest.length : end;
    if (number < least || number > most) problems.push(`${name} has ${number} of ${names.join(' or ')}`);
    rest = rest.slice(number);
  }
  return rest.length === 0 ? problems : [...problems, `${name} has a ${rest[0]?.name} out of place`];
}
