import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { LIST_NAME_MAX_LENGTH } from '#contract/work/lists.ts';
import { IMPORT_FIELDS, LEAD_FIELDS } from './fields.ts';

/** Most rows of a file, bytes of it, and columns. */
export const MOST_IMPORT_ROWS = 500_000;
export const MOST_IMPORT_BYTES = 100 * 1024 ** 2;
export const MOST_IMPORT_COLUMNS = 200;
/** Files of one person that wait to be started. */
export const MOST_WAITING_FILES = 5;
/** Rows that are shown as they will be read, and problems that come with an answer. */
export const PREVIEW_ROWS = 10;
export const SHOWN_PROBLEMS = 100;
/** Days that a file waits for its start, and that rows with problems can be downloaded afterwards. */
export const WAITING_FILE_DAYS = 7;
export const PROBLEM_DAYS = 30;

const Field = z.enum(IMPORT_FIELDS);
/** What each column holds, by its header. Columns that are missing are read as they were guessed; null leaves one out. */
export const ImportMapping = z.record(z.string().check(z.maxLength(400)), z.nullable(Field));
export type ImportMapping = z.infer<typeof ImportMapping>;

export const DUPLICATE_CHOICES = ['skip', 'update', 'add'] as const;
export type DuplicateChoice = (typeof DUPLICATE_CHOICES)[number];
export const RETENTION_CHOICES = ['archive', 'keep'] as const;
export type RetentionChoice = (typeof RETENTION_CHOICES)[number];

const IMPORT_STATES = ['reading', 'ready', 'waiting', 'running', 'completed', 'canceled', 'failed', 'undone'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** A column: its header, made up where the file has none, what it seems to hold, and its first values. */
export const ImportColumn = z.object({ header: z.string(), guess: Field, sample: z.array(z.string()) });
export type ImportColumn = z.infer<typeof ImportColumn>;

/** What of a row could not be read. `row` counts as a spreadsheet does. */
export const ImportProblem = z.object({ row: z.number(), column: z.string(), value: z.string(), why: z.string() });
export type ImportProblem = z.infer<typeof ImportProblem>;

const PreviewRow = z.object({
  row: z.number(),
  values: z.partialRecord(z.enum(LEAD_FIELDS), z.string()),
  extra: z.record(z.string(), z.string()),
});

/**
 * What a file holds, before anything of it becomes a lead.
 * - `duplicates`: rows that are in the file before (`inFile`) or in one of the caller's lists (`inLists`).
 * - `suppressed`: rows of contacts who must not be contacted. New ones are stored and held back. None fills a lead.
 * - `errors`: rows of which something could not be read. The rest of each is stored.
 */
const ImportFile = z.object({
  importId: z.string(),
  name: z.string(),
  rows: z.number(),
  columns: z.array(ImportColumn),
  mapping: z.record(z.string(), Field),
  /** Whether the mapping is the one that was chosen for a file with the same headers. */
  remembered: z.boolean(),
  /** When the same file was imported before. */
  importedBefore: z.nullable(z.string()),
  hasHeader: z.boolean(),
  encoding: z.string(),
  /** Null for a spreadsheet. */
  delimiter: z.nullable(z.string()),
  /** Sheets of a spreadsheet that have cells, and of which nothing is read. */
  otherSheets: z.array(z.string()),
  duplicates: z.number(),
  inFile: z.number(),
  inLists: z.number(),
  suppressed: z.number(),
  errors: z.number(),
  problems: z.array(ImportProblem),
  preview: z.array(PreviewRow),
});
export type ImportFile = z.infer<typeof ImportFile>;

/** An import as its history shows it. */
export const Import = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(IMPORT_STATES),
  rows: z.number(),
  /** Rows that are done, and what became of them. */
  done: z.number(),
  added: z.number(),
  updated: z.number(),
  skipped: z.number(),
  errors: z.number(),
  /** Why it failed, in words. */
  failure: z._default(z.nullable(z.string()), null),
  /** Sheets of a spreadsheet that have cells, and of which nothing is read. */
  otherSheets: z._default(z.array(z.string()), []),
  duplicates: z.nullable(z.enum(DUPLICATE_CHOICES)),
  retention: z.enum(RETENTION_CHOICES),
  /** Null before its start, and once the list is deleted. */
  listId: z.nullable(z.string()),
  listName: z.nullable(z.string()),
  createdAt: z.string(),
  finishedAt: z.nullable(z.string()),
});
export type Import = z.infer<typeof Import>;

const byId = z.object({ id: looseId });

/** Reads a file, sent as the body with its content type: CSV, TSV or XLSX. Nothing of it becomes a lead yet. */
export const uploadImportEndpoint = endpoint({
  method: 'POST',
  path: '/api/imports',
  query: z.object({ name: z._default(z.string().check(z.maxLength(250)), '') }),
  data: ImportFile,
});

/** Reads the file again with another mapping. */
export const checkImportEndpoint = endpoint({
  method: 'POST',
  path: '/api/imports/:id/check',
  query: byId,
  body: z.object({ mapping: ImportMapping }),
  data: ImportFile,
});

/** Makes a list of the file. Answers 202: the rows follow. The same request once more answers with the same list. */
export const startImportEndpoint = endpoint({
  method: 'POST',
  path: '/api/imports/:id/start',
  query: byId,
  body: z.object({
    mapping: z._default(ImportMapping, {}),
    duplicates: z.enum(DUPLICATE_CHOICES),
    listName: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Give the list a name.'),
        z.maxLength(LIST_NAME_MAX_LENGTH, `The list name must have at most ${LIST_NAME_MAX_LENGTH} characters.`),
      ),
    retention: z._default(z.enum(RETENTION_CHOICES), 'archive'),
  }),
  data: z.object({ listId: z.string() }),
});

/** One import, with its file while that waits. `filledSince`: its leads that a later file filled or says not to call, or a lead of another list joined: undoing leaves them. */
export const getImportEndpoint = endpoint({
  method: 'GET',
  path: '/api/imports/:id',
  query: byId,
  data: z.extend(Import, { file: z.nullable(ImportFile), filledSince: z.number() }),
});

/** The caller's imports, the newest first, 100 at most. */
export const listImportsEndpoint = endpoint({
  method: 'GET',
  path: '/api/imports',
  data: z.object({ imports: z.array(Import) }),
});

/** Discards a file that waits, or stops one that is being imported: what is in the list stays. */
export const cancelImportEndpoint = endpoint({
  method: 'POST',
  path: '/api/imports/:id/cancel',
  query: byId,
  data: z.object({ canceled: z.boolean() }),
});

/**
 * Takes an import back.
 * - `removed`: leads of the file that are gone from its list, and those that an undone file had left for this one.
 * - `restored`: leads of other lists that are as they were.
 * - `changedSince`: leads of other lists with a value that was changed since, which stays as it is now, and leads of the file
 *   that a later file filled or says not to call, or a lead of another list joined, which stay in their list.
 */
export const undoImportEndpoint = endpoint({
  method: 'POST',
  path: '/api/imports/:id/undo',
  query: byId,
  data: z.object({ removed: z.number(), restored: z.number(), changedSince: z.number() }),
});

/** Says how long the list of an import is kept. */
export const keepImportEndpoint = endpoint({
  method: 'POST',
  path: '/api/imports/:id/retention',
  query: byId,
  body: z.object({ retention: z.enum(RETENTION_CHOICES) }),
  data: z.object({ retention: z.enum(RETENTION_CHOICES) }),
});

/** What could not be read, as a CSV file: row, column, value, reason. */
export const importErrorsEndpoint = endpoint({
  method: 'GET',
  path: '/api/imports/:id/errors.csv',
  query: byId,
  data: z.string(),
});
