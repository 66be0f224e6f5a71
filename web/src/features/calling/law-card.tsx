import type { CallingRules, LawRule } from '#contract/calling/rules.ts';
import { formatDay, formatTimesIn, plural } from '#web/lib/format/format.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';

const SCOPES: Record<LawRule['scope'], string> = {
  any: 'Any line',
  residence: 'Residences and numbers that may be one',
  automated: 'Automated calls; applied to all by default',
};
const CONFIDENCE: Record<LawRule['confidence'], string | undefined> = {
  read: undefined,
  reported: 'Reported',
  contested: 'Sources differ',
  unverified: 'Not verified',
};

/** Says that some rules should be reviewed again. */
export function ReviewDue({ rules: { law } }: { rules: CallingRules }) {
  const due = law.filter((rule) => rule.due);
  if (due.length === 0) return null;
  return (
    <Alert tone="warning" title={`${plural(due.length, 'rule')} not reviewed for 180 days`}>
      Laws change. Ask for an update, and have counsel look at{' '}
      {[...new Set(due.map(({ state }) => (state === 'US' ? 'federal rules' : state)))].join(', ')}.
    </Alert>
  );
}

/** The reviewed table of laws, as every verdict applies it. */
export function LawCard({ rules: { law, rulesAsOf } }: { rules: CallingRules }) {
  return (
    <Card aria-label="The law">
      <CardHeader>
        <CardTitle>The law, as Fairlead reads it</CardTitle>
        <CardDescription>
          As of {formatDay(rulesAsOf)}. This is not legal advice: have counsel review the table.
        </CardDescription>
      </CardHeader>
      <CardContent>
        <details>
          <summary className="cursor-pointer rounded-sm font-medium">{plural(law.length, 'rule')}</summary>
          <ul aria-label="Rules of law" className="mt-3 divide-y rounded-lg border">
            {law.map((rule) => (
              <li key={`${rule.citation} ${rule.hours}`} className="grid min-w-0 gap-0.5 px-4 py-2.5">
                <p className="flex flex-wrap items-center gap-2 tabular-nums">
                  <span className="min-w-0">{formatTimesIn(rule.hours)}</span>
                  {CONFIDENCE[rule.confidence] ? <Badge tone="warning">{CONFIDENCE[rule.confidence]}</Badge> : null}
                  {rule.due ? <Badge tone="warning">Review due</Badge> : null}
                </p>
                <p className="break-words text-secondary text-sm">
                  {rule.citation}
                  {rule.effectiveFrom ? `, from ${formatDay(rule.effectiveFrom)}` : ''}
                  {rule.effectiveTo ? `, until ${formatDay(rule.effectiveTo)}` : ''}. {SCOPES[rule.scope]}.{' '}
                  {rule.source}. Reviewed {formatDay(rule.reviewedOn)}.
                </p>
              </li>
            ))}
          </ul>
        </details>
      </CardContent>
    </Card>
  );
}
