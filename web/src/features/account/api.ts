import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ACCOUNT_EXPORT_PATH, deleteAccountEndpoint, exportFileName } from '#contract/account/account.ts';
import { SWEEP_MARKER_KEY } from '#contract/work/retention.ts';
import { callApi, fetchFile } from '#web/lib/backend/api-client.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { readFile } from '#web/lib/browser/read-file.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';
import { removeStored } from '#web/lib/storage/storage.ts';

/** Downloads everything that is stored about the caller; `bytes` is what has come so far. */
export function useExportData() {
  const [bytes, setBytes] = useState(0);
  const exporting = useMutation({
    mutationFn: async () => {
      setBytes(0);
      const data = await readFile(await fetchFile(ACCOUNT_EXPORT_PATH), setBytes);
      saveFile(exportFileName(new Date()), data);
    },
  });
  return { exporting, bytes };
}

/** What the sign-in page is told when someone comes from there. */
export type AccountDeleted = { accountDeleted?: boolean };

/** Deletes the account, signs out and goes to the sign-in page. */
export function useDeleteAccount() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (email: string) => callApi(deleteAccountEndpoint, { body: { email } }),
    onSuccess: async () => {
      const supabase = await getSupabase();
      await supabase.auth.signOut({ scope: 'local' });
      removeStored(SWEEP_MARKER_KEY);
      await navigate('/login', { replace: true, state: { accountDeleted: true } satisfies AccountDeleted });
    },
  });
}
