/** The settings behind the prerequisites of a case. Any other name is shown as it is. */
const SETTING_OF: Readonly<Record<string, string>> = {
  'restricted-key': 'WIRECHECK_RESTRICTED_KEY',
  'exhausted-key': 'WIRECHECK_EXHAUSTED_KEY',
  'limited-key': 'WIRECHECK_LIMITED_KEY',
  'forbidden-model': '--forbidden-model',
  openapi: '--openapi',
};

export function settingFor(prerequisite: string): string {
  return SETTING_OF[prerequisite] ?? prerequisite;
}
