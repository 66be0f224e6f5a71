import { useState } from 'react';
import { z } from 'zod/mini';
import type { CallingRules, OwnRule } from '#contract/calling/rules.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { useNow } from '#web/lib/browser/use-now.ts';
import { formatTime } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { AddRuleForm } from './add-rule-form.tsx';
import { useEndRule } from './api.ts';
import { hasLapsed, ruleText } from './rule-words.ts';

/** Rules of this workspace, which can only be stricter than the law. */
export function OwnRulesCard({ rules: { rules } }: { rules: CallingRules }) {
  const [ending, setEnding] = useState<OwnRule>();
  const now = useNow();
  return (
    <Card aria-label="Your own rules">
      <CardHeader>
        <CardTitle>Your own rules</CardTitle>
        <CardDescription>
          They apply in addition to the law and your other rules, and can only be stricter.
        </CardDescription>
      </CardHeader>
      <CardContent className="grid gap-5">
        {rules.length === 0 ? (
          <p className="text-secondary">None yet. The law alone decides.</p>
        ) : (
          <ul aria-label="Own rules" className="divide-y rounded-lg border">
            {rules.map((rule) => (
              <li key={rule.id} className="flex flex-wrap items-start gap-x-4 gap-y-1 px-4 py-3">
                <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
                  <p className="flex flex-wrap items-center gap-2 tabular-nums">
                    <span className="min-w-0 font-medium">{ruleText(rule)}</span>
                    {rule.ended ? <Badge>Ended</Badge> : hasLapsed(rule, now) ? <Badge>Over</Badge> : null}
                  </p>
                  <Decided decision={rule.added} how="Added" />
                  {rule.ended ? <Decided decision={rule.ended} how="Ended" /> : null}
                </div>
                {rule.ended ? null : (
                  <Button
                    size="sm"
                    variant="ghost"
                    className="text-danger"
                    aria-label={`End ${ruleText(rule)}`}
                    onClick={() => setEnding(rule)}
                  >
                    End
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        <AddRuleForm />
      </CardContent>
      {ending ? <EndDialog key={ending.id} rule={ending} onClose={() => setEnding(undefined)} /> : null}
    </Card>
  );
}

const Decided = ({ decision: { by, at, reason }, how }: { decision: OwnRule['added']; how: string }) => (
  <p className="text-secondary text-sm [overflow-wrap:anywhere]">
    <bdi>{reason}</bdi> · {how} {formatTime(at)}, {by}
  </p>
);

const LEAST_REASON = 3;

function EndDialog({ rule, onClose }: { rule: OwnRule; onClose: () => void }) {
  const [reason, setReason, clear] = useDraftState(`end-rule:${rule.id}`, z.string(), '');
  const [missing, setMissing] = useState(false);
  const close = () => {
    clear();
    onClose();
  };
  const ending = useEndRule();
  const end = () => {
    const isMissing = reason.trim().length < LEAST_REASON;
    setMissing(isMissing);
    if (isMissing) return;
    ending.mutate(
      { id: rule.id, reason: reason.trim() },
      {
        onSuccess: () => {
          toast.success('Rule ended', 'From now on the law and your other rules decide.');
          close();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : close())}
      title="End this rule?"
      description={ruleText(rule)}
      confirmText="End rule"
      destructive
      pending={ending.isPending}
      refused={ending.error ? errorMessage(ending.error) : undefined}
      onConfirm={end}
    >
      <Field
        label="Reason"
        hint="It is kept with your address and the time."
        error={missing ? 'Say why, in a few words.' : undefined}
      >
        <Input
          autoComplete="off"
          maxLength={500}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setMissing(false);
          }}
        />
      </Field>
    </ConfirmDialog>
  );
}
