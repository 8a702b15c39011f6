/** Finds what Kubernetes would refuse, ignore or wait for in vain in a manifest of ConfigMaps and Jobs. */
import { parseAllDocuments } from 'yaml';
import { createAjv } from '../../src/contract/ajv.ts';
import { RESOURCE_SCHEMA } from './kubernetes-schema.ts';

interface ConfigMap {
  readonly kind: 'ConfigMap';
  readonly metadata: { readonly name: string };
  readonly data: Readonly<Record<string, string>>;
}

export interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly envFrom?: readonly { readonly configMapRef?: Named; readonly secretRef?: Named }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Named {
  readonly name: string;
}

interface Pod {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly persistentVolumeClaim: { readonly claimName: string };
  }[];
}

export interface Job {
  readonly kind: 'Job';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly completionMode?: string;
    readonly completions?: number;
    readonly parallelism?: number;
    readonly template: { readonly spec: Pod };
  };
}

export type Resource = ConfigMap | Job;

/** What the manifest expects in the cluster, by its own comment. */
export interface Cluster {
  readonly secrets: readonly string[];
  readonly claims: readonly string[];
}

export const readManifest = (text: string): readonly Resource[] =>
  parseAllDocuments(text).map((each) => each.toJS() as Resource);

const isResource = createAjv({ discriminator: true }).compile(RESOURCE_SCHEMA);

/** One line for each problem. */
export function findManifestProblems(resources: readonly Resource[], cluster: Cluster): readonly string[] {
  const wrong = resources.flatMap((resource, at) => {
    if (isResource(resource)) return [];
    return (isResource.errors ?? []).map(({ instancePath, message = '', params }) =>
      `${at}${instancePath} ${message} ${String(params['additionalProperty'] ?? '')}`.trimEnd(),
    );
  });
  // The references of something misshapen cannot be followed.
  if (wrong.length > 0) return wrong;
  const configs = new Map(
    resources.flatMap((each) => (each.kind === 'ConfigMap' ? [[each.metadata.name, each.data] as const] : [])),
  );
  return [
    ...findDuplicates(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`)),
    ...resources.flatMap((each) => (each.kind === 'Job' ? findJobProblems(each, configs, cluster) : [])),
  ];
}

type Configs = ReadonlyMap<string, ConfigMap['data']>;

function findJobProblems({ metadata, spec }: Job, configs: Configs, cluster: Cluster): readonly string[] {
  const { containers, initContainers = [], volumes = [] } = spec.template.spec;
  const all = [...initContainers, ...containers];
  const mounted = all.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name));
  const names = volumes.map(({ name }) => name);
  const claims = volumes.map(({ persistentVolumeClaim }) => persistentVolumeClaim.claimName);
  const given = spec.completionMode === 'Indexed' ? ['JOB_COMPLETION_INDEX'] : [];
  const problems = [
    ...findDuplicates(all.map(({ name }) => `container ${name}`)),
    ...findDuplicates(names.map((name) => `volume ${name}`)),
    ...missingFrom(names, mounted).map((name) => `no volume ${name}`),
    ...missingFrom(mounted, names).map((name) => `volume ${name} is not mounted`),
    ...missingFrom(cluster.claims, claims).map((name) => `no volume claim ${name}`),
    ...all.flatMap((container) => findEnvironmentProblems(container, configs, cluster, given)),
  ];
  return problems.map((problem) => `${metadata.name}: ${problem}`);
}

/** A variable that is not set is empty in a script, and nobody hears of it. */
function findEnvironmentProblems(
  { name, command, args = [], envFrom = [], volumeMounts = [] }: Container,
  configs: Configs,
  { secrets }: Cluster,
  given: readonly string[],
): readonly string[] {
  const configNames = envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? []);
  const secretNames = envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []);
  const set = [...given, ...configNames.flatMap((config) => Object.keys(configs.get(config) ?? {}))];
  // As Kubernetes puts it into a command, and as a script reads it.
  const used = [...command, ...args].flatMap((text) => text.match(/(?<=\$\(|process\.env\.)[A-Z][A-Z0-9_]*/g) ?? []);
  return [
    ...missingFrom([...configs.keys()], configNames).map((config) => `no ConfigMap ${config}`),
    ...missingFrom(secrets, secretNames).map((secret) => `no secret ${secret}`),
    ...missingFrom(set, used).map((variable) => `${name} uses ${variable}, which is not set`),
    ...findDuplicates(volumeMounts.map(({ mountPath }) => `mount ${mountPath}`)),
  ];
}

function missingFrom(known: readonly string[], wanted: readonly string[]): readonly string[] {
  return [...new Set(wanted)].filter((name) => !known.includes(name));
}

function findDuplicates(names: readonly string[]): readonly string[] {
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `two of ${name}`);
}
