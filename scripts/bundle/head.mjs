// The head of the bundle. The program is in a comment at its end: Node compiles it only if there is more to do than to
// print the version, which would otherwise take twice as long.
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { fileURLToPath } from 'node:url';

if (['--version', '-V'].includes(process.argv[2] ?? '')) {
  process.stdout.write('VERSION\n');
} else {
  const file = fileURLToPath(import.meta.url);
  const [, program = ''] = readFileSync(file, 'latin1').split('\n//PROGRAM');
  // Not in the documentation of Node, nor in its types; there is no other way to name the file of compiled text.
  const bundled = /** @type {Module & { _compile(text: string, file: string): void }} */ (new Module(file));
  bundled.filename = file;
  bundled['_compile'](program.replaceAll('\n//', '\n'), file);
  await bundled.exports.start();
}
