import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Usage, UsageProvider, UsageSums } from '#contract/money/usage.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import { formatCount, formatMoney, plural } from '#web/lib/format/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#web/ui/table/table.tsx';

/** A part of the page under its heading. */
export function UsageSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-2">
      <h2 className="font-semibold text-base">{title}</h2>
      {children}
    </section>
  );
}

export function ProvidersTable({ providers }: { providers: readonly UsageProvider[] }) {
  return (
    <UsageSection title="By provider">
      <SumsTable label="By provider" what="Provider">
        {providers.map(({ provider, ...sums }) => (
          <SumsRow key={provider} name={PROVIDER_CATALOGUE[provider].name} sums={sums} />
        ))}
      </SumsTable>
    </UsageSection>
  );
}

/** Lists, the dearest first; those that are gone keep the name that they had, and look-ups of places stand among them. */
export function ListsTable({ lists, otherLists }: Pick<Usage, 'lists' | 'otherLists'>) {
  return (
    <UsageSection title="By list">
      <SumsTable label="By list" what="List">
        {lists.map(({ listId, name, ...sums }) => (
          <SumsRow
            key={listId ?? `gone ${name}`}
            name={name === null ? 'Place look-ups' : <ListName listId={listId} name={name} />}
            sums={sums}
          />
        ))}
        {otherLists ? (
          <SumsRow
            name={<span className="text-secondary">{plural(otherLists.count, 'other list')}</span>}
            sums={otherLists}
          />
        ) : null}
      </SumsTable>
    </UsageSection>
  );
}

/** A list by its name, which leads to it; one that is gone is marked. */
export function ListName({ listId, name }: { listId: string | null; name: string }) {
  const text = (
    <bdi title={name} className="min-w-0 truncate">
      {name}
    </bdi>
  );
  return listId ? (
    <Link to={`/lists/${listId}`} className="flex min-w-0 rounded-sm underline-offset-4 hover:underline">
      {text}
    </Link>
  ) : (
    <span className="flex min-w-0 items-center gap-2">
      {text}
      <Badge>Deleted</Badge>
    </span>
  );
}

function SumsTable({ label, what, children }: { label: string; what: string; children: ReactNode }) {
  return (
    <Table label={label}>
      <TableHeader>
        <tr>
          <TableHead>{what}</TableHead>
          <SumsHeads />
        </tr>
      </TableHeader>
      <TableBody>{children}</TableBody>
    </Table>
  );
}

function SumsRow({ name, sums }: { name: ReactNode; sums: UsageSums }) {
  return (
    <TableRow>
      <TableCell className="w-full max-w-0 min-w-44 truncate font-medium">{name}</TableCell>
      <SumsCells sums={sums} />
    </TableRow>
  );
}

/** The headings over `SumsCells`. */
export function SumsHeads() {
  return ['Spent', 'Calls', 'Saved', 'Not certain'].map((head) => (
    <TableHead key={head} className="text-right">
      {head}
    </TableHead>
  ));
}

export function SumsCells({ sums }: { sums: UsageSums }) {
  const number = 'whitespace-nowrap text-right tabular-nums';
  return (
    <>
      <TableCell className={`${number} font-medium`}>{formatMoney(sums.costMicros)}</TableCell>
      <TableCell className={`${number} text-secondary`}>{formatCount(sums.calls)}</TableCell>
      <TableCell className={`${number} text-secondary`}>
        {sums.recalled > 0 ? formatMoney(sums.savedMicros) : '–'}
      </TableCell>
      <TableCell className={`${number} ${sums.uncertain > 0 ? 'text-warning' : 'text-faint'}`}>
        {sums.uncertain > 0 ? formatMoney(sums.uncertainMicros) : '–'}
      </TableCell>
    </>
  );
}
