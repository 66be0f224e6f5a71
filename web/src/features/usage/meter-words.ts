import type { Meter, MeteredProvider } from '#contract/money/meters.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import { formatCount, formatMoney, formatTime } from '#web/lib/format/format.ts';

/** What the last comparison with a provider has shown, with both numbers. */
export function meterText(provider: MeteredProvider, meter: Meter | undefined): string {
  const { name } = PROVIDER_CATALOGUE[provider];
  if (!meter) return `Asks ${name} what it has counted, free of charge. Runs also do this when they end.`;
  const amount = (value: number) =>
    provider === 'searchbug' ? formatMoney(value) : `${formatCount(value)} ${value === 1 ? 'credit' : 'credits'}`;
  const { since, readAt, metered, booked, uncertain } = meter;
  const span = since ? `Between ${formatTime(since)} and ${formatTime(readAt)}` : '';
  const ledger = `the ledger shows ${amount(booked)}${uncertain > 0 ? ` and ${amount(uncertain)} that are not certain` : ''}`;
  switch (meter.state) {
    case 'first':
      return `First read ${formatTime(readAt)}. The next comparison counts from there.`;
    case 'reset':
      return `${span} a new billing period began or a payment was made. The next comparison counts from there.`;
    case 'agrees':
      return `${span} ${name} counted ${amount(metered)}, and ${ledger}.`;
    case 'drifts':
      return `${span} ${name} counted ${amount(metered)}, but ${ledger}. Its count includes any work done with the same key outside Fairlead.`;
  }
}
