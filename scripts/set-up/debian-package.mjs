import { spawnSync } from 'node:child_process';

/** Installs a package of Debian, saying so, where we are root and there is apt-get; its services are not started. */
export function installDebianPackage(name) {
  const canInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!canInstall) return;
  console.error(`Installing ${name}, which is missing (apt-get install ${name})…`);
  const script = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${name} >/dev/null`;
  spawnSync('sh', ['-c', script], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
}
