import type { Plugin, Rolldown } from 'vite';

/** The file that the bundler makes for helpers of a few hundred bytes, which every script imports. */
const RUNTIME = /^assets\/rolldown-runtime-/;
/** Every page has this file, and it imports nothing but the helpers. */
const HOST = 'react';
const UNEXPECTED = 'web/build/inline-runtime.ts expects other scripts than the bundler makes.';

/**
 * Moves the bundler's helpers into the file that has React: alone they took one of the browser's six connections on the
 * way to the first page.
 */
export function inlineRuntime(): Plugin {
  return {
    name: 'fairlead:inline-runtime',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
        const runtime = only(chunks, ({ fileName }) => RUNTIME.test(fileName));
        const host = only(chunks, ({ name }) => name === HOST);
        const imported = new RegExp(`import\\{([^}]*)\\}from"\\./${baseName(runtime)}";`);

        for (const chunk of chunks) {
          if (chunk === host || !chunk.imports.includes(runtime.fileName)) continue;
          chunk.code = chunk.code.replace(imported, (_all, list: string) => {
            const helpers = namesIn(list).map(([helper, local]) => `${exported(helper)} as ${local}`);
            return `import{${helpers}}from"./${baseName(host)}";`;
          });
          const others = chunk.imports.filter((file) => file !== runtime.fileName);
          chunk.imports = [...new Set([host.fileName, ...others])];
        }
        host.code =
          runtimeAsValues(runtime) +
          host.code.replace(imported, (_all, list: string) => {
            const helpers = namesIn(list).map(([helper, local]) => `${local}=${exported(helper)}`);
            return `var ${helpers};`;
          });
        host.imports = [];
        if (chunks.some((chunk) => chunk !== runtime && chunk.code.includes(baseName(runtime))))
          throw new Error(UNEXPECTED);
        delete bundle[runtime.fileName];
      },
    },
  };
}

/** The helpers in a scope of their own, exported under names that no minified script has. */
function runtimeAsValues({ code }: Rolldown.OutputChunk): string {
  const [, body, list] = /^(.*)export\{([^}]*)\};\s*$/s.exec(code) ?? [];
  if (list === undefined) throw new Error(UNEXPECTED);
  const names = namesIn(list);
  const values = names.map(([local, helper]) => `${helper}:${local}`);
  const kept = names.map(([, helper]) => `${helper}:${exported(helper)}`);
  return `var{${kept}}=(()=>{${body}return{${values}}})();export{${names.map(([, helper]) => exported(helper))}};`;
}

const exported = (helper: string): string => `helper_${helper}`;

/** `a as b,c` as [['a', 'b'], ['c', 'c']]. */
function namesIn(list: string): [string, string][] {
  return list.split(',').map((one) => {
    const [name = '', alias = name] = one.trim().split(' as ');
    return [name, alias];
  });
}

const baseName = ({ fileName }: Rolldown.OutputChunk): string => fileName.replace(/^.*\//, '');

function only(chunks: Rolldown.OutputChunk[], matches: (chunk: Rolldown.OutputChunk) => boolean): Rolldown.OutputChunk {
  const [found, another] = chunks.filter(matches);
  if (!found || another) throw new Error(UNEXPECTED);
  return found;
}
