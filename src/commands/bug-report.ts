/** What is said when wirecheck itself broke. Never mixed up with a finding about the target. */
import { arch, platform } from 'node:process';

/** A stack may quote what was being handled when it broke: keys are taken out of it. */
export function bugReport(error: unknown, version: string, env: Readonly<Record<string, string | undefined>>): string {
  const trace = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const secrets = Object.entries(env)
    .filter(([name, value]) => /^WIRECHECK_.*KEY$/.test(name) && value !== undefined && value.trim().length >= 8)
    .map(([, value = '']) => value.trim());
  const clean = secrets.reduce((text, secret) => text.replaceAll(secret, '(key)'), trace);
  return `This is a bug in wirecheck and says nothing about the target. Please report it to the maintainers with these lines:

wirecheck ${version}, Node ${process.version}, ${platform} ${arch}
${clean.replaceAll(/sk-service-[\w-]+/g, '(key)')}
`;
}
