import { EXPORT_COMPLIANCE, EXPORT_FILTERS, type ExportCompliance, type ExportFilter } from './export-choice.ts';

/** The bucket in which exports are kept. */
export const EXPORTS_BUCKET = 'exports';
/** Bytes of the largest file that is kept. */
export const MAX_EXPORT_BYTES = 32_000_000;

/** What a kept file says of itself. `exportedAt` is ISO 8601; `selected`: of chosen rows only. */
export type KeptExport = {
  exportedAt: string;
  filter: ExportFilter;
  compliance: ExportCompliance;
  leads: number;
  selected: boolean;
};

const NAME = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)--(\w+)--(\w+)--(\d{1,9})(--selected)?\.csv$/;

/** Where the exports of a list are. */
export const exportFolder = (userId: string, listId: string): string => `${userId}/${listId}`;

/** The file's name, which sorts by time and holds everything that is shown of it. */
export const keptName = ({ exportedAt, filter, compliance, leads, selected }: KeptExport): string =>
  `${[exportedAt.replaceAll(':', '-'), filter, compliance, leads, ...(selected ? ['selected'] : [])].join('--')}.csv`;

/** What `keptName` made a name of; undefined for any other. */
export function readKeptName(name: string): KeptExport | undefined {
  const [, day, hour, minute, second, chosenFilter, chosenCompliance, leads, selected] = NAME.exec(name) ?? [];
  const filter = EXPORT_FILTERS.find((one) => one === chosenFilter);
  const compliance = EXPORT_COMPLIANCE.find((one) => one === chosenCompliance);
  if (!filter || !compliance) return undefined;
  const exportedAt = `${day}${hour}:${minute}:${second}`;
  return { exportedAt, filter, compliance, leads: Number(leads), selected: selected !== undefined };
}
