/** What an access token proves; whether its session still lives is asked separately. `aal2`: by a second factor too. */
export type AccessClaims = {
  userId: string;
  sessionId: string;
  email: string;
  aal: 'aal1' | 'aal2';
  /** When the person last proved who they are, in ms since 1970, where no one but the token knows: at hosted Supabase. */
  provenAt?: number;
};
