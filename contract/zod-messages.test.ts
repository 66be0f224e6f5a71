import { expect, test } from 'vitest';
import { z as mini } from 'zod/mini';
import { z as classic } from 'zod/v3';
import { defaultMessage } from './zod-messages.ts';

const messageOf = (result: { error?: { issues: { message: string }[] } | undefined }) =>
  result.error?.issues[0]?.message;

test.each([
  ['missing', mini.string(), classic.string(), undefined],
  ['wrong type', mini.string(), classic.string(), 5],
  ['null', mini.number(), classic.number(), null],
  ['array for object', mini.object({}), classic.object({}), []],
  ['short', mini.string().check(mini.minLength(3)), classic.string().min(3), 'ab'],
  ['long', mini.string().check(mini.maxLength(3)), classic.string().max(3), 'abcd'],
  ['wrong length', mini.string().check(mini.length(6)), classic.string().length(6), '12345'],
  ['few elements', mini.array(mini.string()).check(mini.minLength(1)), classic.array(classic.string()).min(1), []],
  ['many elements', mini.array(mini.number()).check(mini.maxLength(1)), classic.array(classic.number()).max(1), [1, 2]],
  ['small', mini.number().check(mini.gte(5)), classic.number().gte(5), 4],
  ['not greater', mini.number().check(mini.gt(5)), classic.number().gt(5), 5],
  ['large', mini.number().check(mini.lte(5)), classic.number().lte(5), 6],
  ['not less', mini.number().check(mini.lt(5)), classic.number().lt(5), 5],
  ['no email', mini.email(), classic.string().email(), 'nobody'],
  ['no url', mini.url(), classic.string().url(), 'nowhere'],
  ['no uuid', mini.uuid(), classic.string().uuid(), '1'],
  ['pattern', mini.string().check(mini.regex(/^a/)), classic.string().regex(/^a/), 'b'],
  ['prefix', mini.string().check(mini.startsWith('AIza')), classic.string().startsWith('AIza'), 'x'],
  ['suffix', mini.string().check(mini.endsWith('z')), classic.string().endsWith('z'), 'x'],
  ['part', mini.string().check(mini.includes(':')), classic.string().includes(':'), 'x'],
  ['no choice', mini.enum(['a', 'b']), classic.enum(['a', 'b']), 'c'],
  ['number for a choice', mini.enum(['a', 'b']), classic.enum(['a', 'b']), 1],
  ['null for a choice', mini.enum(['a', 'b']), classic.enum(['a', 'b']), null],
  ['what cannot become text', mini.enum(['a', 'b']), classic.enum(['a', 'b']), [{ toString: false }]],
  ['missing choice', mini.enum(['a', 'b']), classic.enum(['a', 'b']), undefined],
  ['other literal', mini.literal('a'), classic.literal('a'), 'b'],
  ['unknown key', mini.strictObject({}), classic.object({}).strict(), { a: 1 }],
  ['no multiple', mini.number().check(mini.multipleOf(5)), classic.number().multipleOf(5), 4],
])('%s: the texts of the spec', (_name, schema, expected, input) => {
  const message = messageOf(expected.safeParse(input));
  expect(message).toBeTruthy();
  expect(messageOf(schema.safeParse(input, { error: defaultMessage }))).toBe(message);
});

test("a schema's own message wins", () => {
  const schema = mini.string().check(mini.minLength(3, 'Business type must be at least 3 characters'));
  expect(messageOf(schema.safeParse('', { error: defaultMessage }))).toBe(
    'Business type must be at least 3 characters',
  );
});

test('what may be one of several things is required as well', () => {
  const schema = mini.object({ id: mini.union([mini.string(), mini.number()]) });
  expect(messageOf(schema.safeParse({}, { error: defaultMessage }))).toBe('Required');
});
