import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { SecondStepRule } from '#contract/access/second-step.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { RadioChoice } from '#web/ui/form/choice.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { secondStepRuleQuery, useSetSecondStepRule } from './rule-api.ts';

const CHOICES: Record<SecondStepRule, { label: string; description: string }> = {
  optional: { label: 'No one', description: 'Each person decides on their account page.' },
  admins: { label: 'Administrators', description: 'People who manage users and settings.' },
  everybody: { label: 'Everyone', description: 'Anyone without it must set it up at their next click.' },
};

/** The people who must use two-step sign-in. */
export function SecondStepRuleCard() {
  const rule = useQuery(secondStepRuleQuery);
  return (
    <Card aria-label="Two-step sign-in">
      <CardHeader>
        <CardTitle>Two-step sign-in</CardTitle>
        <CardDescription>Who must enter a code from an authenticator app after the link.</CardDescription>
      </CardHeader>
      <CardContent>
        {rule.data ? <Choices required={rule.data} /> : null}
        {!rule.data && rule.error ? (
          <ReadFailed title="Failed to load who needs it" query={rule}>
            {errorMessage(rule.error)}
          </ReadFailed>
        ) : null}
        {rule.isPending ? (
          <div role="status" className="grid gap-2">
            <span className="sr-only">Loading who needs it</span>
            {SecondStepRule.options.map((option) => (
              <Skeleton key={option} className="h-16 rounded-lg" />
            ))}
          </div>
        ) : null}
      </CardContent>
    </Card>
  );
}

function Choices({ required }: { required: SecondStepRule }) {
  const { user } = useSession();
  const changing = useSetSecondStepRule();
  const proven = user?.secondStep === 'proven';
  const change = (value: string) =>
    changing.mutate(SecondStepRule.parse(value), {
      onSuccess: () => toast.success('Saved', 'It applies from each person’s next click.'),
      onError: (error) => toast.error('Save failed', errorMessage(error)),
    });
  return (
    <div className="grid gap-3">
      <RadioGroup
        aria-label="Who needs two-step sign-in"
        value={changing.isPending ? changing.variables : required}
        onValueChange={change}
      >
        {SecondStepRule.options.map((option) => (
          <RadioChoice key={option} value={option} {...CHOICES[option]} disabled={!proven && option !== 'optional'} />
        ))}
      </RadioGroup>
      {proven ? null : (
        <p className="text-secondary text-sm">
          To require it for others,{' '}
          <Link to="/account" className="text-accent underline underline-offset-4">
            set it up for your own account
          </Link>{' '}
          first, so that you do not lock yourself out.
        </p>
      )}
    </div>
  );
}
