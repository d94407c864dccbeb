import pg from 'pg'
import { median } from '#support/measurement/median.ts'
import { peakResidentBytes } from '#support/measurement/resident-memory.ts'
import type { Product } from '#support/product/start-product.ts'

/** The export of all payments, compared with a `copy` of the same rows by the database alone. */
export type ExportRate = {
  readonly rows: number
  readonly rowsPerSecond: number
  readonly copyRowsPerSecond: number
  /** The highest resident memory of the server, in bytes. */
  readonly peakBytes: number
}

/** Adds orders with a charge each to the demo's studio, one a minute until now, without triggers. */
export const addCharges = async (client: pg.Client, count: number): Promise<void> => {
  await client.query('set session_replication_role = replica')
  await client.query(
    `with made as (
       insert into orders (studio_id, order_number, job_id, order_method, state, first_name, last_name, email, email_key, pay_method,
                           packages_cents, total_cents, totals, placed_at, moved_at)
       select 1, 'FP-' || lpad(upper(to_hex(n)), 8, '0'), 1, 'gallery', 'placed', 'Grace', 'Hopper ' || n, 'p' || n || '@example.com',
              'p' || n || '@example.com', 'card', 3800, 3800, '{}', now() - n * interval '1 minute', now()
         from generate_series(1, $1::int) n returning id, placed_at)
     insert into ledger (studio_id, order_id, kind, state, amount_cents, platform_fee_cents, provider, provider_reference, created_at, settled_at)
     select 1, id, 'charge', 'done', 3800, 76, 'test', 'ch_' || id, placed_at, placed_at from made`,
    [count],
  )
  // What the triggers of the ledger do.
  await client.query(
    `insert into ledger_days (studio_id, day, provider, transaction, charged_cents, refunded_cents)
     select 1, (settled_at at time zone 'UTC')::date, provider, '0', sum(amount_cents), 0 from ledger
      where studio_id = 1 and state = 'done' and kind = 'charge' group by 2, 3
     on conflict (studio_id, day, provider, transaction) do update set charged_cents = excluded.charged_cents`,
  )
  await client.query('set session_replication_role = origin')
  await client.query('analyze')
}

/** The columns and the order of the report, written by the database itself. */
const copyStatement = `
  copy (select (l.settled_at at time zone s.time_zone)::date as day, o.order_number, btrim(o.first_name || ' ' || o.last_name),
               coalesce(g.name, ''), j.name, initcap(l.kind), case l.provider when 'cash' then 'Cash' else 'Card' end,
               case l.state when 'done' then 'Settled' else 'Failed' end,
               case when l.provider in ('cash', 'check') then 0 else l.amount_cents end,
               case l.provider when 'cash' then l.amount_cents else 0 end, case l.provider when 'check' then l.amount_cents else 0 end,
               l.amount_cents, l.platform_fee_cents, coalesce(l.provider_reference, '')
          from ledger l join orders o on o.studio_id = l.studio_id and o.id = l.order_id
          join studios s on s.id = o.studio_id
          join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
          left join organizations g on g.studio_id = j.studio_id and g.id = j.organization_id
         where l.studio_id = 1 and l.state = 'done' order by day, l.id) to '/dev/null' (format csv)`

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** The token of the demo's owner. */
export const signIn = async (url: string): Promise<string> => {
  const body = JSON.stringify({ username: 'owner@riverside.test', password: 'fieldproof-demo' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
  return ((await response.json()) as { data: { token: string } }).data.token
}

/** Copies and exports take turns, because the speed of a machine varies. The times are medians. */
const turns = 5

const lineFeed = 10

const countLines = async (response: Response): Promise<number> => {
  let lines = 0
  for await (const chunk of response.body ?? []) {
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, end + 1)) lines += 1
  }
  return lines
}

/** Exports all payments of a studio of this many, from a server in another process on PostgreSQL. */
export const measureReportExport = async (
  { url, pid }: Product,
  { databaseUrl, rows }: { databaseUrl: string; rows: number },
): Promise<ExportRate> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await addCharges(client, rows)
    const token = await signIn(url)
    const exportAll = async () => {
      const response = await fetch(`${url}/api/studioadmin/studios/1/reports/payments/export`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'accept-encoding': 'identity',
        },
        body: '{}',
      })
      const lines = await countLines(response)
      if (lines !== rows + 2)
        throw new Error(`the export has ${lines} lines, not a heading, ${rows} rows and their sum`)
    }
    const times = { copy: [] as number[], export: [] as number[] }
    const peakBytes = await peakResidentBytes(pid, async () => {
      // The first turn warms both up.
      for (let turn = 0; turn <= turns; turn += 1) {
        const copied = await secondsOf(() => client.query(copyStatement))
        const exported = await secondsOf(exportAll)
        if (turn === 0) continue
        times.copy.push(copied)
        times.export.push(exported)
      }
    })
    const [copySeconds, seconds] = [median(times.copy), median(times.export)]
    return { rows, rowsPerSecond: rows / seconds, copyRowsPerSecond: rows / copySeconds, peakBytes }
  } finally {
    await client.end()
  }
}
