import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';
import type { CommandGroup } from './commands.ts';

/** What the open page offers to the command palette. */
export type PageCommands = RefObject<CommandGroup | undefined>;

const PageCommandsContext = createContext<PageCommands>({ current: undefined });

export function PageCommandsProvider({ children }: { children: ReactNode }) {
  return <PageCommandsContext value={useRef<CommandGroup>(undefined)}>{children}</PageCommandsContext>;
}

/** Read it when the palette opens. */
export const usePageCommandsRef = (): PageCommands => useContext(PageCommandsContext);

/** Offers commands of the page to the palette for as long as the page is shown. */
export function usePageCommands(group: CommandGroup): void {
  const offered = useContext(PageCommandsContext);
  useEffect(() => {
    offered.current = group;
    return () => {
      offered.current = undefined;
    };
  });
}
