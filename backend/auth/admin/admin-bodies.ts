import { z } from 'zod/mini';

const text = (name: string) => z.nullish(z.string(`${name} must be a text`));
const flag = (name: string) => z.nullish(z.boolean(`${name} must be true or false`));
const object = (name: string) => z.nullish(z.record(z.string(), z.unknown(), `${name} must be an object`));

/** POST /admin/users and PUT /admin/users/{id}. */
export const AttributesBody = z.object({
  id: z.nullish(z.uuid('id must be a UUID')),
  email: text('email'),
  phone: text('phone'),
  password: text('password'),
  role: text('role'),
  email_confirm: flag('email_confirm'),
  phone_confirm: flag('phone_confirm'),
  user_metadata: object('user_metadata'),
  app_metadata: object('app_metadata'),
  ban_duration: text('ban_duration'),
});
export type Attributes = z.output<typeof AttributesBody>;

/** DELETE /admin/users/{id}. */
export const DeleteBody = z.object({ should_soft_delete: flag('should_soft_delete') });

/** POST /invite. */
export const InviteBody = z.object({ email: text('email'), data: object('data') });

const LINK_TYPES = [
  ...(['signup', 'invite', 'magiclink', 'recovery'] as const),
  ...(['email_change_current', 'email_change_new'] as const),
];

/** POST /admin/generate_link. A password, which supabase-js sends with `signup`, means nothing here. */
export const LinkBody = z.object({
  type: z.enum(LINK_TYPES, `type must be one of ${LINK_TYPES.join(', ')}`),
  email: text('email'),
  new_email: text('new_email'),
  data: object('data'),
  redirect_to: text('redirect_to'),
});
export type LinkType = (typeof LINK_TYPES)[number];
