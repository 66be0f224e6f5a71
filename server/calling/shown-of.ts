import type { ShownVerdict } from '#server/evidence/record-shown-verdicts.ts';
import type { JudgedLead } from './judge-leads.ts';

/** A verdict as the evidence keeps it. */
export const shownOf = ({ id, question, answer }: Pick<JudgedLead, 'id' | 'question' | 'answer'>): ShownVerdict => ({
  lead: id,
  number: question.phone,
  verdict: answer.verdict,
  opensAt: isoOf(answer.window.opensAt),
  closesAt: isoOf(answer.window.closesAt),
  reasons: answer.reasons,
});

const isoOf = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
