import { useQuery } from '@tanstack/react-query';
import { Phone } from 'lucide-react';
import { createContext, useContext } from 'react';
import type { CallVerdict } from '#contract/calling/call-verdicts.ts';
import { CALL_TONES, CALL_WORDS, opensText } from '#web/lib/calling/call-words.ts';
import { useOfNow } from '#web/lib/calling/use-of-now.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { leadVerdictQuery } from './call-api.ts';

/** The list whose leads a table shows. */
const ListOfTable = createContext('');
export const CallsOfList = ListOfTable.Provider;
export const useListOfTable = (): string => useContext(ListOfTable);

const opening = (verdict: CallVerdict, when: string): string =>
  verdict === 'review' ? `Review until ${when}` : `Opens ${when}`;

/** Whether a lead may be called now, in words; why, under the pointer. */
export function CallCell({ leadId }: { leadId: string }) {
  const verdictQuery = useQuery(leadVerdictQuery(useListOfTable(), leadId));
  const data = useOfNow(verdictQuery);
  if (!data)
    return verdictQuery.isError || data === null ? (
      <span className="text-faint">Not read</span>
    ) : (
      <Skeleton className="w-20" />
    );
  const { verdict, opensAt, why } = data;
  return (
    <Badge tone={CALL_TONES[verdict]} title={why}>
      {verdict === 'callable' ? <Phone aria-hidden /> : null}
      {opensAt ? opening(verdict, opensText(opensAt, Date.now())) : CALL_WORDS[verdict]}
    </Badge>
  );
}
