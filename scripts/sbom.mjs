// Writes what is installed as CycloneDX JSON, to stdout or to the file that is named. Reads node_modules alone, so it needs no network.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
// npm names its own entry where it started this; that runs on every platform.
const npm = process.env.npm_execpath;
const args = ['sbom', '--sbom-format', 'cyclonedx', '--offline'];
const text = npm
  ? execFileSync(process.execPath, [npm, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  : execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
if (file) writeFileSync(file, text);
else process.stdout.write(text);
