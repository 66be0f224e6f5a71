import { z } from 'zod/mini';
import {
  defaultExportCompliance,
  EXPORT_COMPLIANCE,
  EXPORT_FILTERS,
  type ExportFilter,
  exportFileName,
  leadsToCsv,
  selectForExport,
} from '#contract/work/exports.ts';
import type { Lead } from '#contract/work/leads.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { RadioChoice } from '#web/ui/form/choice.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { useKeepExport } from './archive-api.ts';
import { COMPLIANCE, FILTERS } from './choices.ts';
import { EarlierExports } from './earlier-exports.tsx';

const Choice = z.object({ filter: z.enum(EXPORT_FILTERS), compliance: z.enum(EXPORT_COMPLIANCE) });

/** Chooses leads, saves them as CSV, and keeps a copy of the file for as long as the list. `leads` is the whole list; `selectedIds` narrows it to the chosen rows. */
export function ExportDialog({
  list,
  leads,
  selectedIds,
  failed,
  onRetry,
  onClose,
}: {
  list: LeadList;
  /** Undefined while they are being read. */
  leads: readonly Lead[] | undefined;
  selectedIds?: ReadonlySet<string> | undefined;
  failed: boolean;
  onRetry: () => void;
  onClose: () => void;
}) {
  const [{ filter, compliance }, choose, clear] = useDraftState(`export:${list.id}`, Choice, {
    filter: 'all',
    compliance: defaultExportCompliance(list),
  });
  const close = () => {
    clear();
    onClose();
  };
  const { user } = useSession();
  const keep = useKeepExport();
  const candidates = selectedIds ? (leads ?? []).filter((lead) => selectedIds.has(lead.id)) : (leads ?? []);
  const chosen = selectForExport(candidates, filter, compliance);
  const countOf = (by: ExportFilter) => selectForExport(candidates, by, compliance).length;

  const download = () => {
    if (!leads || chosen.length === 0) return;
    const now = new Date();
    const fileName = exportFileName(list.name, now);
    const file = new Blob([leadsToCsv(list, leads, chosen)], { type: 'text/csv;charset=utf-8' });
    saveFile(fileName, file);
    if (user) {
      const exportedAt = now.toISOString();
      const kept = { exportedAt, filter, compliance, leads: chosen.length, selected: selectedIds !== undefined };
      keep.mutate({ place: { userId: user.id, listId: list.id }, kept, file });
    }
    toast.success('CSV downloaded', `${plural(chosen.length, 'lead')} in “${fileName}”.`);
    close();
  };

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : close())}>
      <DialogContent
        title={selectedIds ? 'Export selected leads' : 'Export leads'}
        description={<bdi className="line-clamp-2 break-words">{list.name}</bdi>}
      >
        <DialogBody>
          {list.sandbox ? (
            <Alert tone="warning" title="Sandbox data">
              This list was made with a sandbox key. A column in the file says so.
            </Alert>
          ) : null}
          {failed ? (
            <Alert
              tone="danger"
              title="The leads could not be read"
              action={
                <Button size="sm" onClick={onRetry}>
                  Try again
                </Button>
              }
            />
          ) : null}
          <fieldset className="grid min-w-0 gap-2">
            <legend className="mb-2 font-medium">Leads</legend>
            <RadioGroup
              aria-label="Leads to export"
              value={filter}
              onValueChange={(next) =>
                choose({ filter: FILTERS.find(({ value }) => value === next)?.value ?? filter, compliance })
              }
              className="sm:grid-cols-2"
            >
              {FILTERS.map(({ value, label, description }) => (
                <RadioChoice
                  key={value}
                  value={value}
                  label={label}
                  description={description}
                  aside={leads ? formatCount(countOf(value)) : null}
                />
              ))}
            </RadioGroup>
          </fieldset>
          <fieldset className="grid min-w-0 gap-2">
            <legend className="mb-2 font-medium">Compliance</legend>
            <RadioGroup
              aria-label="Compliance"
              value={compliance}
              onValueChange={(next) => choose({ filter, compliance: next === 'clean' ? 'clean' : 'all_leads' })}
              className="sm:grid-cols-2"
            >
              {COMPLIANCE.map((option) => (
                <RadioChoice key={option.value} {...option} />
              ))}
            </RadioGroup>
          </fieldset>
          {list.complianceChecked ? null : (
            <Alert tone="warning" title="This list has not been checked">
              Its phone numbers have not been compared with do-not-call and litigator lists. Check compliance before you
              call or text anyone on it.
            </Alert>
          )}
          <p className="text-faint text-sm">
            You are responsible for following telemarketing law (TCPA, Do Not Call rules and the laws of each state) and
            your providers’ terms when you use this data. A check helps you, but it is not legal advice.
          </p>
          {user ? <EarlierExports list={list} userId={user.id} /> : null}
        </DialogBody>
        <DialogFooter className="items-center">
          <div role="status" className="mr-auto text-secondary tabular-nums">
            {leads ? (
              <>
                <span className="font-semibold text-foreground">{formatCount(chosen.length)}</span>{' '}
                {chosen.length === 1 ? 'lead' : 'leads'} to export
              </>
            ) : failed ? null : (
              <Skeleton className="w-32" />
            )}
          </div>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" disabled={chosen.length === 0} onClick={download}>
            Download CSV
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
