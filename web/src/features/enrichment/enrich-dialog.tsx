import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { z } from 'zod/mini';
import {
  COMPLIANCE_PER_LEAD_MICROS,
  ENRICHMENT_PER_LEAD_MICROS,
  VERIFICATION_PER_EMAIL_MICROS,
} from '#contract/money/costs.ts';
import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import { asksHunter, type EnrichmentStep, FINDING_STEPS } from '#contract/work/enrichment-steps.ts';
import type { ChosenLeads } from '#contract/work/lead-choice.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { formatMoney, formatRate, plural } from '#web/lib/format/format.ts';
import { type PriceLine, type SpendAtMost, shownOf } from '#web/lib/format/price-line.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxChoice } from '#web/ui/form/choice.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { enrichmentEstimateQuery } from './api.ts';
import { possibleSteps, rememberedSteps, rememberSteps } from './chosen-steps.ts';
import { EnrichmentCost } from './enrichment-cost.tsx';
import {
  costBreakdown,
  type EnrichmentChoice,
  initialChoice,
  NOTHING_CHOSEN,
  offeredTiers,
  type ShownBounds,
} from './enrichment-options.ts';
import { enrichmentPriceLine } from './price-text.ts';
import { StepsChoice } from './steps-choice.tsx';

const Choice = z.object({
  emails: z.boolean(),
  verify: z._default(z.boolean(), false),
  compliance: z.boolean(),
  steps: z.array(z.enum(FINDING_STEPS)),
});

const WITH_HUNTER =
  'Email addresses. Where Hunter finds them, also a confidence score and who owns or runs the business.';
const WITHOUT_HUNTER = 'Email addresses that businesses publish. Only Hunter tells who owns or runs them.';

/** Which lookups to buy for a list. `onStart` is called once, with at least one of them chosen. */
export function EnrichDialog({
  list,
  chosen: chosenLeads,
  verify,
  compliancePrice,
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
  /** Whether it was opened to verify emails, and nothing else. */
  verify: boolean;
  /** What a check of them would cost at most. */
  compliancePrice: PriceLine;
  spendAtMost: SpendAtMost;
  /** Why nothing may be spent at a provider on what costs so much; undefined when something may. */
  refusal: (provider: ProviderId, boundMicros: number | undefined) => string | undefined;
  /** Whether the user has a key of a provider; undefined while that is not known. */
  isConnected: (provider: ProviderId) => boolean | undefined;
  onConnectProvider: (provider: ProviderId) => void;
  /** Resolves to false when the session had ended. */
  onStart: (choice: EnrichmentChoice, shown: ShownBounds, steps: readonly EnrichmentStep[]) => Promise<boolean>;
  onClose: () => void;
}) {
  const userId = useSession().user?.id;
  const draft = `enrich:${list.id}${chosenLeads ? ':selected' : ''}${verify ? ':verify' : ''}`;
  const [wanted, setWanted, clear, sent] = useDraftState(draft, Choice, {
    ...initialChoice(list),
    steps: rememberedSteps(userId),
    ...(chosenLeads ? { emails: true } : {}),
    ...(verify ? { emails: false, verify: true } : {}),
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
  const choice = {
    emails: wanted.emails,
    verify: wanted.verify && hunter,
    compliance: wanted.compliance && searchbug,
  };
  const worksOnEmails = choice.emails || choice.verify;
  const finding = possibleSteps(wanted.steps, hunter);
  const steps: EnrichmentStep[] = [
    ...(choice.emails || !worksOnEmails ? finding : []),
    ...(choice.verify ? ['verifier' as const] : []),
  ];
  const estimate = useQuery(enrichmentEstimateQuery({ listId: list.id, choice: chosenLeads?.choice, steps }));
  const emailsPrice = enrichmentPriceLine(estimate, count, steps);
  const nothing = !worksOnEmails && !choice.compliance;
  const paid = worksOnEmails && asksHunter(steps);
  const checked = choice.compliance ? [compliancePrice] : [];
  const { field, blocked, capMicros } = spendAtMost([...(paid ? [emailsPrice] : []), ...checked]);

  const why = (provider: ProviderId, { price }: PriceLine) => price?.nothing ?? refusal(provider, price?.boundMicros);
  const refused = nothing
    ? NOTHING_CHOSEN
    : ((paid ? why('hunter_io', emailsPrice) : worksOnEmails ? emailsPrice.price?.nothing : undefined) ??
      (choice.compliance ? why('searchbug', compliancePrice) : undefined));

  const start = () => {
    if (started.current || refused !== undefined || blocked) return;
    started.current = true;
    if (choice.emails) rememberSteps(userId, wanted.steps);
    const shown = { emails: shownOf(emailsPrice, capMicros), compliance: shownOf(compliancePrice, capMicros) };
    sent(onStart(choice, shown, steps));
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
              <CheckboxChoice
                label="Emails & contacts (Tier 2)"
                description={finding.includes('hunter') ? WITH_HUNTER : WITHOUT_HUNTER}
                aside={finding.includes('hunter') ? `${formatMoney(ENRICHMENT_PER_LEAD_MICROS)} / lead` : 'Free'}
                checked={choice.emails}
                onCheckedChange={(emails) => setWanted({ ...wanted, emails })}
              />
            ) : null}
            {tier2 && choice.emails ? (
              <StepsChoice
                wanted={wanted.steps}
                hunter={hunter}
                onChange={(next) => setWanted({ ...wanted, steps: next })}
                onConnectHunter={() => onConnectProvider('hunter_io')}
              />
            ) : null}
            <Option
              provider="hunter_io"
              connected={hunter}
              isTold={tier2 && choice.emails}
              label="Verify emails"
              description="Add-on: Hunter checks whether each email can receive mail. An email checked in the last 30 days is not checked again."
              aside={`${formatRate(VERIFICATION_PER_EMAIL_MICROS)} / email`}
              checked={choice.verify}
              onCheckedChange={(verifies) => setWanted({ ...wanted, verify: verifies })}
              onConnectProvider={onConnectProvider}
            />
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
          <EnrichmentCost
            count={count}
            breakdown={costBreakdown(count, choice, steps)}
            prices={[...(worksOnEmails ? [emailsPrice] : []), ...checked]}
            capMicros={capMicros}
          />
          {paid || choice.compliance ? field : null}
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
  isTold = false,
  onConnectProvider,
  ...choice
}: Parameters<typeof CheckboxChoice>[0] & {
  provider: ProviderId;
  connected: boolean;
  /** Whether the dialog says already that the key is missing. */
  isTold?: boolean;
  onConnectProvider: (provider: ProviderId) => void;
}) {
  const { name } = PROVIDER_CATALOGUE[provider];
  return (
    <div className="grid gap-1">
      <CheckboxChoice {...choice} disabled={!connected} />
      {connected || isTold ? null : (
        <p className="flex flex-wrap items-center justify-between gap-2 px-3 text-sm text-warning">
          {`${name} API key is missing.`}
          <Button size="sm" onClick={() => onConnectProvider(provider)}>{`Connect ${name}`}</Button>
        </p>
      )}
    </div>
  );
}
