import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { packEvidenceEndpoint, packFileName } from '#contract/calling/evidence.ts';
import { downloadAgainEndpoint } from '#contract/work/exports/download-again.ts';
import {
  EXPORTS_BUCKET,
  exportFolder,
  type KeptExport,
  keptName,
  readKeptName,
} from '#contract/work/exports/export-archive.ts';
import { exportFileName } from '#contract/work/exports/exports.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { callApi, fetchFile } from '#web/lib/backend/api-client.ts';
import { ApiError, errorMessage, NETWORK_MESSAGE } from '#web/lib/backend/api-error.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { readFile } from '#web/lib/browser/read-file.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { useSaveCompanion } from './export-api.ts';

/** A kept file; `bytes` is its size. */
export type EarlierExport = KeptExport & { path: string; bytes: number };
/** Whose exports, and of which list. */
type Place = { userId: string; listId: string };

/** A file to be kept. `exportId`: under which the evidence has it. */
type Keep = { place: Place; kept: KeptExport; file: Blob; exportId: string | undefined };

const CSV = 'text/csv;charset=utf-8';

/** Most files of one list that are shown. */
const MAX_SHOWN = 100;

const keysOf = ({ userId, listId }: Place) => ['exports', userId, listId] as const;
const bucket = async () => (await (await getSupabase()).storage()).from(EXPORTS_BUCKET);

/** Storage's error: its client gives one without a status when there was no answer. */
const storageError = ({ message, status }: { message: string; status: number | undefined }): Error =>
  status === undefined
    ? new ApiError(NETWORK_MESSAGE, { kind: 'network' })
    : new ApiError(message, { kind: 'http', status });

/** The exports of a list that were kept, the newest first. */
export const earlierExportsQuery = (place: Place) =>
  queryOptions({
    queryKey: keysOf(place),
    queryFn: async (): Promise<EarlierExport[]> => {
      const folder = exportFolder(place.userId, place.listId);
      const { data, error } = await (await bucket()).list(folder, {
        limit: MAX_SHOWN,
        sortBy: { column: 'name', order: 'desc' },
      });
      if (error) throw storageError(error);
      return data.flatMap(({ name, metadata }) => {
        const kept = readKeptName(name);
        return kept ? [{ ...kept, path: `${folder}/${name}`, bytes: Number(metadata?.size ?? 0) }] : [];
      });
    },
  });

/** Keeps a copy of an export. The file is with its person already, so a failure is told and stops nothing. */
export function useKeepExport() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ place, kept, file, exportId }: Keep) => {
      const path = `${exportFolder(place.userId, place.listId)}/${keptName(kept)}`;
      // Bytes stream to the server; a form would be held in its memory.
      const { error } = await (await bucket()).upload(path, await file.arrayBuffer(), {
        contentType: CSV,
        // By it, the evidence file is found again.
        ...(exportId ? { metadata: { exportId } } : {}),
      });
      if (error?.statusCode === '403')
        throw new Error('A thousand files are already saved, or the list no longer exists.');
      if (error) throw storageError(error);
    },
    onSuccess: (_kept, { place }) => queries.invalidateQueries({ queryKey: keysOf(place) }),
    onError: (error) => toast.error('Copy not saved', `You have the file, but the copy failed: ${errorMessage(error)}`),
  });
}

/** Under which the evidence has a kept file; undefined for exports of earlier versions. */
async function exportIdOf(path: string): Promise<string | undefined> {
  const { data, error } = await (await bucket()).info(path);
  if (error) throw storageError(error);
  const id: unknown = data.metadata?.exportId;
  return typeof id === 'string' ? id : undefined;
}

/** Saves a kept file once more, under the name that it had, with its evidence file. */
export function useDownloadAgain(list: LeadList) {
  const companion = useSaveCompanion();
  return useMutation({
    mutationFn: async ({ path, exportedAt }: EarlierExport) => {
      const name = path.split('/').at(-1) ?? '';
      await callApi(downloadAgainEndpoint, { body: { listId: list.id, name } });
      const { data, error } = await (await bucket()).download(path);
      if (error) throw storageError(error);
      const csvName = exportFileName(list.name, new Date(exportedAt));
      saveFile(csvName, data);
      // The CSV is with its person already, whatever becomes of the file beside it.
      const id = await exportIdOf(path).catch(() => undefined);
      if (id !== undefined) companion.mutate({ id, csvName });
    },
    onError: (error) => toast.error('Download failed', errorMessage(error)),
  });
}

/** Saves the evidence of a kept file: a pack of its entries. */
export function useSaveEvidence() {
  return useMutation({
    mutationFn: async ({ path }: EarlierExport) => {
      const exportId = await exportIdOf(path);
      if (exportId === undefined) throw new Error('An earlier version made this file, and kept no evidence of it.');
      const pack = await readFile(await fetchFile(packEvidenceEndpoint.path, { body: { exportId } }));
      saveFile(packFileName(new Date()), pack);
    },
    onError: (error) => toast.error('No evidence downloaded', errorMessage(error)),
  });
}

/** Removes a kept file. */
export function useRemoveExport(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ path }: EarlierExport) => {
      const { error } = await (await bucket()).remove([path]);
      if (error) throw storageError(error);
      await queries.invalidateQueries({ queryKey: keysOf(place) });
    },
    onError: (error) => toast.error('Delete failed', errorMessage(error)),
  });
}
