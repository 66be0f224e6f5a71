import {
  createPaginatedRowModel,
  createSortedRowModel,
  metaHelper,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  type SortFn,
  tableFeatures,
} from '@tanstack/react-table';

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

// biome-ignore lint/suspicious/noExplicitAny: the library types a comparator for every table as this
const byText: SortFn<any, any> = (a, b, columnId) => collator.compare(a.getValue(columnId), b.getValue(columnId));

export const leadFeatures = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { text: byText },
  rowPaginationFeature,
  paginatedRowModel: createPaginatedRowModel(),
  rowSelectionFeature,
  columnMeta: metaHelper<{ className?: string }>(),
});
