import {
  EXPORT_COMPLIANCE,
  EXPORT_FILTERS,
  type ExportCompliance,
  type ExportFilter,
  type ExportRights,
} from './export-choice.ts';

/** The bucket in which exports are kept. */
export const EXPORTS_BUCKET = 'exports';
/** Bytes of the largest file that is kept. */
export const MAX_EXPORT_BYTES = 32_000_000;

/**
 * What a kept file says of itself. `exportedAt` is ISO 8601; `selected`: of chosen rows only.
 * - `callWithin`: hours; undefined for leads that may be called at any time, or never. `callTimes`: with the columns of calls.
 */
export type KeptExport = {
  exportedAt: string;
  filter: ExportFilter;
  compliance: ExportCompliance;
  rights: ExportRights;
  callWithin: number | undefined;
  callTimes: boolean;
  leads: number;
  selected: boolean;
};

const NAME =
  /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)--(\w+)--(\w+)--(\d{1,9})(--selected)?(?:--within-(\d\d?))?(--times)?(--safe)?\.csv$/;

/** Where the exports of a list are. */
export const exportFolder = (userId: string, listId: string): string => `${userId}/${listId}`;

/** The file's name, which sorts by time and holds everything that is shown of it. */
export function keptName({ exportedAt, filter, compliance, leads, ...kept }: KeptExport): string {
  const more = [
    ...(kept.selected ? ['selected'] : []),
    ...(kept.callWithin === undefined ? [] : [`within-${kept.callWithin}`]),
    ...(kept.callTimes ? ['times'] : []),
    ...(kept.rights === 'export_safe' ? ['safe'] : []),
  ];
  return `${[exportedAt.replaceAll(':', '-'), filter, compliance, leads, ...more].join('--')}.csv`;
}

/** What `keptName` made a name of; undefined for any other. */
export function readKeptName(name: string): KeptExport | undefined {
  const [, day, hour, minute, second, chosenFilter, chosenCompliance, leads, selected, within, times, safe] =
    NAME.exec(name) ?? [];
  const filter = EXPORT_FILTERS.find((one) => one === chosenFilter);
  const compliance = EXPORT_COMPLIANCE.find((one) => one === chosenCompliance);
  if (!filter || !compliance) return undefined;
  return {
    exportedAt: `${day}${hour}:${minute}:${second}`,
    filter,
    compliance,
    rights: safe ? 'export_safe' : 'all',
    callWithin: within === undefined ? undefined : Number(within),
    callTimes: times !== undefined,
    leads: Number(leads),
    selected: selected !== undefined,
  };
}
