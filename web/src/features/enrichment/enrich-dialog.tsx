import { useRef } from 'react';
import { z } from 'zod/mini';
import { COMPLIANCE_PER_LEAD_MICROS, ENRICHMENT_PER_LEAD_MICROS } from '#contract/money/costs.ts';
import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import type { ChosenLeads } from '#contract/work/lead-choice.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { formatMoney, plural } from '#web/lib/format/format.ts';
import { mostOf, type PriceLine, type SpendAtMost } from '#web/lib/format/price-line.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxChoice } from '#web/ui/form/choice.tsx';
import { PriceBound } from '#web/ui/form/price-bound.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import {
  costBreakdown,
  type EnrichmentChoice,
  initialChoice,
  NOTHING_CHOSEN,
  offeredTiers,
  type ShownBounds,
} from './enrichment-options.ts';

const Choice = z.object({ emails: z.boolean(), compliance: z.boolean() });

/** Which lookups to buy for a list. `onStart` is called once, with at least one of them chosen. */
export function EnrichDialog({
  list,
  chosen: chosenLeads,
  prices,
  spendAtMost,
  refusal,
  isConnected,
  onConnectProvider,
  onStart,
  onClose,
}: {
  list: LeadList;
  /** Undefined for all leads. */
  chosen: ChosenLeads | undefined;
  /** What each of them would cost at most. */
  prices: Record<keyof EnrichmentChoice, PriceLine>;
  spendAtMost: SpendAtMost;
  /** Why nothing may be spent at a provider on what costs so much; undefined when something may. */
  refusal: (provider: ProviderId, boundMicros: number | undefined) => string | undefined;
  /** Whether the user has a key of a provider; undefined while that is not known. */
  isConnected: (provider: ProviderId) => boolean | undefined;
  onConnectProvider: (provider: ProviderId) => void;
  onStart: (choice: EnrichmentChoice, shown: ShownBounds) => void;
  onClose: () => void;
}) {
  const [wanted, setWanted, clear] = useDraftState(`enrich:${list.id}${chosenLeads ? ':selected' : ''}`, Choice, {
    ...initialChoice(list),
    ...(chosenLeads ? { emails: true } : {}),
  });
  const close = () => {
    clear();
    onClose();
  };
  const started = useRef(false);
  const hunter = isConnected('hunter_io') !== false;
  const searchbug = isConnected('searchbug') !== false;
  const count = chosenLeads?.count ?? list.leadCount;
  // Some leads may lack what the list has been through.
  const tier2 = chosenLeads !== undefined || offeredTiers(list).length > 0;
  // What lacks its key is not chosen, and comes back chosen as it was once the key is there.
  const choice = { emails: wanted.emails && hunter, compliance: wanted.compliance && searchbug };
  const nothing = !choice.emails && !choice.compliance;
  const chosen = [...(choice.emails ? [prices.emails] : []), ...(choice.compliance ? [prices.compliance] : [])];
  const { field, blocked, capMicros } = spendAtMost(chosen);
  const { lines, totalMicros } = costBreakdown(count, choice);

  const why = (provider: ProviderId, { price }: PriceLine) => price?.nothing ?? refusal(provider, price?.boundMicros);
  const refused = nothing
    ? NOTHING_CHOSEN
    : ((choice.emails ? why('hunter_io', prices.emails) : undefined) ??
      (choice.compliance ? why('searchbug', prices.compliance) : undefined));

  const start = () => {
    if (started.current || refused !== undefined || blocked) return;
    started.current = true;
    clear();
    onStart(choice, {
      emails: mostOf(prices.emails, capMicros),
      compliance: mostOf(prices.compliance, capMicros),
    });
  };

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : close())}>
      <DialogContent
        title={chosenLeads ? 'Enrich selected leads' : 'Enrich list'}
        description={
          <>
            <bdi>{list.name}</bdi> · {plural(count, chosenLeads ? 'selected lead' : 'lead')}
          </>
        }
      >
        <DialogBody>
          <fieldset aria-label="Enrichment options" className="grid min-w-0 gap-2">
            {tier2 ? (
              <Option
                provider="hunter_io"
                connected={hunter}
                label="Emails & contacts (Tier 2)"
                description="Email addresses with a confidence score, and who owns or runs the business"
                aside={`${formatMoney(ENRICHMENT_PER_LEAD_MICROS)} / lead`}
                checked={choice.emails}
                onCheckedChange={(emails) => setWanted({ ...wanted, emails })}
                onConnectProvider={onConnectProvider}
              />
            ) : null}
            <Option
              provider="searchbug"
              connected={searchbug}
              label="DNC/TCPA compliance check"
              description="Add-on: checks US phone numbers against do-not-call and litigator lists"
              aside={`${formatMoney(COMPLIANCE_PER_LEAD_MICROS)} / lead`}
              checked={choice.compliance}
              onCheckedChange={(compliance) => setWanted({ ...wanted, compliance })}
              onConnectProvider={onConnectProvider}
            />
          </fieldset>
          <section aria-label="Cost" className="rounded-lg border">
            <p className="px-4 pt-3 font-medium">Estimated cost at list price</p>
            <dl aria-live="polite" className="grid gap-2 px-4 py-3 tabular-nums">
              {lines.map((line) => (
                <div key={line.label} className="flex flex-wrap items-baseline gap-x-4">
                  <dt className="text-secondary">
                    {line.label}{' '}
                    <span className="text-faint text-sm">
                      {plural(count, 'lead')} × {formatMoney(line.perLeadMicros)}
                    </span>
                  </dt>
                  <dd className="ml-auto text-secondary">{formatMoney(line.totalMicros)}</dd>
                </div>
              ))}
              <div className="flex items-baseline justify-between gap-4 font-semibold">
                <dt>Total</dt>
                <dd>{formatMoney(totalMicros)}</dd>
              </div>
            </dl>
            {nothing ? null : (
              <div className="border-t px-4 py-3">
                <PriceBound lines={chosen} capMicros={capMicros} />
              </div>
            )}
            <p className="border-t px-4 py-2 text-faint text-sm">
              Your provider charges you directly, and only for what it finds or checks.
            </p>
          </section>
          {nothing ? null : field}
        </DialogBody>
        <DialogFooter className="items-center">
          {refused ? (
            <p role="status" className="mr-auto min-w-0 basis-full text-secondary text-sm">
              {refused}
            </p>
          ) : null}
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" disabled={refused !== undefined || blocked} onClick={start}>
            Start Enrichment
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

function Option({
  provider,
  connected,
  onConnectProvider,
  ...choice
}: Parameters<typeof CheckboxChoice>[0] & {
  provider: ProviderId;
  connected: boolean;
  onConnectProvider: (provider: ProviderId) => void;
}) {
  const { name } = PROVIDER_CATALOGUE[provider];
  return (
    <div className="grid gap-1">
      <CheckboxChoice {...choice} disabled={!connected} />
      {connected ? null : (
        <p className="flex flex-wrap items-center justify-between gap-2 px-3 text-sm text-warning">
          {`${name} API key is missing.`}
          <Button size="sm" onClick={() => onConnectProvider(provider)}>{`Connect ${name}`}</Button>
        </p>
      )}
    </div>
  );
}
