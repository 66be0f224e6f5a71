import { fileURLToPath } from 'node:url';
import {
  API,
  type Symbol as Member,
  ModifierFlags,
  type Project,
  SignatureKind,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync';

const CLIENT = fileURLToPath(import.meta.resolve('@supabase/supabase-js')).replace(/\.mjs$/, '.d.mts');
/** By the package that declares it; supabase-js itself only passes on to them. */
const PARTS = new Map([
  ['supabase-js', ''],
  ['auth-js', 'auth'],
  ['postgrest-js', 'from'],
  ['realtime-js', 'realtime'],
  ['storage-js', 'storage'],
  ['functions-js', 'functions'],
]);
/** Whatever can be awaited has them. */
const OF_PROMISES = ['then', 'catch', 'finally'];

/**
 * Every public method of the installed client, as its own declarations have them: `auth.admin.createUser`, `from.select`,
 * `storage.vectors.putVectors`. Before the last point stand the part of the client and the objects of that part that lead to it;
 * what a method answers (`from('lists').select().eq`) adds nothing to the name.
 */
export function clientSurface(): string[] {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openFiles: [CLIENT] }).getDefaultProjectForFile(CLIENT);
    if (!project) throw new Error(`${CLIENT} cannot be read`);
    return [...namesBelow(project, findClient(project))];
  } finally {
    api.close();
  }
}

function findClient({ program, checker }: Project): Type {
  const file = program.getSourceFile(CLIENT);
  const module = file && checker.getSymbolAtLocation(file);
  const exported = module && checker.getMemberInModuleExports(module, 'SupabaseClient');
  if (!exported) throw new Error(`There is no SupabaseClient in ${CLIENT}`);
  return checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(exported));
}

function namesBelow(project: Project, client: Type): Set<string> {
  const { checker } = project;
  const names = new Set<string>();
  const seen = new Set<number>();
  const callsOf = (type: Type) => checker.getSignaturesOfType(type, SignatureKind.Call);

  /** `path`: the objects of a part that lead to `type`. */
  function walk(type: Type, path: string): void {
    const owner = type.getSymbol();
    if (!owner || seen.has(owner.id)) return;
    seen.add(owner.id);
    const given = optionsOf(project, owner);
    for (const member of checker.getPropertiesOfType(type)) {
      const part = partOf(member);
      const value = checker.getTypeOfSymbol(member);
      if (part === undefined || !value || isHidden(project, member)) continue;
      const calls = callsOf(value);
      if (calls.length === 0) walk(checker.getNonNullableType(value) ?? value, part && `${path}${member.name}.`);
      else if ((member.flags & SymbolFlags.Method) !== 0 || !given.has(member.name))
        names.add([part, `${path}${member.name}`].filter(Boolean).join('.'));
      for (const call of calls) {
        const answer = checker.getReturnTypeOfSignature(call);
        if (answer && isClass(answer)) walk(answer, path);
      }
    }
  }
  walk(client, '');
  return names;
}

/** The part whose package declares a member; undefined for what is not the client's own. */
function partOf({ declarations }: Member): string | undefined {
  return declarations.map(({ path }) => PARTS.get(/\/@supabase\/([\w-]+)\//.exec(path)?.[1] ?? '')).find(isKnown);
}
const isKnown = (part: string | undefined) => part !== undefined;

const isClass = (type: Type) => ((type.getSymbol()?.flags ?? 0) & SymbolFlags.Class) !== 0;

function isHidden(project: Project, { name, declarations }: Member): boolean {
  if (name.startsWith('_') || OF_PROMISES.includes(name)) return true;
  const hidden = ModifierFlags.Private | ModifierFlags.Protected;
  return declarations.some((declaration) => {
    const node = declaration.resolve(project);
    return node !== undefined && 'modifierFlags' in node && (Number(node.modifierFlags) & hidden) !== 0;
  });
}

/** What anyone who makes an object hands in (`fetch`, `accessToken`) is kept by it under the same name, and is no method. */
function optionsOf({ checker }: Project, owner: Member): Set<string> {
  if ((owner.flags & SymbolFlags.Class) === 0) return new Set();
  const itself = checker.getTypeOfSymbol(owner);
  const constructors = itself ? checker.getSignaturesOfType(itself, SignatureKind.Construct) : [];
  const parameters = constructors.flatMap((one) => [0, 1, 2].map((at) => checker.getParameterType(one, at)));
  const options = parameters.flatMap((type) =>
    type ? checker.getPropertiesOfType(checker.getNonNullableType(type) ?? type) : [],
  );
  return new Set(options.map(({ name }) => name));
}
