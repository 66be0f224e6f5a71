import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { BoundingBox } from './bounding-box.ts';

/** The files of one import at most. */
const MOST_FILES = 60;

/** A loading of files. The four counts are null until it has ended well. Times are ISO. */
export const OpenImport = z.object({
  id: z.number(),
  name: z.string(),
  release: z.string(),
  sandbox: z.boolean(),
  files: z.array(z.string()),
  state: z.enum(['running', 'completed', 'failed']),
  /** Whether a process is at it now. One that runs and is not was interrupted, and goes on when it is started again. */
  atWork: z.boolean(),
  rowsRead: z.number(),
  placesRead: z.number(),
  unusable: z.number(),
  added: z.nullable(z.number()),
  changed: z.nullable(z.number()),
  gone: z.nullable(z.number()),
  same: z.nullable(z.number()),
  message: z.nullable(z.string()),
  startedAt: z.string(),
  finishedAt: z.nullable(z.string()),
});
export type OpenImport = z.infer<typeof OpenImport>;

/** The last imports, the newest first, and the files that may be loaded: those in one folder of the server. */
export const listImportsEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/open-data/imports',
  access: 'admin',
  data: z.object({
    folder: z.string(),
    files: z.array(z.object({ name: z.string(), bytes: z.number() })),
    imports: z.array(OpenImport),
  }),
});

const name = z
  .string()
  .check(
    z.maxLength(200),
    z.regex(/^[^/\\\p{Cc}]+$/u, 'Give the name of a file in the folder, without a path.'),
    z.regex(/^[^.]/, 'Give the name of a file in the folder.'),
  );
const said = (most: number) =>
  z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(most, `Use at most ${most} characters.`)));

/** Starts an import, or goes on with the same one where it was interrupted. It is not waited for. */
export const startImportEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/open-data/imports',
  access: 'admin',
  body: z.object({
    files: z.array(name).check(z.minLength(1, 'Choose at least one file.'), z.maxLength(MOST_FILES)),
    bbox: z.optional(BoundingBox),
    state: z.optional(
      z.string().check(z.trim(), z.regex(/^[A-Za-z]{2}$/, 'A state has two letters, such as IL.'), z.toUpperCase()),
    ),
    source: z.optional(
      z.string().check(z.regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'Use lower-case letters, digits and hyphens.')),
    ),
    license: said(100),
    release: said(60),
    /** `part`: what the files lack is not gone. `whole`: it is, however much. */
    missing: z.optional(z.enum(['part', 'whole'])),
  }),
  data: z.object({ started: z.literal(true) }),
});

/** Takes the places of a source away. Leads that came from it stay, and keep its name and license. */
export const removeSourceEndpoint = endpoint({
  method: 'DELETE',
  path: '/api/admin/open-data/sources/:source',
  access: 'admin',
  query: z.object({ source: z.string().check(z.maxLength(40)) }),
  data: z.object({ removed: z.number() }),
});
