import { useState } from 'react';
import { Link } from 'react-router';
import type { Import } from '#contract/imports/imports.ts';
import { formatDate, formatTime } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { useCancel, useKeep } from './api.ts';
import { ErrorsButton } from './errors-button.tsx';
import { isUnderWay, notReadText, outcomeText, STATE_WORDS } from './import-words.ts';
import { UndoDialog } from './undo-dialog.tsx';

/** Imports so far, the newest first. `onReview`: opens a file that was not started. */
export function History({ imports, onReview }: { imports: readonly Import[]; onReview: (id: string) => void }) {
  const [leaving, setLeaving] = useState<Import>();
  return (
    <>
      <ul aria-label="Imports" className="divide-y rounded-lg border bg-surface">
        {imports.map((one) => (
          <Item key={one.id} item={one} onReview={onReview} onUndo={setLeaving} />
        ))}
      </ul>
      {leaving ? <UndoDialog key={leaving.id} item={leaving} onClose={() => setLeaving(undefined)} /> : null}
    </>
  );
}

const CAN_UNDO: readonly Import['state'][] = ['completed', 'canceled', 'failed'];

function Item({
  item,
  onReview,
  onUndo,
}: {
  item: Import;
  onReview: (id: string) => void;
  onUndo: (item: Import) => void;
}) {
  const cancel = useCancel();
  const keep = useKeep();
  const { label, tone } = STATE_WORDS[item.state];
  const isKept = item.retention === 'keep';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
        <p className="flex flex-wrap items-center gap-2">
          <bdi className="min-w-0 font-medium [overflow-wrap:anywhere]">{item.name}</bdi>
          <Badge tone={tone}>{label}</Badge>
          {isKept && item.listId ? <Badge>Kept for good</Badge> : null}
        </p>
        <p className="text-secondary text-sm [overflow-wrap:anywhere]">
          <span title={formatTime(item.createdAt)}>{formatDate(item.createdAt)}</span> · {outcomeText(item)}
          {item.listId ? (
            <>
              {' · '}
              <Link to={`/lists/${item.listId}`} className="text-accent underline underline-offset-4">
                <bdi>{item.listName}</bdi>
              </Link>
            </>
          ) : null}
        </p>
        {item.otherSheets.length > 0 && item.state !== 'undone' ? (
          <p className="text-secondary text-sm [overflow-wrap:anywhere]">{notReadText(item.otherSheets)}</p>
        ) : null}
        {item.failure === null ? null : <p className="text-danger text-sm">{item.failure}</p>}
        {isUnderWay(item) ? (
          <Progress
            label={`Import of ${item.name}`}
            value={(100 * item.done) / Math.max(1, item.rows)}
            className="mt-1"
          />
        ) : null}
      </div>
      <div className="flex flex-wrap items-center gap-1">
        {item.state === 'ready' ? (
          <Button size="sm" aria-label={`Review ${item.name}`} onClick={() => onReview(item.id)}>
            Review
          </Button>
        ) : null}
        {isUnderWay(item) ? (
          <Button
            size="sm"
            pending={cancel.isPending}
            aria-label={`Cancel ${item.name}`}
            onClick={() => cancel.mutate(item.id)}
          >
            Cancel
          </Button>
        ) : null}
        {item.errors > 0 && CAN_UNDO.includes(item.state) ? <ErrorsButton id={item.id} /> : null}
        {item.listId && CAN_UNDO.includes(item.state) ? (
          <Button
            size="sm"
            variant="ghost"
            pending={keep.isPending}
            aria-label={`${isKept ? 'Archive after 30 days' : 'Keep for good'}: ${item.name}`}
            onClick={() => keep.mutate({ id: item.id, retention: isKept ? 'archive' : 'keep' })}
          >
            {isKept ? 'Archive after 30 days' : 'Keep for good'}
          </Button>
        ) : null}
        {CAN_UNDO.includes(item.state) ? (
          <Button
            size="sm"
            variant="ghost"
            className="text-danger"
            aria-label={`Undo ${item.name}`}
            onClick={() => onUndo(item)}
          >
            Undo
          </Button>
        ) : null}
      </div>
    </li>
  );
}
