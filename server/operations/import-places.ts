import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BOX_WORDS, type BoundingBox, readBox } from '#contract/admin/bounding-box.ts';
import { loadApart } from '#server/open-data/load/load-apart.ts';
import type { Progress } from '#server/open-data/load/load-places.ts';
import type { Order } from '#server/open-data/load/order.ts';
import { UnreadableFile } from '#server/open-data/read/chunk.ts';
import { sourceName } from '#server/open-data/sources.ts';
import { runCommand, UsageError } from './command.ts';

const USAGE = `Usage: npm run import-places -- FILE… [--bbox W,S,E,N] [--state IL] [--release DAY] [--part | --whole]
       CSV also needs: --source NAME --license LICENSE`;

/** `npm run import-places -- FILE…`: see docs/open-data.md. */
export function main(args: readonly string[]): Promise<void> {
  return runCommand(async (_env, url) => {
    const order = readOrder(args);
    const loaded = await loadApart({ url, order, progress: show }).catch((error: unknown) => {
      if (error instanceof UnreadableFile) throw new UsageError(`${error.message}\n${USAGE}`);
      if (error instanceof Error && error.cause instanceof Error)
        throw new Error(`${error.message}\nReason: ${error.cause.message}`, { cause: error });
      throw error;
    });
    const { added, changed, gone, same, unusable } = loaded;
    const count = (value: number) => value.toLocaleString('en-US');
    console.log(
      `${loaded.resumed ? 'Went on where it had stopped. ' : ''}${count(added)} new, ${count(changed)} changed, ${count(gone)} gone, ` +
        `${count(same)} the same${unusable > 0 ? `; ${count(unusable)} rows hold no place` : ''}. Memory: ${loaded.mebibytes} MB.`,
    );
  });
}

const show = ({ file, files, rows }: Progress) =>
  console.log(`${files > 1 ? `File ${file} of ${files}: ` : ''}${rows.toLocaleString('en-US')} rows read`);

/** @throws UsageError. */
export function readOrder(args: readonly string[]): Order {
  const { values, positionals } = parse(args);
  const { bbox, state, source, license, release, part, whole } = values;
  if (positionals.length === 0 || (part && whole)) throw new UsageError(USAGE);
  if (source !== undefined && (!/^[a-z0-9][a-z0-9_-]{0,39}$/.test(source) || sourceName(source) !== source))
    throw new UsageError(
      'Name your own source with lower-case letters, digits and hyphens, and not like one of the known sources.',
    );
  const missing = part ? 'part' : whole ? 'whole' : undefined;
  return {
    files: positionals.map((file) => resolve(process.env.INIT_CWD ?? '.', file)),
    ...(bbox === undefined ? {} : { bbox: boxOf(bbox) }),
    ...(state === undefined ? {} : { state: state.toUpperCase() }),
    ...(source === undefined ? {} : { source }),
    ...(license === undefined ? {} : { license }),
    ...(release === undefined ? {} : { release }),
    ...(missing ? { missing } : {}),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { bbox: text, state: text, source: text, license: text, release: text, part: flag, whole: flag };
  try {
    return parseArgs({ args: joined(args), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
  }
}

/** A bounding box mostly begins with a minus, which would be read as an option of its own. */
const joined = (args: readonly string[]): string[] =>
  args.flatMap((arg, index) => {
    if (arg === '--bbox') return [`--bbox=${args[index + 1] ?? ''}`];
    return args[index - 1] === '--bbox' ? [] : [arg];
  });

function boxOf(text: string): BoundingBox {
  const box = readBox(text);
  if (!box) throw new UsageError(`${BOX_WORDS}.`);
  return box;
}
