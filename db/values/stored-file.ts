import { join } from 'node:path';

/** Where the bytes of a stored file are: folders of two letters keep each of them small. */
export const storedFile = (folder: string, version: string): string => join(folder, version.slice(0, 2), version);
