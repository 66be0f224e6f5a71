import { type FormEvent, type ReactNode, useState } from 'react';
import { z } from 'zod/mini';
import { BUDGET_IDS, type Budget, type BudgetLimits, limitOf, TypedDollars } from '#contract/money/budgets.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { BudgetBar } from './budget-bar.tsx';
import { BUDGET_LABEL } from './budget-words.ts';

type Hand = 'limitMicros' | 'adminLimitMicros';
const Typed = z.partialRecord(z.enum(BUDGET_IDS), z.string());

/**
 * Limits as they are typed, by the hand that sets them, with what is spent of each.
 * - What was typed stays until it is saved, also when the session ends. `name`: of whose limits.
 * - `children` puts the fields where they belong, with a button that submits them.
 */
export function BudgetsForm({
  name,
  items,
  hand,
  onSave,
  className,
  children,
}: {
  name: string;
  items: readonly Budget[];
  hand: Hand;
  onSave: (limits: BudgetLimits) => void;
  className?: string;
  children: (fields: ReactNode) => ReactNode;
}) {
  const [typed, setTyped] = useDraftState(`budgets:${name}`, Typed, {});
  const [checked, setChecked] = useState(false);
  const textOf = (item: Budget) => typed[item.id] ?? asText(item[hand]);
  const errorOf = (item: Budget) => TypedDollars.safeParse(textOf(item)).error?.issues[0]?.message;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    const unreadable = BUDGET_IDS.find((id) => items.some((item) => item.id === id && errorOf(item)));
    if (unreadable) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name=${unreadable}]`)?.focus();
      return;
    }
    const limits: BudgetLimits = { run: null, month: null, google_places: null, hunter_io: null, searchbug: null };
    for (const item of items) limits[item.id] = TypedDollars.parse(textOf(item));
    onSave(limits);
  };
  return (
    <form onSubmit={submit} noValidate className={className}>
      {children(
        BUDGET_IDS.map((id) => {
          const item = items.find((one) => one.id === id);
          if (!item) return null;
          return (
            <div key={id} className="grid items-start gap-x-6 gap-y-2 sm:grid-cols-[12rem_1fr]">
              <Field label={BUDGET_LABEL[id]} error={checked ? errorOf(item) : undefined}>
                <Input
                  name={id}
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder="No limit"
                  className="tabular-nums"
                  value={textOf(item)}
                  onChange={(event) => setTyped({ ...typed, [id]: event.target.value })}
                />
              </Field>
              <Spent item={item} hand={hand} />
            </div>
          );
        }),
      )}
    </form>
  );
}

const asText = (micros: number | null): string => (micros === null ? '' : (micros / 1_000_000).toFixed(2));

function Spent({ item, hand }: { item: Budget; hand: Hand }) {
  const others = hand === 'limitMicros' ? item.adminLimitMicros : item.limitMicros;
  const by = hand === 'limitMicros' ? 'An administrator allows' : 'They set their own limit of';
  const unused = ({ spentMicros, reservedMicros }: Budget['real']) => spentMicros + reservedMicros === 0;
  return (
    <div className="grid gap-3 self-start sm:pt-8">
      {item.id === 'run' ? (
        <p className="text-faint text-sm">The most that one search, enrichment or check may cost.</p>
      ) : (
        <>
          {unused(item.real) && !unused(item.sandbox) ? null : (
            <BudgetBar money={item.real} limit={limitOf(item)} sandbox={false} />
          )}
          {unused(item.sandbox) ? null : <BudgetBar money={item.sandbox} limit={limitOf(item)} sandbox />}
        </>
      )}
      {others === null ? null : (
        <p className="text-secondary text-sm">{`${by} ${formatMoney(others)}. The smaller limit applies.`}</p>
      )}
    </div>
  );
}
