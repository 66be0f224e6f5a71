import type { Fetch } from '#providers/provider.ts';

/** A fetch that remembers what it sent, so that the same requests can be sent again without any of our code around them. */
export function createRecordingFetch() {
  const sent: { url: string; init: RequestInit }[] = [];
  const record: Fetch = (input, init) => {
    sent.push({ url: String(input), init: { ...init, signal: null } });
    return fetch(input, init);
  };
  return {
    fetch: record,
    /** Sends the requests again, one after the other, and reads each answer to its end. */
    async replay(): Promise<void> {
      for (const { url, init } of sent) {
        const response = await fetch(url, init);
        await response.text();
        if (!response.ok) throw new Error(`${url} answered ${response.status} when it was asked again.`);
      }
    },
  };
}
