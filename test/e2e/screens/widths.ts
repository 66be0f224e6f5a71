import { DESKTOP, PHONE } from '#test/e2e/harness/visitor.ts';

/** Windows in which every screen is shown: a desktop, a small laptop and a phone. */
export const WIDTHS = [DESKTOP, { width: 1280, height: 800 }, PHONE] as const;
