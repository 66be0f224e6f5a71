/** What one process bears, and what one person may ask of it: each process counts for itself. A test may have others. */
export const REALTIME_LIMITS = {
  /** Sockets of one process; each holds a connection and some 30 kB. */
  sockets: 10_000,
  /** Sockets of one person: a tab has one each. */
  socketsOfPerson: 20,
  /** Sockets from one network that have not joined a channel yet, which is all that a stranger gets. */
  unjoinedOfNetwork: 200,
  /** As hosted. */
  channelsOfSocket: 100,
  bindingsOfChannel: 20,
  /** Subscriptions to changes of one person, each with a filter perhaps, which all are applied to each of their rows. */
  bindingsOfPerson: 1_000,
  /** For one person, on all their sockets and over HTTP, as hosted for a client. */
  messagesPerSecond: 100,
  /** Messages of a socket that wait while an earlier one is worked on. */
  waitingMessages: 200,
  /** Bytes of one message, as hosted. */
  messageBytes: 256 * 1024,
  /** Bytes of a topic: what its length is written in holds no more. */
  topicLength: 255,
  /** For one filter of changes. */
  filterLength: 1_000,
  /** Bytes that a reader may leave unread before it is cut off; it comes back and joins again. A large change is some at once. */
  unreadBytes: 8_000_000,
  /** Nothing is heard for so long, in ms: clients send a heartbeat every 25 s. */
  silenceMs: 60_000,
  /** How long a socket may be in no channel, in ms. The client leaves by itself after 50 s. */
  idleMs: 60_000,
  /** How often sessions of channels are looked at, in ms, besides being told of their end. */
  sessionCheckMs: 10_000,
};
export type RealtimeLimits = typeof REALTIME_LIMITS;
