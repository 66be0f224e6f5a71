import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { addressOf } from '#contract/address.ts';
import { auditFileName, exportAuditEndpoint, listAuditEndpoint } from '#contract/admin/audit.ts';
import { callApi, fetchFile } from '#web/lib/backend/api-client.ts';
import { readFile } from '#web/lib/browser/read-file.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';
import { type AuditView, filterOf } from './audit-view.ts';

/** One page of the audit log. The page before stays while the next one is on its way. */
export const auditQuery = (view: AuditView) =>
  queryOptions({
    queryKey: ['admin', 'audit', view],
    queryFn: ({ signal }) =>
      callApi(listAuditEndpoint, {
        query: { ...filterOf(view), ...(view.before ? { before: view.before } : {}) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Downloads every line that the filter leaves. */
export function useDownloadAudit() {
  return useMutation({
    mutationFn: async (view: AuditView) => {
      const lines = await readFile(await fetchFile(addressOf(exportAuditEndpoint.path, filterOf(view))));
      saveFile(auditFileName(new Date()), lines);
    },
  });
}
