import { type AuditLine, auditLabel } from '#contract/audit.ts';
import { formatTime } from '#web/lib/format.ts';
import { Dialog, DialogBody, DialogContent } from '#web/ui/dialog.tsx';
import { actorText, detailLabel, detailText, targetText } from './audit-words.ts';

/** Everything that one line holds; open while there is one. */
export function AuditDetails({ line, onClose }: { line: AuditLine | undefined; onClose: () => void }) {
  return (
    <Dialog open={line !== undefined} onOpenChange={(open) => (open ? undefined : onClose())}>
      {line ? (
        <DialogContent title={auditLabel(line.action)} description={formatTime(line.at)}>
          <DialogBody>
            <dl className="grid gap-x-6 gap-y-0.5 sm:gap-y-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
              {rowsOf(line).map(([label, value]) => (
                <div key={label} className="contents">
                  <dt className="text-secondary max-sm:text-sm">{label}</dt>
                  <dd className="min-w-0 whitespace-pre-wrap break-words max-sm:mb-2">{value}</dd>
                </div>
              ))}
            </dl>
          </DialogBody>
        </DialogContent>
      ) : null}
    </Dialog>
  );
}

/** A label and a value each; what is not known is left out. */
function rowsOf(line: AuditLine): [string, string][] {
  const { actor, target, action, ip, requestId, at, details } = line;
  const named: [string, string | null | undefined][] = [
    ['Actor', actorText(line)],
    ['Actor ID', actor?.id],
    ['Target', targetText(line)],
    ['Target ID', targetText(line) === target ? null : target],
    ...Object.entries(details).map(([name, value]): [string, string] => [detailLabel(name), detailText(name, value)]),
    ['Address', ip],
    ['Time (UTC)', at],
    ['Code', action],
    ['Request ID', requestId],
  ];
  return named.flatMap(([label, value]) => (value ? [[label, value]] : []));
}
