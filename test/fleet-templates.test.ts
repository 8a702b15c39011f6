/** The templates for a fleet, read as their engines read them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import { checkWorkflows } from './kit/check-workflow.ts';
import { findManifestProblems, readManifest } from './kit/kubernetes-manifest.ts';

const read = (template: string) => readFileSync(join(packageRoot(), 'templates', template), 'utf8');

it('The workflows for GitHub are what GitHub reads', () => {
  const files = ['github-fleet.yml', 'github-workflow.yml'];
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-workflow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of files) writeFileSync(join(folder, file), read(file).replace('runs-on', 'run-on'));
  const own = files.map((file) => join(packageRoot(), 'templates', file));
  const wrong = expect.stringContaining("Unexpected value 'run-on'");
  expect(checkWorkflows(...own, ...files.map((file) => join(folder, file)))).toEqual(['', '', wrong, wrong]);
});

describe('the manifest for Kubernetes', () => {
  const MANIFEST = read('kubernetes-fleet.yaml');
  const CLUSTER = { secrets: ['wirecheck-keys'], claims: ['wirecheck'] };
  const problemsOf = (text: string) => findManifestProblems(readManifest(text), CLUSTER).join('\n');

  it('has no fields that Kubernetes does not know, and no reference to what is not there', () => {
    expect(problemsOf(MANIFEST)).toBe('');
    for (const name of [...CLUSTER.secrets, ...CLUSTER.claims])
      expect(MANIFEST).toMatch(new RegExp(`^#.*\`${name}\``, 'm'));
  });

  const UNKNOWN = 'must NOT have additional properties';
  it.each([
    ['an API version', 'apiVersion: batch/v1', 'apiVersion: batch/v1beta1', '1/apiVersion must be equal to constant'],
    ['a kind', 'kind: Job', 'kind: Jobs', 'value of tag "kind" must be in oneOf'],
    ['a name', 'name: wirecheck-fleet\nspec', 'name: Wirecheck_Fleet\nspec', '1/metadata/name must match pattern'],
    ['an unquoted number in a ConfigMap', "'4'", '4', '0/data/SHARDS must be string'],
    ['a completion mode', 'Indexed', 'indexed', '1/spec/completionMode must be equal to one of'],
    ['indexed without completions', '  completions: 4\n', '', "1/spec must have required property 'completions'"],
    ['text for a number', 'parallelism: 4', "parallelism: '4'", '1/spec/parallelism must be integer'],
    ['a restart policy for other pods', 'restartPolicy: Never', 'restartPolicy: Always', 'restartPolicy must be equal'],
    ['no restart policy', '      restartPolicy: Never\n', '', "must have required property 'restartPolicy'"],
    ['a relative path', 'mountPath: /wirecheck', 'mountPath: wirecheck', '/mountPath must match pattern'],
    [
      'a command that is no list',
      'command: [node, --eval]',
      'command: node --eval',
      '/containers/0/command must be array',
    ],
    [
      'an unknown key of a resource',
      'spec:\n  completionMode',
      'specs: 1\nspec:\n  completionMode',
      `1 ${UNKNOWN} specs`,
    ],
    ['an unknown key of a ConfigMap', '\ndata:\n', '\ndate: x\ndata:\n', `0 ${UNKNOWN} date`],
    ['an unknown key of a Job', 'backoffLimit: 4', 'backOffLimit: 4', `1/spec ${UNKNOWN} backOffLimit`],
    ['an unknown key of a template', '    spec:\n', '    specs: 1\n    spec:\n', `1/spec/template ${UNKNOWN} specs`],
    ['an unknown key of a pod', 'automountServiceAccountToken', 'automountToken', `${UNKNOWN} automountToken`],
    ['an unknown key of a container', 'image:', 'imag:', `/containers/0 ${UNKNOWN} imag`],
    ['an unknown key of a mount', 'mountPath: /', 'readonly: true\n              mountPath: /', `${UNKNOWN} readonly`],
    [
      'an unknown key of a claim',
      'claimName: wirecheck',
      'claim: wirecheck',
      `/persistentVolumeClaim ${UNKNOWN} claim`,
    ],
    ['an unknown key of a reference', '                name: wirecheck-keys', '                key: k', 'envFrom/1'],
    [
      'a mount without a volume',
      '      volumes:\n        - name: wirecheck',
      '      volumes:\n        - name: other',
      'wirecheck-fleet: no volume wirecheck',
    ],
    [
      'a volume that nobody mounts',
      '      volumes:\n',
      '      volumes:\n        - { name: more, persistentVolumeClaim: { claimName: wirecheck } }\n',
      'wirecheck-fleet: volume more is not mounted',
    ],
    ['another claim', 'claimName: wirecheck', 'claimName: other', 'wirecheck-fleet: no volume claim other'],
    [
      'another ConfigMap',
      'configMapRef:\n                name: wirecheck-fleet',
      'configMapRef:\n                name: fleet',
      'wirecheck-fleet: no ConfigMap fleet',
    ],
    ['another secret', 'name: wirecheck-keys', 'name: keys', 'wirecheck-fleet: no secret keys'],
    ['a variable that is not set', '  RUN: run-1\n', '', 'wirecheck-fleet: check uses RUN, which is not set'],
    [
      'the index of a Job without one',
      'completionMode: Indexed',
      'completionMode: NonIndexed',
      'check uses JOB_COMPLETION_INDEX, which is not set',
    ],
    ['two Jobs of one name', 'name: wirecheck-board', 'name: wirecheck-fleet', 'two of Job wirecheck-fleet'],
    ['two containers of one name', '- name: board', '- name: wait', 'wirecheck-board: two of container wait'],
  ])('would not pass with %s', (_what, right, wrong, problem) => {
    expect(MANIFEST).toContain(right);
    expect(problemsOf(MANIFEST.replace(right, wrong))).toContain(problem);
  });
});
