import { headOf, magicOf } from './bytes.ts';
import { type OpenFile, UnreadableFile } from './chunk.ts';
import { openCsv } from './csv.ts';
import { openGeoJson } from './geojson.ts';
import { openParquet } from './parquet.ts';

export type Said = { source?: string | undefined; license?: string | undefined };

/**
 * Tells what a file holds by its content, not by its name.
 * @throws UnreadableFile
 */
export async function openFile(path: string, said: Said): Promise<OpenFile> {
  const magic = await magicOf(path).catch(() => {
    throw new UnreadableFile(`${path} is not a file that can be read.`);
  });
  if (magic.toString('latin1') === 'PAR1') return openParquet(path);
  const head = await headOf(path);
  // A control character may begin each text of a sequence (RFC 8142).
  if (/^[\s\p{Cc}]*\{/u.test(head)) return openGeoJson(path, head);
  if (/\.(?:parquet|(?:geo)?json\w*)(?:\.gz)?$/i.test(path))
    throw new UnreadableFile(`${path} is not the kind of file its name says. It may be damaged: download it again.`);
  if (!head.trim()) throw new UnreadableFile(`${path} is empty. Download it again.`);
  return openCsv(path, head, said);
}
