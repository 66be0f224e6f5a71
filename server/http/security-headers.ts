import { createHash } from 'node:crypto';
import { secureHeaders } from 'hono/secure-headers';

/**
 * Sets the headers of every answer. The referrer policy still names our origin to YouTube, which refuses to play without it.
 * - `page`: our page's HTML. Inline scripts run only when their hash is that of one in it.
 * - `connectOrigins`: what the browser may call besides this server.
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
    strictTransportSecurity: strictTransport(options.https),
    referrerPolicy: 'strict-origin-when-cross-origin',
    xFrameOptions: 'DENY',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
  });
}

/** Headers of hashed files and of answers with data. Nothing in them may act when opened as a page; what only pages need is left out. */
export function dataHeaders(options: { https: boolean }) {
  return secureHeaders({
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    strictTransportSecurity: strictTransport(options.https),
    crossOriginResourcePolicy: 'same-origin',
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

const strictTransport = (https: boolean) => (https ? 'max-age=31536000; includeSubDomains' : false);

function inlineScriptHashes(page: string): string[] {
  return [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
}
