import { type AuditLine, auditLabel } from '#contract/admin/audit.ts';
import { formatTime } from '#web/lib/format/format.ts';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { sentenceText } from './audit-sentence.ts';
import { actorText, detailLabel, detailText, targetText } from './audit-words.ts';

/** Everything that one line holds; open while there is one. */
export function AuditDetails({ line, onClose }: { line: AuditLine | undefined; onClose: () => void }) {
  return (
    <Dialog open={line !== undefined} onOpenChange={(open) => (open ? undefined : onClose())}>
      {line ? (
        <DialogContent title={auditLabel(line.action)} description={formatTime(line.at)}>
          <DialogBody>
            <p className="break-words">{sentenceText(line)}.</p>
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

const UUID = /^[\da-f]{8}-/;

/** A label and a value each; what is not known is left out. */
function rowsOf(line: AuditLine): [string, string][] {
  const { actor, target, ip, requestId, at, details } = line;
  const named: [string, string | null | undefined][] = [
    ['Done by', actorText(line)],
    ['Account ID', actor?.id],
    ['Done to', targetText(line)],
    ['Its ID', target && UUID.test(target) && target !== actor?.id ? target : null],
    ...Object.entries(details).map(([name, value]): [string, string] => [detailLabel(name), detailText(name, value)]),
    ['From address', ip],
    ['Time (UTC)', at],
    ['Request ID', requestId],
  ];
  return named.flatMap(([label, value]) => (value ? [[label, value]] : []));
}
