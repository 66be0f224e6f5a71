/** The lead ids that stand under a subject, to add to. Thousands of leads may share one. */
export function idsOf(leadsOf: Map<string, string[]>, subject: string): string[] {
  const known = leadsOf.get(subject);
  if (known) return known;
  const made: string[] = [];
  leadsOf.set(subject, made);
  return made;
}
