/** A request as the simulated providers see it. Header names are lower-case; `path` is what follows the provider's prefix. */
export type SandboxRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
};

/** An answer. An object body is sent as JSON; `cut` closes the connection without one. */
export type SandboxReply = {
  status: number;
  body: string | object;
  headers?: Readonly<Record<string, string>>;
  cut?: boolean;
};

/** The third parties that the sandbox plays; also the first part of the path. */
export type SandboxProvider = 'google' | 'hunter' | 'searchbug' | 'keap' | 'twilio';

/** What a provider answers to one request when nothing goes wrong, and what that costs. */
export type Answer = {
  reply: SandboxReply;
  /** What the call is about: a page of a search, a domain, a batch of numbers. Absent: the account, which the meter does not count. */
  subject?: string;
  /** Units that are billed, and their price in micro-dollars. */
  units: number;
  micros: number;
  /** A subject is billed once per key, however often it is asked. */
  once?: boolean;
  /** A call that never costs anything: it is answered although the credit is used up. */
  free: boolean;
};

/** One simulated third party: its normal answers, and its words for each refusal. */
export type Simulation = {
  /** Pages for people rather than programs, which need no key and show no fault. */
  page?(request: SandboxRequest): SandboxReply | undefined;
  /** The key of the request, from wherever the provider takes it; undefined when there is none. */
  keyOf(request: SandboxRequest): string | undefined;
  answer(request: SandboxRequest, account: { hasCredit: boolean; spentMicros: number }): Promise<Answer> | Answer;
  badKey(hasKey: boolean): SandboxReply;
  outOfCredit(): SandboxReply;
  rateLimited(): SandboxReply;
  down(): SandboxReply;
};
