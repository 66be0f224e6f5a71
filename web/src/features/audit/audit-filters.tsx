import { AUDIT_GROUP_LABELS, AUDIT_GROUPS, type AuditGroup } from '#contract/admin/audit.ts';
import { Button } from '#web/ui/button.tsx';
import { DayInput } from '#web/ui/form/day-input.tsx';
import { SearchInput } from '#web/ui/form/search-input.tsx';
import { Select, type SelectOption } from '#web/ui/form/select.tsx';
import { type AuditView, isFiltered, NO_FILTER } from './audit-view.ts';

const GROUPS: readonly SelectOption<AuditGroup | 'all'>[] = [
  { value: 'all', label: 'All actions' },
  ...AUDIT_GROUPS.map((group) => ({ value: group, label: AUDIT_GROUP_LABELS[group] })),
];

/** What to show of the audit log. */
export function AuditFilters({ view, onChange }: { view: AuditView; onChange: (change: Partial<AuditView>) => void }) {
  return (
    <search aria-label="Filter the audit log" className="grid grid-cols-1 gap-2 sm:flex sm:flex-wrap sm:items-center">
      <Select
        aria-label="Actions"
        size="sm"
        value={view.group ?? 'all'}
        onValueChange={(group) => onChange({ group: group === 'all' ? undefined : group })}
        options={GROUPS}
        className="sm:w-48"
      />
      <SearchInput
        label="Done by, beginning with"
        placeholder="Done by…"
        value={view.actor}
        onValueChange={(actor) => onChange({ actor })}
        className="sm:w-48"
      />
      <SearchInput
        label="Done to, beginning with"
        placeholder="Done to…"
        value={view.target}
        onValueChange={(target) => onChange({ target })}
        className="sm:w-48"
      />
      <div className="flex flex-wrap items-center gap-2">
        <DayInput label="From" value={view.from} max={view.to} onChange={(from) => onChange({ from })} />
        <span aria-hidden className="text-faint max-sm:hidden">
          –
        </span>
        <DayInput label="To" value={view.to} min={view.from} onChange={(to) => onChange({ to })} />
      </div>
      {isFiltered(view) ? (
        <Button variant="ghost" className="justify-self-start" onClick={() => onChange(NO_FILTER)}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}
