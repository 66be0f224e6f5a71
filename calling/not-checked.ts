/** What no verdict looks at. It stands beside each one. */
export const NOT_CHECKED: readonly string[] = [
  'Whether the number was given to someone else since (Reassigned Numbers Database, 47 CFR 64.1200(m)).',
  'State do-not-call lists, beyond those that the check covers.',
  'Whether you hold consent, or have a business relationship.',
  'Whether you are registered or bonded where a state asks for it.',
  'Whether the person who answers lives there: a business number may be someone’s own.',
];
