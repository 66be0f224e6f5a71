import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { freePort } from '#db/embedded/free-port.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { eventually } from '#test/eventually.ts';
import { type ServerProcess, startServer } from '#test/servers/server-process.ts';

export const PUBLISHABLE_KEY = 'sb_publishable_hosted';
export const SECRET_KEY = `sb_secret_${randomBytes(24).toString('hex')}`;

export type Hosted = {
  /** The product's address, and Supabase's. */
  site: string;
  backend: string;
  databaseUrl: string;
  app: ServerProcess;
  /** The link that Supabase has mailed last to someone. */
  linkTo(email: string): Promise<URL>;
  stop(): Promise<void>;
};

/** The product beside hosted Supabase, in whose place our own backend stands: two processes, and an origin each. */
export async function startHosted({ adminEmails }: { adminEmails: string }): Promise<Hosted> {
  const [databaseUrl, port, folder] = [await freshDatabase('empty'), await freePort(), temporaryFolder()];
  const site = `http://localhost:${port}`;
  const secret = `v1,whsec_${randomBytes(32).toString('base64')}`;
  const supabase = startServer(
    {
      DATABASE_URL: databaseUrl,
      SITE_URL: site,
      HOOK_SECRET: secret,
      FILES: `${folder}/of-supabase`,
      PUBLISHABLE_KEY,
      SECRET_KEY,
    },
    'test/hosted/supabase-process.ts',
  );
  let app: ServerProcess | undefined;
  const stop = async () => {
    await Promise.all([app?.stop(), supabase.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const backend = await supabase.ready();
    app = startServer({
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
      SUPABASE_URL: backend,
      SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      SUPABASE_SECRET_KEY: SECRET_KEY,
      SUPABASE_HOOK_SECRET: secret,
      ADMIN_EMAILS: adminEmails,
    });
    await app.ready();
    const linkTo = (email: string) =>
      eventually(() => {
        const link = supabase.output.split(`Mail for ${email}: `).at(-1)?.split('\n')[0] ?? '';
        if (!link.startsWith('http')) throw new Error(`There is no mail for ${email}`);
        return new URL(link);
      });
    return { site, backend, databaseUrl, app, linkTo, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
