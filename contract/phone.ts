import { z } from 'zod/mini';

/** A number with its country code (E.164), as people write it: spaces, dots, hyphens and brackets go, the plus stays. */
export const PhoneNumber = z.string().check(
  z.trim(),
  z.overwrite((text) => text.replace(/^00/, '+').replaceAll(/[\s().-]/g, '')),
  z.regex(/^\+[1-9]\d{6,14}$/, 'Enter the number with its country code, such as +1 217 555 0101.'),
);
