import { type ComponentProps, memo, useDeferredValue } from 'react';
import { AllLeadsTable } from '#web/features/leads/leads-table.tsx';
import type { LeadsView } from '#web/features/leads/view/leads-view.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { useLeadWindow } from './use-lead-window.ts';

const Table = memo(AllLeadsTable);

/** All leads of a list in one table. Alone it is drawn again while someone scrolls, in slices, so that the page stays able to react. */
export function ScrollingLeads({
  listId,
  view,
  total,
  ...table
}: Omit<ComponentProps<typeof AllLeadsTable>, 'shown' | 'sort'> & { listId: string; view: LeadsView }) {
  const { shown, failed } = useLeadWindow({ listId, view, total });
  const drawn = useDeferredValue(shown);
  if (failed) {
    return (
      <ReadFailed title="The leads could not be loaded" query={failed}>
        {errorMessage(failed.error)}
      </ReadFailed>
    );
  }
  return <Table {...table} sort={view.sort} shown={drawn} total={total} />;
}
