import { SearchInput } from '#web/ui/form/search-input.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { LIST_FILTER_LABEL, LIST_FILTERS, LIST_SORT_LABEL, LIST_SORTS, type ListsView } from './lists-view.ts';

const FILTER_OPTIONS = LIST_FILTERS.map((value) => ({ value, label: LIST_FILTER_LABEL[value] }));
const SORT_OPTIONS = LIST_SORTS.map((value) => ({ value, label: LIST_SORT_LABEL[value] }));

/** Which lists are shown, and in what order. */
export function ListsToolbar({
  view,
  activeCount,
  archivedCount,
  onChange,
}: {
  view: ListsView;
  activeCount: number;
  archivedCount: number;
  onChange: (change: Partial<ListsView>) => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SegmentedControl
        aria-label="Active or archived lists"
        value={view.lifecycle}
        onValueChange={(lifecycle) => onChange({ lifecycle })}
        options={[
          { value: 'active', label: <Counted label="Active" count={activeCount} /> },
          { value: 'archived', label: <Counted label="Archived" count={archivedCount} /> },
        ]}
      />
      <SearchInput
        label="Search lists by name"
        placeholder="Search lists"
        value={view.search}
        onValueChange={(search) => onChange({ search })}
        className="min-w-40 flex-1 basis-48 sm:max-w-72"
      />
      <div className="flex flex-1 gap-2 sm:ml-auto sm:flex-none">
        <Select
          aria-label="Filter"
          size="sm"
          value={view.filter}
          onValueChange={(filter) => onChange({ filter })}
          options={FILTER_OPTIONS}
          className="sm:w-48"
        />
        <Select
          aria-label="Sort"
          size="sm"
          value={view.sort}
          onValueChange={(sort) => onChange({ sort })}
          options={SORT_OPTIONS}
          className="sm:w-36"
        />
      </div>
    </div>
  );
}

function Counted({ label, count }: { label: string; count: number }) {
  return (
    <>
      {label} <span className="text-faint tabular-nums">{count}</span>
    </>
  );
}
