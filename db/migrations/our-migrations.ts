import { fileURLToPath } from 'node:url';
import { type Migration, readMigrations } from './read-migrations.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The embedded backend's own schema, which hosted Supabase has in its own form. */
export const backendMigrations = (): Migration[] => readMigrations(folder('../../backend/migrations'));
/** The product's schema. */
export const productMigrations = (): Migration[] => readMigrations(folder('../../supabase/migrations'));
