import { AuthError } from '#backend/auth/kit/auth-error.ts';
import { type UserJson, userJson } from '#backend/auth/people/users.ts';
import type { Db } from '#db/connection/client.ts';

const PER_PAGE = 50;
const MOST_PER_PAGE = 1000;

type UserPage = {
  users: UserJson[];
  total: number;
  /** `Link` header: the next page, if there is one, and the last. */
  link: string;
};

/**
 * One page of all users, the newest first.
 * @throws AuthError 400 `validation_failed`.
 */
export async function listUsers(db: Db, asked: { page?: string | undefined; per_page?: string | undefined }) {
  const page = readNumber('page', asked.page, 1, Number.MAX_SAFE_INTEGER / MOST_PER_PAGE);
  const perPage = readNumber('per_page', asked.per_page, PER_PAGE, MOST_PER_PAGE);
  const { total } = await db
    .selectFrom('auth.users')
    .select((of) => of.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('auth.users')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const ids = [...rows.map(({ id }) => id), NOBODY];
  const ofThem = (table: 'auth.identities' | 'auth.mfa_factors') =>
    db.selectFrom(table).where('user_id', 'in', ids).orderBy('created_at');
  const identities = await ofThem('auth.identities').selectAll('auth.identities').execute();
  const factors = await ofThem('auth.mfa_factors').selectAll('auth.mfa_factors').execute();
  const users = rows.map((row) => {
    const isTheirs = ({ user_id: owner }: { user_id: string }) => owner === row.id;
    return userJson(row, { identities: identities.filter(isTheirs), factors: factors.filter(isTheirs) });
  });
  const last = Math.max(1, Math.ceil(Number(total) / perPage));
  const link = (rel: string, to: number) => `</admin/users?page=${to}&per_page=${perPage}>; rel="${rel}"`;
  const links = [...(page < last ? [link('next', page + 1)] : []), link('last', last)];
  return { users, total: Number(total), link: links.join(', ') } satisfies UserPage;
}

/** So that the list is not empty, which SQL has no word for. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

function readNumber(name: string, given: string | undefined, otherwise: number, most: number): number {
  if (!given) return otherwise;
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < 1 || value > most)
    throw new AuthError(400, 'validation_failed', `Bad pagination parameters: ${name} must be a number from 1`);
  return value;
}
