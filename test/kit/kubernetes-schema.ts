/**
 * JSON Schema of the Kubernetes fields that a template uses, by the API reference of Kubernetes 1.30. All other fields are
 * refused, so that a misspelt one is noticed: a template that needs one more adds it here.
 */
const DNS_LABEL = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 };
const TEXTS = { type: 'array', items: { type: 'string' }, minItems: 1 };
const ABSOLUTE_PATH = { type: 'string', pattern: '^/[^:]*$' };

/** An object with these fields and no others. */
function objectOf(required: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}): object {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

const integer = (minimum: number): object => ({ type: 'integer', minimum });
const named = (field: string): object => objectOf({ [field]: objectOf({ name: DNS_LABEL }) });

const CONTAINER = objectOf(
  { name: DNS_LABEL, image: { type: 'string', minLength: 1 }, command: TEXTS },
  {
    args: TEXTS,
    workingDir: ABSOLUTE_PATH,
    envFrom: { type: 'array', items: { oneOf: [named('configMapRef'), named('secretRef')] } },
    volumeMounts: { type: 'array', items: objectOf({ name: DNS_LABEL, mountPath: ABSOLUTE_PATH }) },
  },
);

const POD = objectOf(
  // A Job may not restart its pods whatever their exit code.
  { restartPolicy: { enum: ['Never', 'OnFailure'] }, containers: { type: 'array', items: CONTAINER, minItems: 1 } },
  {
    automountServiceAccountToken: { type: 'boolean' },
    securityContext: objectOf({ fsGroup: integer(1) }),
    initContainers: { type: 'array', items: CONTAINER },
    volumes: {
      type: 'array',
      items: objectOf({ name: DNS_LABEL, persistentVolumeClaim: objectOf({ claimName: DNS_LABEL }) }),
    },
  },
);

const JOB = objectOf({
  apiVersion: { const: 'batch/v1' },
  kind: { const: 'Job' },
  metadata: objectOf({ name: DNS_LABEL }),
  spec: {
    ...objectOf(
      { template: objectOf({ spec: POD }) },
      {
        completionMode: { enum: ['Indexed', 'NonIndexed'] },
        completions: integer(1),
        parallelism: integer(0),
        backoffLimit: integer(0),
        activeDeadlineSeconds: integer(1),
      },
    ),
    if: { properties: { completionMode: { const: 'Indexed' } }, required: ['completionMode'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['completions'] },
  },
});

const CONFIG_MAP = objectOf({
  apiVersion: { const: 'v1' },
  kind: { const: 'ConfigMap' },
  metadata: objectOf({ name: DNS_LABEL }),
  data: { type: 'object', propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$' }, additionalProperties: { type: 'string' } },
});

/** By the kind of the resource. */
export const RESOURCE_SCHEMA = {
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [CONFIG_MAP, JOB],
};
