import { createContext, type ReactNode, useContext } from 'react';
import type { LandingNews } from './landing.ts';

const LandingNewsContext = createContext<LandingNews | undefined>(undefined);

/** Tells the pages what the link that opened this page has brought about, or why nothing. */
export function LandingNewsProvider({ news, children }: { news: LandingNews | undefined; children: ReactNode }) {
  return <LandingNewsContext value={news}>{children}</LandingNewsContext>;
}

export const useLandingNews = (): LandingNews | undefined => useContext(LandingNewsContext);
