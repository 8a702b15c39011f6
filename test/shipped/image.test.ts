/** The image: what tools for images say of it, and a run inside its root. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { packageRoot } from '../../src/contract/package-root.ts';
import { packageVersion } from '../../src/contract/package-files.ts';
import { type Gateway, startGateway } from '../../src/gateway/index.ts';
import { CERTIFICATE } from '../kit/certificate.ts';
import { findWayInto, isInstalled, runInRoot } from '../kit/image-root.ts';
import { NAME_SERVER, startNameServer } from '../kit/name-server.ts';
import { startTlsFront, type TlsFront } from '../kit/tls-front.ts';

const MADE = mkdtempSync(join(tmpdir(), 'wirecheck-image-'));
const ARCHIVE = join(MADE, 'wirecheck-image.tar');
const LAYOUT = `${join(MADE, 'oci')}:wirecheck:${packageVersion()}`;
const UNPACKED = join(MADE, 'unpacked');
const ROOT = join(UNPACKED, 'rootfs');
const ONLY = ['--only', 'models/list*'];

let gateway: Gateway;
let secure: TlsFront;

const run = (program: string, ...args: readonly string[]) => execFileSync(program, args, { encoding: 'utf8' });

beforeAll(async () => {
  if (process.platform !== 'linux') return;
  run(process.execPath, join(packageRoot(), 'scripts/image/image.mjs'), MADE);
  if (isInstalled('umoci')) {
    run('umoci', 'unpack', ...(process.getuid?.() === 0 ? [] : ['--rootless']), '--image', LAYOUT, UNPACKED);
  }
  gateway = await startGateway();
  secure = await startTlsFront(gateway.baseUrl);
}, 300_000);

afterAll(async () => {
  secure?.close();
  await gateway?.close();
  rmSync(MADE, { recursive: true, force: true });
});

/** Skips the test, and says why, if this machine cannot run a program inside the image. */
async function enter({ skip }: TestContext) {
  if (!isInstalled('umoci')) return skip('umoci is not installed (Debian: umoci)');
  const way = await findWayInto(ROOT);
  if (!way) return skip('neither bwrap (Debian: bubblewrap) nor chroot works here');
  return (...args: readonly string[]) => runInRoot(way, ROOT, args, gateway.keys.full);
}

describe.runIf(process.platform === 'linux')('the image', { timeout: 300_000 }, () => {
  it('has an entry point, a user, labels and a digest, by skopeo', ({ skip }) => {
    if (!isInstalled('skopeo')) return skip('skopeo is not installed (Debian: skopeo)');
    const index = JSON.parse(readFileSync(join(MADE, 'oci/index.json'), 'utf8')) as {
      readonly manifests: readonly { readonly digest: string }[];
    };
    for (const source of [`oci:${LAYOUT}`, `oci-archive:${ARCHIVE}`]) {
      expect(JSON.parse(run('skopeo', 'inspect', source))).toMatchObject({
        Digest: index.manifests[0]?.digest,
        Os: 'linux',
        Labels: {
          'org.opencontainers.image.title': 'wirecheck',
          'org.opencontainers.image.version': packageVersion(),
        },
      });
    }
    // The form that `docker load` reads. skopeo compares the layers with their digests as it copies them.
    run('skopeo', '--insecure-policy', 'copy', `docker-archive:${ARCHIVE}`, `dir:${join(MADE, 'copied')}`);
    expect(JSON.parse(run('skopeo', 'inspect', '--config', `docker-archive:${ARCHIVE}`))).toMatchObject({
      config: { Entrypoint: ['wirecheck'], User: '65532:65532', WorkingDir: '/reports' },
    });
  });

  it('has a tar archive that tar reads, and files that its SBOM lists', () => {
    expect(run('tar', '--list', '--file', ARCHIVE).split('\n')).toContain('oci-layout');
    const sbom = JSON.parse(readFileSync(`${ARCHIVE}.cdx.json`, 'utf8')) as {
      readonly components: readonly {
        readonly name: string;
        readonly version: string;
        readonly properties?: readonly { readonly value: string }[];
      }[];
    };
    const layers = JSON.parse(readFileSync(join(MADE, 'oci/manifest.json'), 'utf8')) as readonly [
      { readonly Layers: readonly string[] },
    ];
    const copied = layers[0].Layers.flatMap((layer) =>
      run('tar', '--list', '--gzip', '--file', join(MADE, 'oci', layer)).split('\n'),
    ).filter((path) => /\.so\b/.test(path));
    const listed = sbom.components.flatMap(({ properties = [] }) => properties.map(({ value }) => value.slice(1)));
    expect(copied.length).toBeGreaterThan(2);
    expect(listed.toSorted()).toEqual(copied.toSorted());
    expect(sbom.components.find(({ name }) => name === 'node')?.version).toBe(process.versions.node);
    expect(sbom.components.filter(({ version }) => !/\d/.test(version))).toEqual([]);
  });

  it('checks a target that has a host name and speaks TLS, as a user that is not root', async (context) => {
    const wirecheck = await enter(context);
    writeFileSync(join(ROOT, 'etc/hosts'), '127.0.0.1 localhost gateway.example\n::1 localhost\n');
    writeFileSync(join(ROOT, 'reports/ca.pem'), CERTIFICATE);
    const tls = await wirecheck('run', secure.baseUrl, '--ca', '/reports/ca.pem', ...ONLY, '--out', '/reports/tls');
    expect([tls.exit, tls.text]).toEqual([0, expect.stringContaining('CONFORMS IN PART')]);
    expect(existsSync(join(ROOT, 'reports/tls/report.html'))).toBe(true);
    const named = gateway.baseUrl.replace('127.0.0.1', 'gateway.example');
    const plain = await wirecheck('run', named, '--allow-http', ...ONLY, '--out', 'none');
    expect([plain.exit, plain.text]).toEqual([0, expect.stringContaining('CONFORMS IN PART')]);
  });

  it('asks a name server', async (context) => {
    const wirecheck = await enter(context);
    const names = await startNameServer();
    if (!names) return context.skip(`port 53 of ${NAME_SERVER} cannot be had`);
    writeFileSync(join(ROOT, 'etc/resolv.conf'), `nameserver ${NAME_SERVER}\n`);
    const named = gateway.baseUrl.replace('127.0.0.1', 'from-dns.example');
    const { exit, text } = await wirecheck('run', named, '--allow-http', ...ONLY, '--out', 'none');
    names.close();
    expect([exit, text]).toEqual([0, expect.stringContaining('CONFORMS IN PART')]);
  });
});
