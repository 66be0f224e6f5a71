import type { Metrics } from '#server/metrics/metrics.ts';
import { type HttpServer, listen } from './listen.ts';

/** Answers GET /metrics on a port of its own, which only this machine can open. */
export function serveMetrics(metrics: Metrics, port: number): Promise<HttpServer> {
  return listen({
    host: '127.0.0.1',
    port,
    variable: 'METRICS_PORT',
    listener(request, response) {
      if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
      metrics.render().then(
        ({ contentType, text }) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  });
}
