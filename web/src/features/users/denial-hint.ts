import type { SentInvitation } from '#contract/admin/users.ts';

/** What to do so that an invitation opens the door; undefined if it does. */
export function denialHint({ email, access_denial: denial }: SentInvitation): string | undefined {
  switch (denial) {
    case null:
    case 'DISABLED':
      return undefined;
    case 'NO_CONTACT':
      return `Keap has no contact ${email}. They can sign in once it has one with a required tag.`;
    case 'MISSING_TAG':
      return `In Keap, ${email} has none of the required tags. They can sign in once they have one.`;
    case 'KEAP_ERROR':
      return `Keap could not be checked for ${email}. They can sign in if they have a required tag there.`;
  }
}
