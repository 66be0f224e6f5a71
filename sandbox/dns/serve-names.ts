import { createSocket } from 'node:dgram';
import { type Answer, decode, encode } from 'dns-packet';
import { plantedSite } from '#sandbox/websites/planted-site.ts';

/** `server`: "host:port". */
export type Names = { server: string; close(): Promise<void> };

/** Public, and never connected to: what the sandbox serves stands in for it. */
const PUBLIC_ADDRESS = '93.184.215.14';
const MAIL_PROVIDERS = new Set(['gmail.com']);
const TTL = 60;
const NXDOMAIN = 3;
const SERVFAIL = 2;
const RESPONSE_AUTHORITATIVE = 0x0400;

type Reply = { code: number; answers: Answer[] };
const nothing: Reply = { code: 0, answers: [] };
const noSuchName: Reply = { code: NXDOMAIN, answers: [] };

/** Starts it on a free port of 127.0.0.1. */
export async function serveNames(): Promise<Names> {
  const socket = createSocket('udp4');
  socket.on('message', (message, sender) => {
    try {
      const { id, questions = [] } = decode(message);
      const [question] = questions;
      const { code, answers } = question ? answerTo(question.name.toLowerCase(), question.type) : noSuchName;
      const packet = encode({
        type: 'response',
        id: id ?? 0,
        flags: RESPONSE_AUTHORITATIVE | code,
        questions,
        answers,
      });
      socket.send(packet, sender.port, sender.address);
    } catch {
      // Not a question: no one waits for an answer.
    }
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, '127.0.0.1', resolve);
  });
  return {
    server: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function answerTo(name: string, type: string): Reply {
  if (MAIL_PROVIDERS.has(name)) return type === 'MX' ? mail(name, `mx.${name}`) : nothing;
  const domain = /([^.]+\.example)$/.exec(name)?.[1];
  if (!domain) return noSuchName;
  const { kind } = plantedSite(domain);
  if (kind === 'no-such-name') return noSuchName;
  if (kind === 'name-unknown') return { code: SERVFAIL, answers: [] };
  if (type === 'A')
    return address(name, name === `inside.${domain}` || kind === 'private-name' ? '10.1.2.3' : PUBLIC_ADDRESS);
  if (type !== 'MX' || name !== domain) return nothing;
  if (kind === 'refuses-mail') return mail(name, '.');
  // Without a mail server, the address of the name stands in.
  return kind === 'text-contact' ? nothing : mail(name, `mail.${domain}`);
}

const address = (name: string, data: string): Reply => ({ code: 0, answers: [{ type: 'A', name, ttl: TTL, data }] });
const mail = (name: string, exchange: string): Reply => ({
  code: 0,
  answers: [{ type: 'MX', name, ttl: TTL, data: { preference: exchange === '.' ? 0 : 10, exchange } }],
});
