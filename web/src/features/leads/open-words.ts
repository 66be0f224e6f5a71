import type { OpenOrigin } from '#contract/work/open-origins.ts';
import { formatDate } from '#web/lib/format/format.ts';

/** What a source says of a place, which is never that the business is open. */
export function certainty({ release, confidence, stated, goneOn }: OpenOrigin): string {
  const sure =
    confidence === null
      ? 'No confidence is stated.'
      : `Confidence ${Math.round(confidence * 100)}%${stated && stated !== release ? ` in release ${stated}` : ''}, as the source states it.`;
  const gone = goneOn ? ` A release loaded on ${formatDate(goneOn)} no longer has it.` : '';
  return `${sure}${gone} This does not prove that the business is open. Check before you call.`;
}
