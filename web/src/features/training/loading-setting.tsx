import { errorMessage } from '#web/lib/backend/api-error.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { Switch } from '#web/ui/form/switch.tsx';
import { useSetVideoLoading } from './editor-api.ts';

/** Lets an administrator have videos wait for a click, for everyone. */
export function LoadingSetting({ afterClick }: { afterClick: boolean }) {
  const setting = useSetVideoLoading();
  const change = (wanted: boolean) =>
    setting.mutate(wanted, {
      onSuccess: () =>
        toast.success(
          'Saved',
          wanted ? 'Videos now load only after a click on Play.' : 'Videos now load when their dialog opens.',
        ),
      onError: (error) => toast.error('Save failed', errorMessage(error)),
    });
  return (
    <div className="flex items-start justify-between gap-4 rounded-lg border bg-surface px-4 py-3">
      <label htmlFor="video-loading" className="min-w-0">
        <span className="block font-medium">Load videos only after a click</span>
        <span id="video-loading-hint" className="block text-secondary text-sm">
          YouTube or Vimeo then learns of a visit only when someone presses Play.
        </span>
      </label>
      <Switch
        id="video-loading"
        aria-describedby="video-loading-hint"
        checked={setting.isPending ? setting.variables : afterClick}
        onCheckedChange={change}
      />
    </div>
  );
}
