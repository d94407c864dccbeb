import { sql } from 'kysely'
import { signAccessToken } from '#server/access/tokens/access-token.ts'
import type { Db } from '#server/database/database.ts'
import { quantile } from '#support/measurement/quantile.ts'
import type { BenchServer } from './bench-server.ts'
import type { ListTimes } from './job-list-times.ts'
import { measureReads } from './timed-reads.ts'

const studioCount = 2_000
const userCount = 100_000
const logCount = 1_000_000
const concurrency = 8
const readCount = 200

/** Less than the time limit of a statement allows. */
const logsPerStatement = 100_000

/** Emails, tax requests and audit entries, the newest first. */
const createLogs = async (db: Db, first: number): Promise<void> => {
  const numbers = sql`generate_series(${first}::int, ${first + logsPerStatement - 1}::int) n`
  const studios = sql`(select array_agg(id order by id) as ids from studios) s`
  const studioId = sql`s.ids[n % cardinality(s.ids) + 1]`
  const moment = sql`now() - n * interval '20 seconds'`
  await sql`
    insert into mail_log (studio_id, kind, to_email, subject, body_text, state, created_at)
    select ${studioId}, 'receipt', 'p' || n % 300000 || '@home.test', 'Your order', '', case when n % 500 = 0 then 'failed' else 'sent' end,
           ${moment} from ${numbers}, ${studios}`.execute(db)
  await sql`
    insert into tax_log (studio_id, request, answer, status, duration_ms, created_at, error)
    select ${studioId}, '{"zip": "60601"}', '{"cents": 120}', 200, 40, ${moment}, case when n % 500 = 0 then 'timeout' end
      from ${numbers}, ${studios}`.execute(db)
  await sql`
    insert into audit_log (studio_id, user_id, action, entity, entity_id, detail, address, created_at)
    select ${studioId}, n % 1000, (array['order.placed', 'job.published', 'user.changed'])[n % 3 + 1], 'order', n::text,
           '{"name": "Spring"}', '192.0.2.1', ${moment} from ${numbers}, ${studios}`.execute(db)
}

/** A platform with the studios, users, orders and logs of many years. */
const createLargePlatform = async ({ deps: { db } }: BenchServer): Promise<void> => {
  await sql`
    with made as (
      insert into studios (slug, name, contact_email, is_millers_verified)
      select 'bench-' || n, (array['Lakeside', 'Hilltop', 'Rivertown', 'Northern'])[n % 4 + 1] || ' Portraits ' || n,
             'hello@' || n || '.test', n % 5 > 0
        from generate_series(1, ${studioCount}::int) n returning id, slug)
    insert into studio_slugs (slug, studio_id) select slug, id from made`.execute(db)
  await sql`
    insert into users (email, name, role, studio_id, password_hash)
    select 'user' || n || '@bench.test', (array['Ada', 'Ben', 'Chloe', 'Dora'])[n % 4 + 1] || ' ' || md5(n::text),
           case n % 20 when 0 then 'owner' else 'staff' end, s.ids[n % cardinality(s.ids) + 1], 'x'
      from generate_series(1, ${userCount}::int) n,
           (select array_agg(id order by id) as ids from studios where slug like 'bench-%') s`.execute(db)
  for (let first = 1; first < logCount; first += logsPerStatement) await createLogs(db, first)
  await sql`vacuum analyze`.execute(db)
}

/** The lists of administrators, as paths with queries; `index` is 1 for the first read. */
const lists: readonly (readonly [string, (index: number) => string])[] = [
  ['platform home', () => 'home'],
  ['pages of 2,000 studios', (index) => `studios?currentPage=${(index % 80) + 1}`],
  [
    '2,000 studios while a name is typed',
    (index) => `studios?currentPage=1&filter=${'lakeside 17'.slice(0, (index % 11) + 1)}`,
  ],
  ['pages of 100,000 users', (index) => `users?currentPage=${(index % 400) + 1}`],
  [
    '100,000 users while a name is typed',
    (index) => `users?currentPage=1&filter=${'ada c4ca'.slice(0, (index % 8) + 1)}`,
  ],
  ['100,000 users, owners by email', (index) => `users?currentPage=${(index % 20) + 1}&type=owner&sort=email`],
  ['pages of 1,000,000 emails', (index) => `sendgrid-logs?currentPage=${(index % 200) + 1}`],
  ['1,000,000 emails, failed', (index) => `sendgrid-logs?currentPage=${(index % 20) + 1}&state=failed`],
  ['1,000,000 emails to one address', (index) => `sendgrid-logs?currentPage=1&filter=p${index}@home.test`],
  ['1,000,000 tax requests, failed', (index) => `vertex-logs?currentPage=${(index % 20) + 1}&state=failed`],
  ['1,000,000 audit entries of a studio', (index) => `audit-entries?currentPage=1&studioId=${index}`],
  [
    '1,000,000 audit entries of an action',
    (index) => `audit-entries?currentPage=${(index % 20) + 1}&action=user.changed`,
  ],
]

/** Lists of the platform's administrators, over HTTP, eight at a time. */
export const measurePlatformLists = async (server: BenchServer): Promise<ListTimes[]> => {
  const { deps, url } = server
  const { id } = await deps.db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'administrator')
    .executeTakeFirstOrThrow()
  await createLargePlatform(server)
  const user = { id, name: 'Admin', email: 'admin@bench.test', permissions: ['studio.admin.crud'] as const }
  const { token } = await signAccessToken(deps, { ...user, studioId: null })
  const read = (path: (index: number) => string) =>
    measureReads({
      urls: Array.from({ length: readCount }, (_, index) => `${url}/api/admin/${path(index + 1)}`),
      headers: { authorization: `Bearer ${token}` },
      concurrency,
    })
  const listTimes: ListTimes[] = []
  for (const [name, path] of lists) {
    await read(path)
    const times = await read(path)
    listTimes.push({ name, median: quantile(times, 0.5), p95: quantile(times, 0.95) })
  }
  return listTimes
}
