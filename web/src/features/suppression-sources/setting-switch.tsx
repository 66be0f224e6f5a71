import type { ReactNode } from 'react';
import type { SuppressionSettings } from '#contract/calling/suppression-sources.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { Switch } from '#web/ui/form/switch.tsx';
import { useSaveSettings } from './api.ts';

/** One thing that is on or off. It is saved at once. */
export function SettingSwitch({
  label,
  hint,
  settings,
  name,
}: {
  label: string;
  hint: ReactNode;
  settings: SuppressionSettings;
  name: 'publicPage' | 'crmStatuses';
}) {
  const saving = useSaveSettings();
  const change = (on: boolean) =>
    saving.mutate({ [name]: on }, { onError: (error) => toast.error('Save failed', errorMessage(error)) });
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <p className="font-medium">{label}</p>
        <p className="text-secondary text-sm">{hint}</p>
      </div>
      <Switch
        aria-label={label}
        checked={(saving.isPending ? saving.variables[name] : undefined) ?? settings[name]}
        disabled={saving.isPending}
        onCheckedChange={change}
      />
    </div>
  );
}
