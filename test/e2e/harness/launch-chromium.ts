import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '#test/servers/chromium.ts';

/**
 * The installed Chromium, without its sandbox, so that it runs as root and in containers too. Tabs of one visitor share a
 * process, which has then compiled the app already.
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('There is no Chromium. Run `npm test`, which says how to get one.');
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--process-per-site', ...more];
  return chromium.launch({ executablePath, args });
}

/** Pages of a test live for seconds: what V8 would compile for speed costs a quarter more than it saves. */
const SHORT_LIVES = ['--js-flags=--no-maglev --no-turbofan'];

let shared: Promise<Browser> | undefined;

/** The Chromium that the test files of a worker share, one after the other. It is started when it is needed, and ends with the worker. */
export async function sharedChromium(): Promise<Browser> {
  const running = await shared?.catch(() => undefined);
  if (running?.isConnected()) return running;
  shared = launchChromium(SHORT_LIVES);
  return shared;
}
