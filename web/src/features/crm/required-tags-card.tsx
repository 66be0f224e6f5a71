import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { CrmTag } from '#contract/admin/crm.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { connectionQuery, requiredTagsQuery, useRemoveTag } from './api.ts';
import { CardPending } from './card-pending.tsx';
import { crmErrorText } from './crm-messages.ts';
import { TagPicker } from './tag-picker.tsx';

/** Which tags open the door. */
export function RequiredTagsCard() {
  const required = useQuery(requiredTagsQuery);
  const connection = useQuery(connectionQuery);
  return (
    <Card aria-label="Required tags">
      <CardHeader>
        <CardTitle>Required tags</CardTitle>
        <CardDescription>A user needs ANY of these tags to sign in. One is enough; admins need none.</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        <CardPending query={required} label="required tags" />
        {required.data ? (
          <>
            <RequiredTags tags={required.data} />
            {connection.data?.tags_of_before ? <TagsOfBefore names={connection.data.tags_of_before} /> : null}
            {connection.data?.connected && !connection.data.expired ? (
              <TagPicker required={required.data} />
            ) : (
              <p className="text-secondary text-sm">Connect Keap to choose from its tags.</p>
            )}
          </>
        ) : null}
      </CardContent>
    </Card>
  );
}

function TagsOfBefore({ names }: { names: readonly string[] }) {
  return (
    <Alert tone="warning" title="Another Keap account is connected">
      <span className="[overflow-wrap:anywhere]">
        {`${names.join(', ')}: chosen in the account that was connected before. In this one, the same number may be that of `}
        another tag. Remove them, and choose tags of this account.
      </span>
    </Alert>
  );
}

function RequiredTags({ tags }: { tags: readonly CrmTag[] }) {
  if (tags.length === 0)
    return (
      <p className="rounded-lg border border-dashed px-4 py-3 text-secondary">
        No tag is required yet, so Keap does not control who can sign in.
      </p>
    );
  return (
    <ul aria-label="Required tags" className="flex flex-wrap gap-2">
      {tags.map((tag) => (
        <RequiredTag key={tag.tag_id} tag={tag} />
      ))}
    </ul>
  );
}

function RequiredTag({ tag }: { tag: CrmTag }) {
  const removing = useRemoveTag();
  const remove = () =>
    removing.mutate(tag.tag_id, {
      onSuccess: () => toast.success('Tag removed', `${tag.tag_name} is no longer required.`),
      onError: (error) => toast.error('Remove failed', crmErrorText(error)),
    });
  return (
    <li className="flex min-w-0 items-center gap-1 rounded-md border bg-muted py-0.5 pr-0.5 pl-2.5">
      <span className="min-w-0 truncate" title={tag.tag_name}>
        {tag.tag_name}
      </span>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Remove ${tag.tag_name}`}
        disabled={removing.isPending}
        onClick={remove}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}
