import { createHash } from 'node:crypto';
import { secureHeaders } from 'hono/secure-headers';

/**
 * Headers of every answer. Inline scripts run only when their hash is that of one in our own page (`page`: its HTML).
 * `connectOrigins` are what the browser may call besides this server. The referrer policy still names our origin to YouTube,
 * which refuses to play without it.
 */
export function securityHeaders(options: { page: string; connectOrigins: readonly string[]; https: boolean }) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...inlineScriptHashes(options.page)],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'https://i.ytimg.com', 'https://i.vimeocdn.com'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", ...options.connectOrigins],
      frameSrc: ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'],
      frameAncestors: ["'none'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      objectSrc: ["'none'"],
    },
    permissionsPolicy: {
      camera: [],
      microphone: [],
      geolocation: [],
      displayCapture: [],
      payment: [],
      usb: [],
      serial: [],
      hid: [],
      midi: [],
    },
    strictTransportSecurity: options.https ? 'max-age=31536000; includeSubDomains' : false,
    referrerPolicy: 'strict-origin-when-cross-origin',
    xFrameOptions: 'DENY',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
  });
}

function inlineScriptHashes(page: string): string[] {
  return [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
}
