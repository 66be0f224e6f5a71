/** Where a hook is asked, and by which secrets its requests are signed: `v1,whsec_` and base64 each. */
export type HookOptions = { uri: string; secrets: readonly [string, ...string[]] };

/** GoTrue's hooks over HTTP; one that is not named is not asked. They come after the gate, and fail closed. */
export type HooksOptions = {
  /** May refuse that an account is made, except by `admin.createUser`. */
  beforeUserCreated?: HookOptions;
  /** May refuse an access token or change its claims, at every sign-in and refresh. */
  customAccessToken?: HookOptions;
  /** Sends the mails, in place of `sendMail`. */
  sendEmail?: HookOptions;
  /** Sends the text messages, in place of `sendSms`. */
  sendSms?: HookOptions;
  /** How long a hook may take, with all tries. Default 5 s. */
  timeoutMs?: number;
  /** How long is waited after a connection that failed. Default 2 s. */
  backoffMs?: number;
};

export type HookName = Exclude<keyof HooksOptions, 'timeoutMs' | 'backoffMs'>;

/** A hook, ready to be asked. */
export type Hook = { name: HookName; uri: string; keys: readonly Buffer[]; timeoutMs: number; backoffMs: number };
export type Hooks = Partial<Record<HookName, Hook>>;

const NAMES = ['beforeUserCreated', 'customAccessToken', 'sendEmail', 'sendSms'] as const satisfies readonly HookName[];
const SECRET = /^v1,whsec_([\w+/-]+={0,2})$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reads the options of hooks. As in GoTrue, `http:` is for the own machine only.
 * @throws Error, without repeating it, for an address or a secret that cannot be used.
 */
export function readHooks({ timeoutMs = 5_000, backoffMs = 2_000, ...given }: HooksOptions = {}): Hooks {
  const hooks: Hooks = {};
  for (const name of NAMES) {
    const hook = given[name];
    if (!hook) continue;
    const url = URL.parse(hook.uri);
    if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && LOOPBACK.has(url.hostname)))
      throw new Error(`The address of the hook ${name} must begin with https:.`);
    hooks[name] = {
      name,
      uri: url.href,
      keys: hook.secrets.map((secret) => keyOf(name, secret)),
      timeoutMs,
      backoffMs,
    };
  }
  return hooks;
}

function keyOf(name: HookName, secret: string): Buffer {
  const [, base64] = SECRET.exec(secret) ?? [];
  if (!base64) throw new Error(`A secret of the hook ${name} must be v1,whsec_ and base64.`);
  return Buffer.from(base64, 'base64');
}
