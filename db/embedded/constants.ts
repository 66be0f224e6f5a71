/** The major version of the bundled PostgreSQL. */
export const MAJOR = '18';

/** Nothing of our environment (secrets, PG* variables, NODE_OPTIONS) is inherited by PostgreSQL. */
export const childEnvironment = (): NodeJS.ProcessEnv =>
  process.platform === 'win32' ? process.env : { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
