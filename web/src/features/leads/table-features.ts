import { metaHelper, rowSelectionFeature, tableFeatures } from '@tanstack/react-table';

/** Sorting, filtering and paging are the server's. */
export const leadFeatures = tableFeatures({
  rowSelectionFeature,
  columnMeta: metaHelper<{ className?: string }>(),
});
