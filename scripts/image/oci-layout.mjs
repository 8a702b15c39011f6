// An OCI image layout: https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { readManifest } from '../root.mjs';
import { REPORTS, USER } from './root-files.mjs';
import { makeTar } from './tar.mjs';
/** @import { Entry } from './tar.mjs' */

const TYPE = 'application/vnd.oci.image';
/** A time of the build would give each build another digest. */
const CREATED = '1970-01-01T00:00:00Z';
/** As OCI calls what Node calls otherwise. */
const ARCHITECTURES = /** @type {Record<string, string>} */ ({ x64: 'amd64', ia32: '386' });

/**
 * The files of the layout by their path, and the digest of the image.
 * @param {readonly (readonly Entry[])[]} layers
 */
export function makeLayout(layers) {
  const archives = layers.map((entries) => makeTar(entries));
  const packed = archives.map((archive) => blobOf('layer.v1.tar+gzip', gzipSync(archive)));
  const config = blobOf('config.v1+json', toJson(configOf(archives.map(digestOf))));
  const manifest = blobOf(
    'manifest.v1+json',
    toJson({
      schemaVersion: 2,
      mediaType: `${TYPE}.manifest.v1+json`,
      config: config.descriptor,
      layers: packed.map(({ descriptor }) => descriptor),
      annotations: labels(),
    }),
  );
  const { name, version } = readManifest();
  // With the name: podman takes this for the whole name of an image that it loads. containerd reads its own.
  const tag = `${name}:${version}`;
  const ref = { 'org.opencontainers.image.ref.name': tag, 'io.containerd.image.name': `docker.io/library/${tag}` };
  const index = {
    schemaVersion: 2,
    mediaType: `${TYPE}.index.v1+json`,
    manifests: [{ ...manifest.descriptor, annotations: ref }],
  };
  // For `docker load`, which did not read OCI layouts before version 25.
  const forDocker = [{ Config: config.path, RepoTags: [tag], Layers: packed.map(({ path }) => path) }];
  const files = {
    'oci-layout': toJson({ imageLayoutVersion: '1.0.0' }),
    'index.json': toJson(index),
    'manifest.json': toJson(forDocker),
    ...Object.fromEntries([...packed, config, manifest].map(({ path, bytes }) => [path, bytes])),
  };
  return { files, digest: manifest.descriptor.digest };
}

/** @param {readonly string[]} digests of the layers, before they are compressed */
function configOf(digests) {
  return {
    created: CREATED,
    architecture: ARCHITECTURES[process.arch] ?? process.arch,
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      Env: ['PATH=/usr/local/bin'],
      Entrypoint: ['wirecheck'],
      WorkingDir: REPORTS,
      Labels: labels(),
    },
    rootfs: { type: 'layers', diff_ids: digests },
    history: digests.map(() => ({ created: CREATED, created_by: 'npm run image' })),
  };
}

function labels() {
  const { name, version, description, license } = readManifest();
  return {
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.licenses': license,
  };
}

/**
 * @param {string} type
 * @param {Buffer} bytes
 */
function blobOf(type, bytes) {
  const digest = digestOf(bytes);
  const descriptor = { mediaType: `${TYPE}.${type}`, digest, size: bytes.length };
  return { path: `blobs/${digest.replace(':', '/')}`, bytes, descriptor };
}

/** @param {Buffer} bytes */
function digestOf(bytes) {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** @param {unknown} value */
function toJson(value) {
  return Buffer.from(JSON.stringify(value));
}
