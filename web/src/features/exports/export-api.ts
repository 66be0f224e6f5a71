import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { addressOf } from '#contract/address.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { exportAttributionEndpoint, exportLeadsEndpoint } from '#contract/work/exports.ts';
import { fetchFile } from '#web/lib/backend/api-client.ts';
import { ApiError, NETWORK_MESSAGE } from '#web/lib/backend/api-error.ts';

const LINE_END = '\n'.charCodeAt(0);

export type ExportBody = BodyOf<typeof exportLeadsEndpoint>;

/** `attribution`: whom to name beside an export-safe file. */
export type Exported = { file: Blob; attribution?: Blob };

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
      const file = await readParts(await fetchFile(path, { body, signal }), (come) =>
        setLines((before) => before + come),
      );
      if (body.rights !== 'export_safe') return { file };
      const beside = await fetchFile(addressOf(exportAttributionEndpoint.path, { listId }), { body, signal });
      return { file, attribution: await beside.blob() };
    },
  });
  return { lines, isPending, error, start: mutate, cancel: () => controller.current?.abort() };
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
