import { useEffect } from 'react';

/**
 * Asks at once for the fonts with the letters of a text. The browser asks only when it lays out such a letter, and what
 * comes then lays out the whole page again.
 */
export function useFontsFor(text: string): void {
  useEffect(() => {
    // jsdom has no fonts. One that does not come is left to the browser, which tries again.
    document.fonts?.load('1em "Inter Variable"', text).catch(() => {});
  }, [text]);
}
