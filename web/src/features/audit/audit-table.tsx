import { type AuditLine, auditLabel } from '#contract/admin/audit.ts';
import { formatTime } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { useMediaQuery } from '#web/ui/layout/use-media-query.ts';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#web/ui/table/table.tsx';
import { sentenceOf } from './audit-sentence.ts';

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
          <TableHead className="w-58">Time</TableHead>
          <TableHead>What happened</TableHead>
          <TableHead className="w-36">From address</TableHead>
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
              <Sentence line={line} />
            </TableCell>
            <TableCell className="break-words text-secondary tabular-nums">{line.ip ?? '–'}</TableCell>
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
            <Sentence line={line} />
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

/** The whole line, over as many lines as it needs: the names in it stand out. */
function Sentence({ line }: { line: AuditLine }) {
  return (
    <p dir="auto" className="min-w-0 text-left [overflow-wrap:anywhere]">
      {sentenceOf(line).map(({ text, name }, index) =>
        name ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line never change places
          <bdi key={index} className="font-medium">
            {text}
          </bdi>
        ) : (
          text
        ),
      )}
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
