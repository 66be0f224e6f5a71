/** The first `most` UTF-16 units of a text, or one less where a character would be cut in half: JSON in PostgreSQL refuses a half. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}
