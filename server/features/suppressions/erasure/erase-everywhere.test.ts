import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { columnsWith, textColumns } from '#test/databases/find-text.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [admin, user] = await Promise.all([product.admin(), product.user()]);
});

/** Columns that can hold text and are not planted, and why. */
const EXEMPT: readonly (readonly [RegExp, string])[] = [
  [/^app\.(profiles|invitations|carried_sessions|crm_oauth_states|hook_deliveries|provider_keys)\./, 'accounts'],
  [/^app\.(kept_limits|kept_spending|meter_readings)\./, 'sums of accounts, by keyed hashes'],
  [/^app\.\w+\.bucket$/, 'names of limits, with keyed hashes'],
  [/\.(\w*hash|hash|sealed\w*|inner_key|outer_key|sha256)$/, 'hashes, and what is sealed'],
  [/^app\.evidence_subjects\.subject$/, 'a keyed hash, and goes with its part'],
  [/^app\.stop_codes\.contact$/, 'a fingerprint, and goes after a day'],
  [/^app\.stop_requests\.network$/, 'a fingerprint, and goes with the request'],
  [/^app\.audit_log\./, 'nothing changes it, it is written without contacts, and goes after 400 days'],
  [/^app\.evidence(_waiting)?\.(facts|kind)$/, 'names no one'],
  [/^app\.calling_(rules|scopes)\./, 'what administrators decided, and why, is kept'],
  [/^app\.calls\.phone$/, '16 CFR 310.5: kept for five years'],
  [/^app\.(crm_connection|required_tags|suppression_settings)\./, 'settings of the workspace'],
  [/^app\.training_videos\./, 'settings of the workspace'],
  [/^app\.(files_to_erase\.name|website_turns\.host)$/, 'ids, or a host for an hour'],
  [/^app\.imports\.(delimiter|encoding|failure)$/, 'words of ours'],
  [/^app\.told_values\.origin$/, 'words of ours; its values are keyed hashes'],
  [/^app\.(paid_calls\.error_kind|runs\.error_code)$/, 'words of ours'],
  [/^app\.(surveys\.(frames|reprobe)|list_surveys\.certificate)$/, 'coordinates and counts'],
  [/^app\.open_(imports|releases)\./, 'files and licenses of open data'],
  [
    /^app\.open_\w+\.(source|source_id|open_id|license|region|categories|terms)$/,
    'goes with its place; ids and kinds name no one',
  ],
  [/^public\.leads\.(open_id|phone_type)$/, 'ids, and words of ours'],
];

type Contact = {
  kind: 'phone' | 'email' | 'business';
  value: string;
  /** One of its spellings. */
  say: () => string;
  /** Finds it in any of them, by other means than the product. */
  isIn: (text: string) => boolean;
};

const insert = async (table: string, row: Record<string, unknown>): Promise<string> => {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  const values = Object.values(row).map((value) => sql`${value}`);
  const { rows } = await sql<{ row: { id?: unknown } }>`
    insert into ${sql.table(table)} as made (${sql.join(columns)}) values (${sql.join(values)}) returning to_jsonb(made) as row`.execute(
    product.db,
  );
  return String(rows[0]?.row.id ?? '');
};

/** Writes the contact to every place that can hold it. Returns the list whose lead only mentions it. */
async function plant({ kind, value, say }: Contact): Promise<string> {
  const json = (one: unknown) => JSON.stringify(one);
  const broken = kind === 'phone' ? value.replace(/^\+1(\d{3})(\d{3})/, '($1)\r\n$2-') : value;
  const own = { phone: kind === 'phone' ? say() : null, email: kind === 'email' ? say() : null };
  const names = {
    search_params: json({ place: say() }),
    came_from: json([{ name: say(), how: 'copied', at: '2026-11-26' }]),
    resolved_place: say(),
  };
  await buildListOf(product.db, user.id, [
    { ...own, place_id: kind === 'business' ? value : null, business_name: 'Own', owner_name: 'Olive Invented' },
    ...(['business_name', 'address', 'website', 'owner_name', 'owner_title'] as const).map((column) => ({
      [column]: `See ${say()}`,
    })),
    // In several lines: JSON spells their breaks with letters.
    { business_name: 'In lines', extra: json({ Notes: `Ask\n${broken}` }) },
  ]);
  const mentioning = await buildListOf(
    product.db,
    user.id,
    [
      {
        business_name: 'Mentions',
        extra: json({ Mobile: say(), [say()]: 'x', Notes: `ask for ${say()} or ${say()}`, Other: 'stays' }),
        originals: json({ phone: say() }),
        sources: json({ business_name: 'file', [`extra.${say()}`]: 'file:google' }),
        compliance_reason: `as ${say()}`,
        site_visit: json({ status: 'found', said: [say()] }),
      },
    ],
    { ...names, name: `Clients of ${say()}` },
  );
  const [lead] = await readLeads(product.db, mentioning);
  const importId = await insert('app.imports', {
    user_id: user.id,
    name: `${say()}.csv`,
    list_name: say(),
    state: 'ready',
    columns: json([{ header: say(), guess: 'extra', sample: ['Olive', say()] }]),
    mapping: json({ [say()]: 'extra' }),
    keyed_by: json({ [say()]: 'extra' }),
    other_sheets: json([say()]),
  });
  const row = (at: number, keys: string[], cells: string[]) =>
    insert('app.import_rows', {
      import_id: importId,
      row: at,
      keys,
      cells: json(cells),
      problems: json([{ column: 'x', value: say(), why: 'x' }]),
    });
  await row(2, [`${kind}:${value}`, 'company:own'], [say(), 'Olive Invented']);
  await row(3, ['company:stays'], [`ask ${say()}`, 'Stays']);
  await insert('app.import_rows', { import_id: importId, row: 4, keys: [], cells: json([`Notes:\n${broken}`]) });
  await insert('app.import_updates', {
    import_id: importId,
    row: 3,
    lead_id: lead?.id,
    before: json({ phone: say() }),
    after: json({ phone: say(), owner_name: 'x' }),
    originals: json({ phone: say() }),
  });
  const runId = await insert('app.runs', {
    user_id: user.id,
    list_name: say(),
    kind: 'place',
    input: json({ place: say() }),
    totals: json({ last: say() }),
    sandbox: true,
    state: 'failed',
    error_message: `No ${say()}`,
  });
  const call = await insert('app.paid_calls', {
    user_id: user.id,
    run_id: runId,
    provider: 'google_places',
    operation: 'search_page',
    subject: `${say()}, page 1`,
    idempotency_key: `${say()} ${randomUUID()}`,
    state: 'failed',
    estimate_micros: 1,
    sandbox: true,
    error_message: `No ${say()}`,
  });
  const question = {
    user_id: user.id,
    provider: 'google_places',
    operation: 'search_page',
    sandbox: true,
    paid_call_id: call,
  };
  await insert('app.answers', { ...question, subject: `about ${say()}`, answer: '{}' });
  await insert('app.answers', {
    ...question,
    subject: randomUUID(),
    answer: json({ places: [{ phone: say(), email: say(), id: say() }] }),
  });
  for (const page of [1, 2])
    await insert('app.recalls', {
      ...question,
      run_id: runId,
      subject: `about ${say()}, page ${page}`,
      saved_micros: 1,
    });
  await insert('app.website_answers', {
    sandbox: true,
    domain: `${randomUUID()}.example`,
    visit: json({ emails: [say()] }),
    expires_at: '2030-01-01',
  });
  await insert('app.website_answers', {
    sandbox: true,
    domain: `see ${say()}`.toLowerCase(),
    visit: '{}',
    expires_at: '2030-01-01',
  });
  await insert('app.exports', { user_id: user.id, list_id: mentioning, list_name: say(), file_name: `${say()}.csv` });
  await insert('app.usage_lists', {
    user_id: user.id,
    sandbox: true,
    day: '2026-11-26',
    list_key: randomUUID(),
    list_name: say(),
  });
  const survey = await insert('app.surveys', {
    user_id: user.id,
    sandbox: true,
    subject: say(),
    label: say(),
    area: json({ place: say() }),
    frames: '[]',
    queries: [say()],
    why: `No ${say()}`,
  });
  const place = { latitude: 1, longitude: 1, closed: false, categories: [], terms: [] };
  for (const field of ['name', 'phone', 'email', 'website', 'address']) {
    const one = { ...place, source_id: randomUUID(), name: 'Place', [field]: `${say()}` };
    const loaded = { ...one, source: 'invented', release_id: 1, added_by: 1, changed_by: 1 };
    await insert('app.open_places', loaded);
    await insert('app.open_street_map_places', loaded);
    await insert('app.open_staged', { ...one, row_number: 1, license: 'x' });
  }
  await insert('app.suppressions', { kind, key: `${kind}:${value}`, source: 'hand' });
  await insert('app.suppressions', {
    kind: 'domain',
    key: `domain:${randomUUID()}.example`,
    source: 'hand',
    note: `also ${say()}`,
  });
  const logged = { sandbox: true, user_id: user.id, list_id: mentioning, verdict: 'unknown', called_at: '2026-11-20' };
  await insert('app.calls', {
    ...logged,
    id: randomUUID(),
    phone: '+13035559999',
    note: `ask ${say()}`,
    beside: kind === 'phone' ? [value] : [],
  });
  await sql`
    update app.crm_pull set failure = concat_ws(' ', failure, ${say()}::text), left_out = concat_ws(' ', left_out, ${say()}::text)
  `.execute(product.db);
  if (kind !== 'business') await insert('app.stop_requests', { key: `${kind}:${value}` });
  if (kind === 'phone') {
    await insert('app.calls', { ...logged, id: randomUUID(), phone: value, note: 'was in a hurry' });
    await insert('app.call_leases', {
      phone: value,
      sandbox: true,
      lead_id: lead?.id,
      user_id: user.id,
      session: randomUUID(),
      expires_at: '2030-01-01',
    });
  }
  if (kind === 'business') {
    await insert('app.open_matches', {
      user_id: user.id,
      place_id: value,
      open_id: `invented:${randomUUID()}`,
      reason: 'phone',
      sandbox: true,
    });
    await insert('app.survey_places', { survey_id: survey, place_id: value });
    await insert('app.removed_leads', { list_id: mentioning, place: value });
    await insert('app.survey_tiles', {
      survey_id: survey,
      query: 0,
      south: 0,
      west: 0,
      north: 1,
      east: 1,
      state: 'complete',
      ids: [value, 'ChIJinvented_other'],
    });
  }
  return mentioning;
}

/** Müller-Dach. */
const INTERNATIONAL = 'xn--mller-dach-9db.example';

let many = 0;
/** A contact that no other test has, in spellings that chance picks. `last`: its last digit, or letter. `host`: of an address. */
function contactOf(
  { kind, host = 'gmail.com' }: { kind: Contact['kind']; host?: string },
  pick: (most: number) => number,
  last: string,
): Contact {
  const number = String(many % 100).padStart(2, '0');
  const one = (spellings: readonly string[]) => () => spellings[pick(spellings.length)] ?? '';
  if (kind === 'business') {
    const value = `ChIJinvented_${number}${last}`;
    return { kind, value, say: () => value, isIn: (text) => new RegExp(`${value}(?!\\w)`).test(text) };
  }
  if (kind === 'phone') {
    const [area, exchange, line] = ['720', '555', `1${number}${last}`];
    const wide = [...`${area}${exchange}${line}`].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
    return {
      kind,
      value: `+1${area}${exchange}${line}`,
      say: one([
        ...[
          `(${area}) ${exchange}-${line}`,
          `${area}.${exchange}.${line}`,
          `+1 ${area} ${exchange} ${line}`,
          `1${area}${exchange}${line}`,
        ],
        ...[
          `${area}${exchange}${line}`,
          `tel:+1-${area}-${exchange}-${line}`,
          `${area}-${exchange}-${line} x12`,
          `001 ${area}/${exchange}/${line}`,
          wide,
        ],
      ]),
      isIn: (text) =>
        new RegExp(`${[...`${area}${exchange}${line}`].join('\\D{0,6}')}(?!\\d)`).test(text.normalize('NFKC')),
    };
  }
  return emailOf(host, [`olive${number}`, `invented${last}`], one);
}

type OneOf = (spellings: readonly string[]) => () => string;
function emailOf(host: string, [name, rest]: [string, string], one: OneOf): Contact {
  const value = `${name}${rest}@${host}`;
  if (host === 'proton.me')
    return {
      kind: 'email',
      value,
      say: one([value, `${name}.${rest}+shop@Proton.me`, `${name}_${rest}@proton.me`, `<${name}-${rest}%40proton.me>`]),
      isIn: (text) => new RegExp(`${name}${rest}(\\+\\w+)?(@|%40)`).test(text.toLowerCase().replaceAll(/[._-]/g, '')),
    };
  if (host === INTERNATIONAL)
    return {
      kind: 'email',
      value,
      say: one([
        value,
        `${name}${rest}@müller-dach.example`,
        `mailto:${name}${rest}@MÜLLER-DACH.example`,
        `${name}${rest}@mu\u0308ller-dach.example`,
      ]),
      isIn: (text) => text.toLowerCase().includes(`${name}${rest}@`),
    };
  return {
    kind: 'email',
    value,
    say: one([
      ...[`${name}${rest}@gmail.com`, `${name}.${rest}@gmail.com`, `${name}.${rest}@googlemail.com`.toUpperCase()],
      ...[`${name}${rest}+shop@gmail.com`, `<${name}${rest}@gmail.com>`, `mailto:${name}.${rest}%40gmail.com`],
    ]),
    isIn: (text) => new RegExp(`${name}${rest}(\\+\\w+)?(@|%40)`).test(text.toLowerCase().replaceAll('.', '')),
  };
}

test('one contact is planted in every place that can hold it, is erased, and is nowhere in the whole database', {
  timeout: 240_000,
}, async () => {
  const planted = new Set<string>();
  const contacts = [
    { kind: 'phone', times: 2 },
    { kind: 'email', times: 2 },
    { kind: 'email', host: 'proton.me', times: 1 },
    { kind: 'email', host: INTERNATIONAL, times: 1 },
    { kind: 'business', times: 2 },
  ] as const;
  for (const { times, ...meant } of contacts)
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (chance) => {
        many += 1;
        const pick = (most: number) => (chance.next().value ?? 0) % most;
        const [contact, other] = [contactOf(meant, pick, '2'), contactOf(meant, pick, '3')];
        const mentioning = await plant(contact);
        await plant(other);
        const [before, ofOther] = [
          await columnsWith(product.db, contact.isIn),
          await columnsWith(product.db, other.isIn),
        ];
        for (const column of before) planted.add(column);
        await admin.call(eraseContactEndpoint, { kind: contact.kind, value: contact.value });
        expect(await columnsWith(product.db, contact.isIn)).toEqual(
          contact.kind === 'phone' ? ['app.calls.phone'] : [],
        );
        // Where both stood in one text, it went as a whole.
        expect(await columnsWith(product.db, other.isIn)).toEqual(
          ofOther.filter((column) => !column.startsWith('app.crm_pull.')),
        );
        expect(await readLeads(product.db, mentioning)).toMatchObject([
          {
            business_name: 'Mentions',
            extra: { Mobile: '[erased]', Notes: '[erased]', '[erased]': 'x', Other: 'stays' },
            sources: { business_name: 'file', 'extra.[erased]': 'file:google' },
            site_visit: null,
          },
        ]);
      }),
      { numRuns: times },
    );
  const open = (await textColumns(product.db, ['public', 'app'])).filter(
    ({ table, column, closed }) =>
      !closed && !planted.has(`${table}.${column}`) && !EXEMPT.some(([name]) => name.test(`${table}.${column}`)),
  );
  // A new column is planted above, and erased; or it is exempt, and it is said why.
  expect(open.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
  const columns = (await textColumns(product.db, ['public', 'app'])).map(({ table, column }) => `${table}.${column}`);
  expect(EXEMPT.filter(([name]) => !columns.some((column) => name.test(column)))).toEqual([]);
});
