import type { Mail } from './mail.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The http(s) addresses of a mail, those of its text first, each once. */
export function linksOf({ text, html }: Pick<Mail, 'text' | 'html'>): string[] {
  const inText = [...text.matchAll(/https?:\/\/[^\s<>"]+/gu)].map(([link]) => link.replace(/[.,;:!?)\]]+$/u, ''));
  const inHtml = [...html.matchAll(/\shref="(https?:\/\/[^"]+)"/gu)].map(([, link = '']) =>
    link.replaceAll(/&(amp|lt|gt|quot|#39);/gu, (entity, name: string) => ENTITIES[name] ?? entity),
  );
  return [...new Set([...inText, ...inHtml])];
}
