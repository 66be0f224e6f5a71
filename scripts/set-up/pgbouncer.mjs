// The pooler of test/pooler.long.test.ts: the installed one, else Debian's when we are root, else that test is skipped.
import { findPgBouncer } from '#test/many/find-pgbouncer.ts';
import { installDebianPackage } from './debian-package.mjs';

/** Installs PgBouncer where it is missing and can be. */
export function offerPgBouncer() {
  if (!findPgBouncer()) installDebianPackage('pgbouncer');
}

/** Says it at the end of the tests, where someone sees it. */
export function tellWithoutPgBouncer() {
  if (!findPgBouncer())
    console.log('\nskipped: no pgbouncer. For test/pooler.long.test.ts type: sudo apt-get install pgbouncer');
}
