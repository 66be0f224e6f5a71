import { type AuditLine, auditLabel } from '#contract/audit.ts';
import { formatTime } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#web/ui/table.tsx';
import { useMediaQuery } from '#web/ui/use-media-query.ts';
import { actorText, summaryOf, targetText } from './audit-words.ts';

/** Below this a table would hide half of its columns beyond its edge. */
const NARROW = '(max-width: 1023px)';

type AuditTableProps = {
  lines: readonly AuditLine[];
  onDetails: (line: AuditLine) => void;
};

/** Lines of the audit log. Narrow screens get a list instead of a table. */
export function AuditTable(props: AuditTableProps) {
  return useMediaQuery(NARROW) ? <Stacked {...props} /> : <Wide {...props} />;
}

function Wide({ lines, onDetails }: AuditTableProps) {
  return (
    <Table label="Audit log" className="table-fixed">
      <TableHeader>
        <tr>
          <TableHead className="w-50">Time</TableHead>
          <TableHead className="w-[21%]">Actor</TableHead>
          <TableHead>Action</TableHead>
          <TableHead className="w-[18%]">Target</TableHead>
          <TableHead className="w-32">Address</TableHead>
          <TableHead className="w-20">
            <span className="sr-only">Details</span>
          </TableHead>
        </tr>
      </TableHeader>
      <TableBody>
        {lines.map((line) => (
          <TableRow key={line.id}>
            <TableCell className="whitespace-nowrap text-secondary tabular-nums">{formatTime(line.at)}</TableCell>
            <TableCell>
              <Text value={actorText(line)} faint={!line.actor} />
            </TableCell>
            <TableCell>
              <Action line={line} />
            </TableCell>
            <TableCell>
              <Text value={targetText(line)} faint={isOwn(line)} />
            </TableCell>
            <TableCell>
              <Text value={line.ip ?? '–'} faint />
            </TableCell>
            <TableCell className="text-right">
              <DetailsButton line={line} onDetails={onDetails} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Stacked({ lines, onDetails }: AuditTableProps) {
  return (
    <ul aria-label="Audit log" className="divide-y rounded-lg border bg-surface">
      {lines.map((line) => (
        <li key={line.id} className="flex items-start gap-2 p-3">
          <div className="grid min-w-0 flex-1 gap-0.5">
            <Action line={line} />
            <p className="break-words">{isOwn(line) ? actorText(line) : `${actorText(line)} → ${targetText(line)}`}</p>
            <p className="break-words text-secondary text-sm tabular-nums">
              {formatTime(line.at)}
              {line.ip ? ` · ${line.ip}` : null}
            </p>
          </div>
          <DetailsButton line={line} onDetails={onDetails} />
        </li>
      ))}
    </ul>
  );
}

/** Whether somebody did it to their own account. */
const isOwn = ({ actor, target }: AuditLine): boolean => actor !== null && actor.id === target;

function Text({ value, faint = false }: { value: string; faint?: boolean }) {
  return (
    <span title={value} className={cn('block truncate', faint && 'text-secondary')}>
      {value}
    </span>
  );
}

function Action({ line }: { line: AuditLine }) {
  const label = auditLabel(line.action);
  const summary = summaryOf(line);
  return (
    <p title={[label, summary].filter(Boolean).join(', ')} className="truncate">
      <span className="font-medium">{label}</span>
      {summary ? <span className="text-secondary"> {summary}</span> : null}
    </p>
  );
}

function DetailsButton({ line, onDetails }: { line: AuditLine; onDetails: (line: AuditLine) => void }) {
  const name = `Details of ${auditLabel(line.action)}, ${formatTime(line.at)}`;
  return (
    <Button size="sm" variant="ghost" aria-label={name} onClick={() => onDetails(line)}>
      Details
    </Button>
  );
}
