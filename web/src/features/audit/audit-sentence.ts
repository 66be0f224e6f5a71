import type { AuditAction, AuditLine } from '#contract/admin/audit.ts';
import { auditLabel } from '#contract/admin/audit.ts';
import { actorText, detailText, targetText } from './audit-words.ts';

/** `{who}` and `{whom}` stand for people and things; any other name stands for a detail, and for nothing where there is none. */
const SENTENCES: Record<AuditAction, string> = {
  'session.signed_in': '{who} signed in {way}',
  'session.signed_out': '{who} signed out {scope}',
  'session.ended': '{who} ended one of their sessions',
  'session.proven': '{who} confirmed their identity with an emailed code',
  'session.stepped_up': '{who} completed their second step: {factor}',
  'session.reuse_detected': '{whom} was signed out because an old sign-in token was used again',
  'access.second_step_required': '{who} chose who needs two-step sign-in: {whom}',
  'access.session_ends_set': '{who} set when sessions end: {idle_hours} without use, {max_hours} after sign-in',
  'access.refused': '{whom} was refused {at}: {reason}',
  'access.refusals_unrecorded': 'More people were refused this hour than the log records',
  'identity.linked': '{who} linked a sign-in account: {provider}',
  'identity.unlinked': '{who} unlinked a sign-in account: {provider}',
  'user.role_changed': '{who} changed the role of {whom} to {role}',
  'user.status_changed': '{who} changed the status of {whom} to {status}',
  'user.administered': 'Someone with the secret key managed {whom}: {act}',
  'user.factor_added': '{who} added a second step: {factor}',
  'user.factor_removed': '{who} removed a second step: {factor}',
  'user.recovery_codes_made': '{who} made new recovery codes',
  'user.recovery_codes_removed': '{who} removed their recovery codes',
  'user.second_step_reset': '{who} reset the second step of {whom}',
  'user.email_changed': '{who} changed their email address',
  'user.phone_changed': '{who} changed their phone number',
  'budget.set': '{who} set the budgets of {whom}: {limits}',
  'invitation.sent': '{who} invited {whom} as {role}',
  'invitation.withdrawn': '{who} withdrew the invitation for {whom}',
  'key.saved': '{who} saved a {whom} key that ends in {last_four}',
  'key.removed': '{who} removed the {whom} key that ends in {last_four}',
  'crm.credentials_saved': '{who} saved the Keap app credentials',
  'crm.connected': '{who} connected Keap',
  'crm.connect_failed': '{who} could not connect Keap: {reason}',
  'crm.failures_unrecorded': 'More connections to Keap failed this hour than the log records',
  'crm.disconnected': '{who} disconnected Keap',
  'crm.tags_required': '{who} added required tags: {tags}',
  'crm.tag_not_required': '{who} removed a required tag: {tags}',
  'training.saved': '{who} saved the training video of {whom}: {title}',
  'training.deleted': '{who} deleted the training video of {whom}',
  'training.loading_set': '{who} chose when training videos load: {loading}',
  'calling.scope_set': '{who} chose whose protection calling rules count: {whom}, {reason}',
  'calling.rule_added': '{who} added a calling rule for {state}: {reason}',
  'calling.rule_ended': '{who} ended a calling rule for {state}: {reason}',
  'import.started': '{who} imported a file: {rows}',
  'import.undone': '{who} undid an import: {removed}',
  'suppression.added': '{who} suppressed a contact: {kind}',
  'suppression.imported': '{who} suppressed contacts from a file: {added}',
  'suppression.asked': 'Someone suppressed their own contact: {kind}',
  'suppression.decided': '{who} decided a request from the public page: {kind}, {decision}',
  'suppression.sources_set':
    '{who} set where suppressions come from: public page {public_page}, Keap opt-outs {opt_outs}, Keap tag {tag}',
  'contact.erased': '{who} erased a contact: {kind}, {leads}',
  'open_data.loaded': '{who} loaded open data from {whom}',
  'open_data.removed': '{who} removed the open data of {whom}, {places}',
  'suppression.removed': '{who} removed a suppression: {entry}, {reason}',
  'evidence.packed': '{who} downloaded an evidence pack',
  'evidence.mail_set': '{who} set their daily evidence mail: {on}',
  'account.exported': '{who} downloaded their own data',
  'usage.exported': '{who} downloaded their usage',
  'account.deleted': '{whom} was deleted by its owner',
  'audit.exported': '{who} downloaded the audit log',
};

const known: Readonly<Record<string, string>> = SENTENCES;

/** A piece of a sentence; `name`: whether it names someone or something. */
export type Piece = { text: string; name: boolean };

/** A line as one sentence: who did what to whom. What a later version wrote is told by its label. */
export function sentenceOf(line: AuditLine): Piece[] {
  const sentence = known[line.action] ?? `{who}: ${auditLabel(line.action)}, {whom}`;
  const pieces = sentence.split(/(\{\w+\})/).map((part): Piece => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return { text: part, name: false };
    if (name === 'who') return { text: actorText(line), name: true };
    if (name === 'whom') return { text: targetText(line), name: true };
    const value = line.details[name];
    return { text: value === undefined || value === null ? '' : detailText(name, value), name: false };
  });
  return withoutLooseEnd(joined(pieces));
}

/** Text that stands beside text as one piece. */
function joined(pieces: readonly Piece[]): Piece[] {
  const done: Piece[] = [];
  for (const piece of pieces) {
    const last = done.at(-1);
    if (piece.text === '') continue;
    if (last && !last.name && !piece.name) last.text += piece.text;
    else done.push({ ...piece });
  }
  return done;
}

/** Without a colon, or words such as "that ends in", that nothing follows. */
function withoutLooseEnd(pieces: Piece[]): Piece[] {
  const last = pieces.at(-1);
  if (!last || last.name) return pieces;
  const text = last.text.replace(/( that ends in|[:, ])+$/, '').replace(/ to$| as$/, '');
  return [...pieces.slice(0, -1), ...(text === '' ? [] : [{ ...last, text }])];
}

export const sentenceText = (line: AuditLine): string =>
  sentenceOf(line)
    .map(({ text }) => text)
    .join('');
