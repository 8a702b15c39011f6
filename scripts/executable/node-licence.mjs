import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The licence of the Node that runs this, and of all that is in it. Empty if it was installed without. */
export function nodeLicence() {
  const folder = dirname(realpathSync(process.execPath));
  const places = [join(folder, '../LICENSE'), join(folder, 'LICENSE'), '/usr/share/doc/nodejs/LICENSE'];
  const file = places.find((place) => existsSync(place));
  return file === undefined ? '' : `Node ${process.versions.node}\n\n${readFileSync(file, 'utf8')}`;
}
