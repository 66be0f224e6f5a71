import type { VisibleTiers } from '#contract/work/exports/visible-tiers.ts';

/** What a list has besides the columns of every list. `openData`: leads from open data. */
export type TableTiers = VisibleTiers & { openData: boolean };

/** The columns of the table in the order that it has by itself: what decides about a lead stands before what describes it. */
const LEAD_COLUMNS = [
  { id: 'businessName', label: 'Business Name' },
  { id: 'phone', label: 'Phone' },
  { id: 'email', label: 'Email', tier: 'emails' },
  { id: 'emailConfidence', label: 'Confidence', tier: 'emails' },
  { id: 'ownerName', label: 'Owner Name', tier: 'contacts' },
  { id: 'status', label: 'Status', tier: 'compliance' },
  { id: 'call', label: 'Call', tier: 'compliance' },
  { id: 'address', label: 'Address' },
  { id: 'ownerTitle', label: 'Title', tier: 'contacts' },
  { id: 'emailVerified', label: 'Verified', tier: 'verification' },
  { id: 'phoneType', label: 'Phone Type', tier: 'verification' },
  { id: 'website', label: 'Website' },
  { id: 'openData', label: 'Open Data', tier: 'openData' },
] as const satisfies readonly { id: string; label: string; tier?: keyof TableTiers }[];
export type ColumnId = (typeof LEAD_COLUMNS)[number]['id'];

/** Opens the details of a lead, so it stays, and stays first. */
const ALWAYS_FIRST: ColumnId = 'businessName';

/** Which columns someone wants to see, in which order. `order` holds every column, also of tiers that a list does not have. */
export type ColumnChoice = { order: readonly ColumnId[]; hidden: readonly ColumnId[] };

const IDS = LEAD_COLUMNS.map(({ id }) => id);
export const DEFAULT_CHOICE: ColumnChoice = { order: IDS, hidden: [] };

export const isDefaultChoice = ({ order, hidden }: ColumnChoice): boolean =>
  hidden.length === 0 && order.every((id, index) => id === IDS[index]);

export const columnLabel = (id: ColumnId): string => LEAD_COLUMNS.find((column) => column.id === id)?.label ?? id;

/** The columns that a list has by its tiers, in the order of the choice; the hidden ones included. */
export function columnsOf(tiers: TableTiers, { order }: ColumnChoice): ColumnId[] {
  return order.filter((id) => {
    const column = LEAD_COLUMNS.find((one) => one.id === id);
    return column !== undefined && (!('tier' in column) || tiers[column.tier]);
  });
}

/** The columns that the table of a list shows. */
export const shownColumns = (tiers: TableTiers, choice: ColumnChoice): ColumnId[] =>
  columnsOf(tiers, choice).filter((id) => !choice.hidden.includes(id));

/** Whether a column can be hidden and moved. */
export const isMovable = (id: ColumnId): boolean => id !== ALWAYS_FIRST;

export const showColumn = (choice: ColumnChoice, id: ColumnId, shown: boolean): ColumnChoice => ({
  ...choice,
  hidden: [...choice.hidden.filter((one) => one !== id), ...(shown || !isMovable(id) ? [] : [id])],
});

/** Lets a column change places with its neighbor among `columns`, those of the list. */
export function moveColumn(choice: ColumnChoice, id: ColumnId, by: -1 | 1, columns: readonly ColumnId[]): ColumnChoice {
  const other = columns[columns.indexOf(id) + by];
  if (!columns.includes(id) || other === undefined || !isMovable(id) || !isMovable(other)) return choice;
  const without = choice.order.filter((one) => one !== id);
  const at = without.indexOf(other) + (by === 1 ? 1 : 0);
  return { ...choice, order: [...without.slice(0, at), id, ...without.slice(at)] };
}

/** A stored choice; what is not understood is left out, and columns that it does not name stand where they stand by themselves. */
export function readChoice(stored: string | undefined): ColumnChoice {
  const { order, hidden } = parsed(stored);
  const named = [ALWAYS_FIRST, ...idsIn(order)].filter((id, index, all) => all.indexOf(id) === index);
  for (const [index, id] of IDS.entries()) {
    if (named.includes(id)) continue;
    const before = IDS.slice(0, index).findLast((one) => named.includes(one));
    named.splice(before ? named.indexOf(before) + 1 : 0, 0, id);
  }
  return { order: named, hidden: idsIn(hidden).filter(isMovable) };
}

export const writeChoice = (choice: ColumnChoice): string => JSON.stringify(choice);

const idsIn = (value: unknown): ColumnId[] =>
  Array.isArray(value) ? value.flatMap((one) => IDS.find((id) => id === one) ?? []) : [];

function parsed(stored: string | undefined): { order?: unknown; hidden?: unknown } {
  try {
    const value: unknown = JSON.parse(stored ?? '');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
