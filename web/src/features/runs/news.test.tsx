import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toast } from 'sonner';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toaster } from '#web/ui/feedback/toaster.tsx';
import { beginNews, type News, setPlace, shareNews, tellNews } from './news.tsx';

const LIST = { id: 'list-1', name: 'Plumbers' };
const about = { listId: LIST.id, kind: 'compliance' } as const;
const news = (change: Partial<News>): News => ({
  run: 'run-1',
  list: LIST,
  kind: 'compliance',
  tone: 'success',
  title: 'Compliance check complete',
  onView: () => {},
  ...change,
});
const tell = (change: Partial<News>) => act(async () => tellNews(news(change)));
const nothingEmpty = { tone: 'info', title: 'Nothing could be checked' } as const;

/** Channels between this tab and others, as browsers have them. */
class Channel extends EventTarget {
  static open: Channel[] = [];
  constructor() {
    super();
    Channel.open.push(this);
  }
  postMessage(data: unknown): void {
    for (const other of Channel.open)
      if (other !== this) other.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) }));
  }
  close(): void {
    Channel.open = Channel.open.filter((one) => one !== this);
  }
}

let stop: () => void;
beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', Channel);
  stop = shareNews();
  setPlace('/lists/list-1');
  render(<Toaster theme="dark" />);
});
afterEach(() => {
  stop();
  act(() => void toast.dismiss());
  vi.unstubAllGlobals();
});

test('the next run is told while the news of the one before is still to be seen', async () => {
  await tell({ run: 'run-1', ...nothingEmpty });
  expect(await screen.findByText('Nothing could be checked')).toBeInTheDocument();
  act(() => beginNews(about));
  await tell({ run: 'run-2' });
  expect(await screen.findByText('Compliance check complete')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText('Nothing could be checked')).not.toBeInTheDocument());
});

test('the end of a run is told once, however often it is heard of, and what was told first stays', async () => {
  setPlace('/account');
  const onView = vi.fn();
  await tell({ tone: 'error', title: 'Compliance check failed', text: 'No credit.', onView });
  expect(await screen.findByText('No credit.')).toBeInTheDocument();
  await tell({ tone: 'error', title: 'Compliance check failed', text: 'A worse text.' });
  // An answer of a server that does not name its run.
  await tell({ run: undefined, tone: 'error', title: 'Compliance check failed', text: 'A worse text.' });
  expect(screen.getAllByText('Compliance check failed')).toHaveLength(1);
  expect(screen.queryByText('A worse text.')).not.toBeInTheDocument();
  expect(screen.getByText('Plumbers')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'View list' }));
  expect(onView).toHaveBeenCalledOnce();
});

test('on the page of the list neither its name nor the way to it is needed', async () => {
  await tell({ text: 'Two numbers.', remedy: { label: 'Update key', onClick: () => {} } });
  expect(await screen.findByRole('button', { name: 'Update key' })).toBeInTheDocument();
  expect(screen.queryByText('Plumbers')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'View list' })).not.toBeInTheDocument();
});

test('another tab that has told it keeps this one from it, and work that begins there takes old news away here', async () => {
  const otherTab = new Channel();
  act(() => otherTab.postMessage({ told: 'run-1' }));
  await tell({ run: 'run-1' });
  expect(screen.queryByText('Compliance check complete')).not.toBeInTheDocument();

  const heard: unknown[] = [];
  otherTab.addEventListener('message', (event) => heard.push((event as MessageEvent).data));
  await tell({ run: 'run-2', ...nothingEmpty });
  expect(heard).toEqual([{ told: 'run-2' }]);
  act(() => otherTab.postMessage({ begun: about }));
  await waitFor(() => expect(screen.queryByText('Nothing could be checked')).not.toBeInTheDocument());
  otherTab.close();
});

test('a refusal takes the place of the one before, and one of another kind of work stands beside it', async () => {
  await tell({ run: undefined, tone: 'error', title: 'Compliance check failed', text: 'First.' });
  await tell({ run: undefined, tone: 'error', title: 'Compliance check failed', text: 'Second.' });
  await tell({ run: undefined, kind: 'enrichment', tone: 'error', title: 'Enrichment failed' });
  expect(await screen.findByText('Second.')).toBeInTheDocument();
  expect(screen.queryByText('First.')).not.toBeInTheDocument();
  expect(screen.getByText('Enrichment failed')).toBeInTheDocument();
});
