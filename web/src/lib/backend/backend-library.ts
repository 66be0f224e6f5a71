/** What of supabase-js every page needs, as one file of its own: the page is drawn while it arrives. */
export { AuthClient } from '@supabase/auth-js';
export { PostgrestClient } from '@supabase/postgrest-js';
