import { useQuery } from '@tanstack/react-query';
import { z } from 'zod/mini';
import type { EnrichmentEstimate } from '#contract/work/enrichment.ts';
import { EXPORT_COMPLIANCE, EXPORT_FILTERS, EXPORT_RIGHTS } from '#contract/work/exports/export-choice.ts';
import { defaultExportCompliance, exportFileName, wasChecked } from '#contract/work/exports/exports.ts';
import type { LeadChoice } from '#contract/work/lead-choice.ts';
import type { LeadCounts } from '#contract/work/lead-counts.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { VERDICT_DAYS } from '#contract/work/retention.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';
import { formatCount, formatExact, plural } from '#web/lib/format/format.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { CheckboxChoice, RadioChoice } from '#web/ui/form/choice.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { useKeepExport } from './archive-api.ts';
import { type CallChoice, CallFields, toCallBody } from './call-choice.tsx';
import { COMPLIANCE, FILTERS } from './choices.ts';
import { EarlierExports } from './earlier-exports.tsx';
import { type Exported, exportPreviewQuery, useExport, useSaveCompanion } from './export-api.ts';
import { SafePreview } from './safe-preview.tsx';

const Choice = z.object({
  filter: z.enum(EXPORT_FILTERS),
  /** As the list has it, until someone chooses. */
  compliance: z.optional(z.enum(EXPORT_COMPLIANCE)),
  rights: z._default(z.enum(EXPORT_RIGHTS), 'all'),
});

/** Chooses leads, saves them as CSV, and keeps a copy of the file for as long as the list. `choice` narrows it to the chosen rows. */
export function ExportDialog({
  list,
  whole,
  counts,
  choice,
  toVerify,
  onVerify,
  calls,
  onCallsChange,
  failed,
  onRetry,
  onClose,
}: {
  list: LeadList;
  /** What all of its leads have. Undefined while they are being counted. */
  whole: LeadCounts | undefined;
  /** How many of the chosen leads a file would hold. Undefined while they are being counted. */
  counts: LeadCounts['exports'] | undefined;
  choice?: LeadChoice | undefined;
  /** Of their emails, those that were not verified lately, and what that would cost at most. Undefined while they are being counted. */
  toVerify: ToVerify | undefined;
  /** Verifies them first, which leaves this dialog. */
  onVerify: () => void;
  /** What the file asks of calls. */
  calls: CallChoice;
  onCallsChange: (calls: CallChoice) => void;
  failed: boolean;
  onRetry: () => void;
  onClose: () => void;
}) {
  const [draft, choose, clear] = useDraftState(`export:${list.id}`, Choice, { filter: 'all', rights: 'all' });
  const { filter, rights } = draft;
  const compliance = draft.compliance ?? (whole ? defaultExportCompliance(list, whole) : 'clean');
  const { user } = useSession();
  const keep = useKeepExport();
  const companion = useSaveCompanion();
  const exporting = useExport(list.id);
  const close = () => {
    exporting.cancel();
    clear();
    onClose();
  };
  const isSafe = rights === 'export_safe';
  const body = { ...choice, filter, compliance, rights, ...toCallBody(calls) };
  const preview = useQuery({ ...exportPreviewQuery(list.id, body), enabled: isSafe });
  // Until the list is counted, the choice may still change by itself.
  const chosen = whole && (isSafe ? preview.data?.leads : counts?.[filter][compliance]);
  const save = ({ file, id, attribution }: Exported, leads: number, fileName: string) => {
    const now = new Date();
    saveFile(fileName, file);
    if (attribution) saveFile(fileName.replace(/\.csv$/, ' - sources.txt'), attribution);
    if (id) companion.mutate({ id, csvName: fileName });
    if (user) {
      const kept = {
        exportedAt: now.toISOString(),
        filter,
        compliance,
        rights,
        callWithin: calls.within,
        callTimes: calls.times,
        leads,
        selected: choice !== undefined,
      };
      keep.mutate({ place: { userId: user.id, listId: list.id }, kept, file, exportId: id });
    }
    toast.success(
      'CSV downloaded',
      [
        isSafe
          ? `What may be kept of ${plural(leads, 'lead')} is in “${fileName}”`
          : `${plural(leads, 'lead')} in “${fileName}”`,
        attribution ? ', and its sources are in the file beside it.' : '.',
      ].join(''),
    );
    close();
  };
  const download = () => {
    if (!chosen || exporting.isPending) return;
    const fileName = exportFileName(list.name, new Date());
    exporting.start({ ...body, file_name: fileName }, { onSuccess: (exported) => save(exported, chosen, fileName) });
  };

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : close())}>
      <DialogContent
        title={choice ? 'Export selected leads' : 'Export leads'}
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
              title="The leads could not be loaded"
              action={
                <Button size="sm" onClick={onRetry}>
                  Try again
                </Button>
              }
            />
          ) : null}
          {exporting.error ? (
            <Alert tone="danger" title="The export failed">
              {errorMessage(exporting.error)}
            </Alert>
          ) : null}
          <fieldset className="grid min-w-0 gap-2">
            <legend className="mb-2 font-medium">Leads</legend>
            <RadioGroup
              aria-label="Leads to export"
              value={filter}
              onValueChange={(next) =>
                choose({ ...draft, filter: FILTERS.find(({ value }) => value === next)?.value ?? filter })
              }
              className="sm:grid-cols-2"
            >
              {FILTERS.map(({ value, label, description }) => (
                <RadioChoice
                  key={value}
                  value={value}
                  label={label}
                  description={description}
                  aside={counts ? formatCount(counts[value][compliance]) : null}
                />
              ))}
            </RadioGroup>
          </fieldset>
          <fieldset className="grid min-w-0 gap-2">
            <legend className="mb-2 font-medium">Compliance</legend>
            <RadioGroup
              aria-label="Compliance"
              value={compliance}
              onValueChange={(next) => choose({ ...draft, compliance: next === 'clean' ? 'clean' : 'all_leads' })}
              className="sm:grid-cols-2"
            >
              {COMPLIANCE.map((option) => (
                <RadioChoice key={option.value} {...option} />
              ))}
            </RadioGroup>
          </fieldset>
          <CallFields choice={calls} onChange={onCallsChange} />
          {toVerify && toVerify.toVerify + toVerify.verified > 0 ? (
            <VerifyFirst {...toVerify} whose={choice ? 'the selected leads' : 'this list'} onVerify={onVerify} />
          ) : null}
          <CheckboxChoice
            label="Export-safe"
            description="Only values whose license lets you keep them: open data, the business’s website, Hunter and your own files. Google’s values and verdicts stay out, and a second file names the sources."
            checked={isSafe}
            onCheckedChange={(checked) => choose({ ...draft, rights: checked ? 'export_safe' : 'all' })}
          />
          {isSafe ? <SafePreview preview={preview} /> : null}
          {whole ? <Unchecked list={list} whole={whole} /> : null}
          <p className="text-faint text-sm">
            You are responsible for following telemarketing law (TCPA, Do Not Call rules and the laws of each state) and
            your providers’ terms when you use this data. A check helps you, but it is not legal advice.
          </p>
          {user ? <EarlierExports list={list} userId={user.id} /> : null}
        </DialogBody>
        <DialogFooter className="items-center">
          <div role="status" className="mr-auto text-secondary tabular-nums">
            {exporting.isPending && chosen !== undefined ? (
              `${formatCount(Math.min(chosen, Math.max(0, exporting.lines - 1)))} of ${plural(chosen, 'lead')}`
            ) : chosen !== undefined ? (
              <>
                <span className="font-semibold text-foreground">{formatCount(chosen)}</span>{' '}
                {chosen === 1 ? 'lead' : 'leads'} to export
              </>
            ) : failed || preview.isError ? null : (
              <Skeleton className="w-32" />
            )}
          </div>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" disabled={!chosen} pending={exporting.isPending} onClick={download}>
            Download CSV
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

/** Says of how many numbers nothing is known. */
function Unchecked({ list, whole }: { list: LeadList; whole: LeadCounts }) {
  if (list.complianceChecked) return null;
  if (!wasChecked(list, whole))
    return (
      <Alert tone="warning" title="This list has not been checked">
        Its phone numbers have not been compared with do-not-call and litigator lists. Check compliance before you call
        or text anyone on it.
      </Alert>
    );
  if (whole.unchecked === 0) return null;
  const has = whole.unchecked === 1 ? 'has' : 'have';
  return (
    <Alert tone="warning" title={`${plural(whole.unchecked, 'number')} of this list ${has} not been checked`}>
      Nothing is known of {whole.unchecked === 1 ? 'it' : 'them'}, or a check was more than {VERDICT_DAYS} days ago.
      Check compliance before you call or text anyone there.
    </Alert>
  );
}

type ToVerify = Pick<EnrichmentEstimate, 'toVerify' | 'verified' | 'boundMicros'>;

/**
 * `whose`: the leads whose emails are verified, whatever else the file leaves out. `verified`: emails whose result another list
 * has, but not this one.
 */
function unverifiedText({ toVerify, verified, boundMicros }: ToVerify, whose: string): string {
  if (toVerify === 0)
    return `${plural(verified, 'email')} of ${whose} ${verified === 1 ? 'was' : 'were'} checked on other lists. Adding the results is free.`;
  const were = toVerify === 1 ? 'was' : 'were';
  return `${plural(toVerify, 'email')} of ${whose} ${were} not verified in the last 30 days. Hunter can check ${toVerify === 1 ? 'it' : 'them'} first, for at most ${formatExact(boundMicros)}.`;
}

/** Mail that comes back harms the sender, so what no one has checked is said before it leaves. */
function VerifyFirst({ whose, onVerify, ...counts }: ToVerify & { whose: string; onVerify: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border px-3 py-2">
      <p className="min-w-0 flex-1 basis-64 text-secondary text-sm">{unverifiedText(counts, whose)}</p>
      <Button size="sm" onClick={onVerify}>
        Verify emails…
      </Button>
    </div>
  );
}
