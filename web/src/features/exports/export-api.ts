import { queryOptions, useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { addressOf } from '#contract/address.ts';
import { companionFileName, EXPORT_HEADER, exportCompanionEndpoint } from '#contract/calling/evidence.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import {
  exportAttributionEndpoint,
  exportLeadsEndpoint,
  previewExportEndpoint,
} from '#contract/work/exports/exports.ts';
import { callApi, fetchFile } from '#web/lib/backend/api-client.ts';
import { ApiError, errorMessage, NETWORK_MESSAGE } from '#web/lib/backend/api-error.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';
import { toast } from '#web/ui/feedback/toast.ts';

const LINE_END = '\n'.charCodeAt(0);

export type ExportBody = BodyOf<typeof exportLeadsEndpoint>;

/** What an export-safe file would hold. Counted again each time it is asked for: leads change. */
export const exportPreviewQuery = (listId: string, body: ExportBody) =>
  queryOptions({
    queryKey: ['export-preview', listId, body],
    queryFn: ({ signal }) => callApi(previewExportEndpoint, { query: { listId }, body, signal }),
    staleTime: 0,
  });

/** A finished export. `id`: under which the evidence has it. `attribution`: whom to name beside it, if anyone. */
export type Exported = { file: Blob; id: string | undefined; attribution?: Blob };

/** Downloads leads as a CSV file. `lines`: how many have come so far, the header among them. */
export function useExport(listId: string) {
  const [lines, setLines] = useState(0);
  const controller = useRef<AbortController>(undefined);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (body: ExportBody): Promise<Exported> => {
      setLines(0);
      controller.current = new AbortController();
      const { signal } = controller.current;
      const path = addressOf(exportLeadsEndpoint.path, { listId });
      const response = await fetchFile(path, { body, signal });
      const file = await readParts(response, (come) => setLines((before) => before + come));
      const id = response.headers.get(EXPORT_HEADER) ?? undefined;
      const beside = await fetchFile(addressOf(exportAttributionEndpoint.path, { listId }), { body, signal });
      const attribution = await beside.blob();
      return attribution.size > 0 ? { file, id, attribution } : { file, id };
    },
  });
  return { lines, isPending, error, start: mutate, cancel: () => controller.current?.abort() };
}

/** Saves what stands beside the CSV file of an export: what was exported, and the head of the evidence. The CSV is there already. */
export function useSaveCompanion() {
  return useMutation({
    mutationFn: async ({ id, csvName }: { id: string; csvName: string }) => {
      const companion = await callApi(exportCompanionEndpoint, { query: { exportId: id } });
      const text = `${JSON.stringify(companion, null, 2)}\n`;
      saveFile(companionFileName(csvName), new Blob([text], { type: 'application/json' }));
    },
    onError: (error) =>
      toast.error('Evidence file not saved', `You have the CSV, but its evidence file failed: ${errorMessage(error)}`),
  });
}

/** The whole file. A connection that breaks gives none: half a file must not be taken for one. */
async function readParts({ body }: Response, onLines: (lines: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  try {
    for (;;) {
      const part = await reader?.read();
      if (!part?.value) return new Blob(parts, { type: 'text/csv;charset=utf-8' });
      parts.push(part.value);
      onLines(countLines(part.value));
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(NETWORK_MESSAGE, { kind: 'network' });
  }
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === LINE_END) lines += 1;
  return lines;
}
