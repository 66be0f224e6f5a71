import { z } from 'zod/mini';
import { defaultMessage } from '#contract/zod-messages.ts';

// Imported before anything that holds a schema. Without `jitless`, zod tries `new Function`, which the
// Content-Security-Policy forbids and the browser reports as an error.
z.config({ localeError: defaultMessage, jitless: true });
