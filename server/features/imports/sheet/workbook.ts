import { UnreadableFile } from '#server/features/imports/read/row.ts';
import { type Archive, createParser, plainName, readPart } from './archive.ts';
import { unescaped } from './escapes.ts';
import { type NumberFormat, readFormats } from './formats.ts';

const WORKBOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';

/** Where the first sheet that is shown stands, and what its cells refer to. */
export type Workbook = { sheet: string; texts: string[]; formats: NumberFormat[]; epoch1904: boolean };

export async function readWorkbook(archive: Archive): Promise<Workbook> {
  if (!archive.has(WORKBOOK))
    throw new UnreadableFile('This is no spreadsheet that can be read. Save it as XLSX or CSV.');
  const sheets: { id: string; isShown: boolean }[] = [];
  let epoch1904 = false;
  const workbook = createParser({
    open(tag) {
      const name = plainName(tag);
      if (name === 'workbookPr') epoch1904 = tag.attributes.date1904 === '1' || tag.attributes.date1904 === 'true';
      if (name !== 'sheet') return;
      const id = Object.entries(tag.attributes).find(([key]) => /:id$/.test(key))?.[1];
      sheets.push({ id: id ?? '', isShown: (tag.attributes.state ?? 'visible') === 'visible' });
    },
  });
  await readPart(archive, WORKBOOK, 'other', workbook);
  const targets = await readTargets(archive);
  const first = sheets.find(({ isShown }) => isShown) ?? sheets[0];
  const sheet = targets.get(first?.id ?? '');
  if (!sheet || !archive.has(sheet)) throw new UnreadableFile('This spreadsheet has no sheet with cells.');
  return { sheet, texts: await readTexts(archive), formats: await readFormats(archive), epoch1904 };
}

async function readTargets(archive: Archive): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  if (!archive.has(RELATIONS)) return targets;
  const parser = createParser({
    open(tag) {
      const { Id, Target } = tag.attributes;
      if (plainName(tag) === 'Relationship' && Id && Target)
        targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  await readPart(archive, RELATIONS, 'other', parser);
  return targets;
}

const TEXTS = 'xl/sharedStrings.xml';

/** The texts that cells share. Readings of other scripts (`rPh`) are left out. */
async function readTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = [];
  if (!archive.has(TEXTS)) return texts;
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
    text(part) {
      if (isText) text += part;
    },
    close(tag) {
      const name = plainName(tag);
      if (name === 'si') texts.push(unescaped(text));
      else if (name === 'rPh') isReading = false;
      else if (name === 't') isText = false;
    },
  });
  await readPart(archive, TEXTS, 'texts', parser);
  return texts;
}
