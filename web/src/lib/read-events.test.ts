import { expect, test } from 'vitest';
import { readEvents } from './read-events.ts';

const streamOf = (parts: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });

async function read(...parts: string[]): Promise<string[]> {
  const events: string[] = [];
  for await (const event of readEvents(streamOf(parts))) events.push(event);
  return events;
}

test('messages arrive whole, however they were cut', async () => {
  expect(await read('data: one\n\nda', 'ta: two', '\n', '\n')).toEqual(['one', 'two']);
  expect(await read('data: one\r', '\n\r', '\ndata: two\r\n\r\n')).toEqual(['one', 'two']);
});

test('data of several lines is one message, and only one blank is taken off', async () => {
  expect(await read('data:  one\ndata:two\n\n')).toEqual([' one\ntwo']);
});

test('a comment is an empty text; other fields and what breaks off are nothing', async () => {
  expect(await read(':\n\nevent: x\nid: 1\n\ndata: one\n\ndata: half')).toEqual(['', 'one']);
});

test('whoever leaves gives the stream up', async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: one\n\n')),
    cancel() {
      cancelled = true;
    },
  });
  for await (const event of readEvents(stream)) {
    expect(event).toBe('one');
    break;
  }
  expect(cancelled).toBe(true);
});
