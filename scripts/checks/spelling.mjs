// The words of everything that people read here: spelling by cspell (.cspell.config.mjs), then the phrases that docs/writing.md forbids.
import { globSync, readFileSync } from 'node:fs';
import { tool } from '../set-up/tool.mjs';

const PHRASES = /\bcan not\b|\bat the most\b|\b(?:is|are) asked of\b|\bnobody gets in\b/i;
const FILES =
  '{*.md,.env.example,{area,backend,bench,calling,contract,db,deploy,docs,jobs,providers,sandbox,scripts,server,supabase,test,web,websites}/**/*.*}';
/** The page that lists the phrases, and this file. Generated files and pictures hold none. */
const EXCEPT = /^docs\/writing\.md$|^scripts\/checks\/spelling\.mjs$|^web\/dist\/|\.gen\.ts$|\.(?:png|woff2|ico)$/;

/** Prints each line with such a phrase. Returns an exit code. */
function checkPhrases() {
  const found = globSync(FILES)
    .filter((file) => !EXCEPT.test(file.replaceAll('\\', '/')))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) => (PHRASES.test(line) ? [`${file}:${at + 1}: ${PHRASES.exec(line)?.[0]}`] : [])),
    );
  for (const line of found) console.error(line);
  if (found.length > 0) console.error('docs/writing.md says what to write instead.');
  return found.length > 0 ? 1 : 0;
}

/** Only what has changed since the last time is read again. */
const cache = ['--cache', '--cache-location=node_modules/.cache/cspell'];
const spelling = await tool('node_modules/cspell/bin.mjs', ['.', '--dot', '--no-progress', '--no-summary', ...cache]);
process.exitCode = spelling || checkPhrases();
