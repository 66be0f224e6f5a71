import { isBackendDisabled, useConfig } from '#web/lib/backend/config.tsx';
import { BACKEND_DISABLED } from '#web/lib/backend/supabase.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';

/** Says on every page that nothing can work, and what to do about it. */
export function BackendBanner() {
  if (!isBackendDisabled(useConfig())) return null;
  return (
    <Alert tone="danger" title={BACKEND_DISABLED} className="rounded-none border-x-0 border-t-0">
      The address /config.json has to answer with backendUrl and backendKey. Start the server with its settings, then
      reload this page.
    </Alert>
  );
}
