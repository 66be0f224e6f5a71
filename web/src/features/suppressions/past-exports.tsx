import type { Suppression } from '#contract/calling/suppressions.ts';
import { useNow } from '#web/lib/browser/use-now.ts';
import { formatCount, formatDate, formatTime, plural } from '#web/lib/format/format.ts';
import { cn } from '#web/ui/cn.ts';
import { clockText, ownersText } from './suppression-words.ts';

const TONES = { neutral: 'font-medium', warning: 'font-medium text-warning', danger: 'font-medium text-danger' };

/** Which past exports held a contact, until when they may be in use, and who should be told. Nothing where none did. */
export function PastExportsOf({ item, open = false }: { item: Suppression; open?: boolean }) {
  const clock = clockText(item, useNow());
  if (!clock) return null;
  const { total, newest } = item.exports;
  return (
    <div className="grid justify-items-start gap-1">
      <p className={cn('text-sm [overflow-wrap:anywhere]', TONES[clock.tone])}>{clock.text}</p>
      <details open={open} className="w-full text-sm">
        <summary className="w-fit cursor-pointer rounded-sm py-1 text-secondary hover:text-foreground">
          In {plural(total, 'past export')}
        </summary>
        <ul className="grid gap-1 py-1">
          {newest.map(({ id, by, at, listName, fileName, leads }) => (
            <li key={id} className="[overflow-wrap:anywhere]">
              <bdi className="font-medium">{fileName}</bdi>
              <span className="text-secondary">
                {' '}
                · {plural(leads, 'lead')} of <bdi>{listName}</bdi> ·{' '}
                <span title={formatTime(at)}>{formatDate(at)}</span> · {by ?? 'an account that is gone'}
              </span>
            </li>
          ))}
          {total > newest.length ? <li>and {formatCount(total - newest.length)} older</li> : null}
        </ul>
        <p className="text-secondary [overflow-wrap:anywhere]">
          {ownersText(item.exports)} Each owner gets an email once.
        </p>
      </details>
    </div>
  );
}
