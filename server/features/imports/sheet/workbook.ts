import { UnreadableFile } from '#server/features/imports/read/row.ts';
import { type Archive, createParser, plainName, readPart } from './archive.ts';
import { unescaped } from './escapes.ts';
import { type NumberFormat, readFormats } from './formats.ts';

const WORKBOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';

/** Where a sheet stands, and what its tab says. */
export type Sheet = { part: string; name: string };

/** Where its sheets stand, those that are shown before the others, and what their cells refer to. */
export type Workbook = { sheets: Sheet[]; texts: string[]; formats: NumberFormat[]; epoch1904: boolean };

export async function readWorkbook(archive: Archive): Promise<Workbook> {
  if (!archive.has(WORKBOOK))
    throw new UnreadableFile('This is not a spreadsheet that can be read. Save it as XLSX or CSV.');
  const sheets: { id: string; name: string; isShown: boolean }[] = [];
  let epoch1904 = false;
  const workbook = createParser({
    open(tag) {
      const name = plainName(tag);
      if (name === 'workbookPr') epoch1904 = tag.attributes.date1904 === '1' || tag.attributes.date1904 === 'true';
      if (name !== 'sheet') return;
      const id = Object.entries(tag.attributes).find(([key]) => /:id$/.test(key))?.[1];
      sheets.push({
        id: id ?? '',
        name: tag.attributes.name ?? '',
        isShown: (tag.attributes.state ?? 'visible') === 'visible',
      });
    },
  });
  await readPart(archive, WORKBOOK, 'other', workbook);
  const related = await readRelated(archive);
  const inOrder = sheets.toSorted((one, other) => Number(other.isShown) - Number(one.isShown));
  const parts = inOrder.flatMap(({ id, name }) => {
    const { part, type } = related.get(id) ?? {};
    // A chart may have a sheet of its own, without cells.
    return part && type !== 'chartsheet' && archive.has(part) ? [{ part, name }] : [];
  });
  if (parts.length === 0) throw new UnreadableFile('This spreadsheet has no sheet with cells.');
  const partOf = (wanted: string) => [...related.values()].find(({ type }) => type === wanted)?.part;
  return {
    sheets: parts,
    texts: await readTexts(archive, partOf('sharedStrings') ?? 'xl/sharedStrings.xml'),
    formats: await readFormats(archive, partOf('styles') ?? 'xl/styles.xml'),
    epoch1904,
  };
}

/** A part of the file, and what it is to the workbook. */
type Related = { part: string; type: string };

async function readRelated(archive: Archive): Promise<Map<string, Related>> {
  const related = new Map<string, Related>();
  if (!archive.has(RELATIONS)) return related;
  const parser = createParser({
    open(tag) {
      const { Id, Target, Type = '' } = tag.attributes;
      if (plainName(tag) !== 'Relationship' || !Id || !Target) return;
      // As an address within the folder of the workbook.
      const part = URL.parse(Target, 'file:///xl/')?.pathname.slice(1) ?? '';
      related.set(Id, { part: decoded(part), type: Type.slice(Type.lastIndexOf('/') + 1) });
    },
  });
  await readPart(archive, RELATIONS, 'other', parser);
  return related;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The texts that cells share. Readings of other scripts (`rPh`) are left out. */
async function readTexts(archive: Archive, part: string): Promise<string[]> {
  const texts: string[] = [];
  if (!archive.has(part)) return texts;
  let text = '';
  let isText = false;
  let isReading = false;
  const parser = createParser({
    open(tag) {
      const name = plainName(tag);
      if (name === 'si') text = '';
      else if (name === 'rPh') isReading = true;
      else if (name === 't') isText = !isReading;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(tag) {
      const name = plainName(tag);
      if (name === 'si') texts.push(unescaped(text));
      else if (name === 'rPh') isReading = false;
      else if (name === 't') isText = false;
    },
  });
  await readPart(archive, part, 'texts', parser);
  return texts;
}
