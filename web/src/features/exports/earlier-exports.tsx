import { useQuery } from '@tanstack/react-query';
import { Download, FileArchive, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { LeadList } from '#contract/work/lists.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatBytes, formatTime, plural } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import {
  type EarlierExport,
  earlierExportsQuery,
  useDownloadAgain,
  useRemoveExport,
  useSaveEvidence,
} from './archive-api.ts';
import { choiceWords } from './choices.ts';

const SHOWN_AT_FIRST = 3;

/** The files that were exported from a list before: each to be saved again, or deleted. */
export function EarlierExports({ list, userId }: { list: LeadList; userId: string }) {
  const exports = useQuery(earlierExportsQuery({ userId, listId: list.id }));
  const [all, setAll] = useState(false);
  const shown = all ? exports.data : exports.data?.slice(0, SHOWN_AT_FIRST);
  const hidden = (exports.data?.length ?? 0) - (shown?.length ?? 0);
  return (
    <section aria-labelledby="earlier-exports" className="grid min-w-0 gap-2 border-t pt-4">
      <h3 id="earlier-exports" className="font-medium">
        Earlier exports
      </h3>
      {exports.isError && !shown ? (
        <ReadFailed title="Earlier exports could not be loaded" query={exports}>
          {errorMessage(exports.error)}
        </ReadFailed>
      ) : !shown ? (
        <ExportsSkeleton />
      ) : shown.length === 0 ? (
        <p className="text-secondary text-sm">
          None yet. We keep a copy of each file for as long as you have this list.
        </p>
      ) : (
        <ul aria-labelledby="earlier-exports" className="divide-y rounded-lg border bg-surface">
          {shown.map((one) => (
            <ExportRow key={one.path} list={list} userId={userId} one={one} />
          ))}
        </ul>
      )}
      {hidden > 0 ? (
        <Button size="sm" variant="ghost" className="justify-self-start" onClick={() => setAll(true)}>
          Show {plural(hidden, 'more', 'more')}
        </Button>
      ) : null}
    </section>
  );
}

function ExportRow({ list, userId, one }: { list: LeadList; userId: string; one: EarlierExport }) {
  const [asks, setAsks] = useState(false);
  const downloading = useDownloadAgain(list);
  const proving = useSaveEvidence();
  const removing = useRemoveExport({ userId, listId: list.id });
  const time = formatTime(one.exportedAt);
  const about = [...choiceWords(one), plural(one.leads, 'lead'), formatBytes(one.bytes)];
  return (
    <li className="flex items-center gap-2 py-1.5 pr-1.5 pl-3">
      <div className="min-w-0 flex-1 tabular-nums">
        <p>{time}</p>
        <p className="text-secondary text-sm">{about.join(' · ')}</p>
      </div>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Download the export of ${time} again`}
        pending={downloading.isPending}
        onClick={() => downloading.mutate(one)}
      >
        <Download aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Download the evidence of the export of ${time}`}
        pending={proving.isPending}
        onClick={() => proving.mutate(one)}
      >
        <FileArchive aria-hidden />
      </Button>
      <Button variant="ghost" size="icon-sm" aria-label={`Delete the export of ${time}`} onClick={() => setAsks(true)}>
        <Trash2 aria-hidden />
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title="Delete this export?"
        description={`This permanently deletes the copy from ${time}. The list and its leads stay as they are.`}
        confirmText="Delete"
        destructive
        pending={removing.isPending}
        onConfirm={() => removing.mutate(one, { onSettled: () => setAsks(false) })}
      />
    </li>
  );
}

function ExportsSkeleton() {
  return (
    <div className="divide-y rounded-lg border bg-surface">
      {['first', 'second'].map((row) => (
        <div key={row} className="grid gap-2 px-3 py-2.5">
          <Skeleton className="w-40" />
          <Skeleton className="w-56 max-w-full" />
        </div>
      ))}
    </div>
  );
}
