/** Which of two semantic versions is newer. Of two pre-releases of one version, nobody can tell without a list. */
export function isNewerVersion(version: string, than: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(than)];
  const place = own.findIndex((number, index) => number !== other[index]);
  if (place !== -1) return (own[place] ?? 0) > (other[place] ?? 0);
  return version !== than && than.includes('-');
}

function numbersOf(version: string): readonly number[] {
  const [release = ''] = version.split('-');
  return release.split('.').map(Number);
}
