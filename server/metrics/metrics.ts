import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { ProviderId } from '#contract/providers.ts';
import { addDatabaseGauges, type MeasuredDatabase } from './database-gauges.ts';

/** What a process tells Prometheus. Labels come from closed lists: nothing that people typed, and no one's id. */
export type Metrics = {
  /** `route`: the pattern that answered, such as /rest/v1/:table. */
  requestEnded(method: string, route: string, status: number, seconds: number): void;
  runEnded(kind: string, state: 'completed' | 'failed' | 'cancelled'): void;
  callsEnded(provider: ProviderId, outcome: 'answered' | 'failed' | 'uncertain', calls: number): void;
  /** In Prometheus' text format. Asks the database for what is counted there. */
  render(): Promise<{ contentType: string; text: string }>;
};

/** `database` and figures of the process itself are added where they are given: in a server, not in a test. */
export function createMetrics(database?: MeasuredDatabase): Metrics {
  const registry = new Registry();
  const requests = new Histogram({
    name: 'fairlead_http_request_duration_seconds',
    help: 'HTTP requests by the route that answered.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  });
  const runs = new Counter({
    name: 'fairlead_runs_ended_total',
    help: 'Runs that this process ended.',
    labelNames: ['kind', 'state'] as const,
    registers: [registry],
  });
  const calls = new Counter({
    name: 'fairlead_paid_calls_total',
    help: 'Paid calls that this process sent, by what became of them.',
    labelNames: ['provider', 'outcome'] as const,
    registers: [registry],
  });
  if (database) {
    addDatabaseGauges(registry, database);
    collectDefaultMetrics({ register: registry });
  }
  return {
    requestEnded: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    runEnded: (kind, state) => runs.inc({ kind, state }),
    callsEnded: (provider, outcome, count) => calls.inc({ provider, outcome }, count),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
