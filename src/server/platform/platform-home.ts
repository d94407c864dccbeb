import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { getPlatformHome, type PlatformHome } from '#contract/system/platform-home.ts'
import { joinDecision, orderErrorEntries } from '../audit/order-error-entries.ts'
import { serverPrefix } from '../database/database.ts'
import { inArrivalOrder } from '../database/fair-queue.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'

type Part<Name extends keyof PlatformHome> = NonNullable<PlatformHome[Name]>

/** The current day of each studio up to `now`, and the same day of last week up to the same local time. */
const studioDays = (now: Date): RawBuilder<unknown> => sql`
  (select s.id as studio_id, d.is_today,
          date_trunc('day', d.local_end) at time zone s.time_zone as from_at, d.local_end at time zone s.time_zone as until_at
     from studios s, lateral (
       select is_today, (${now}::timestamptz at time zone s.time_zone) - case when is_today then interval '0' else interval '7 days' end as local_end
         from (values (true), (false)) v (is_today)) d) p`

const comparedSums = (amount: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  coalesce(sum(${amount}) filter (where p.is_today), 0)::bigint as today,
  coalesce(sum(${amount}) filter (where not p.is_today), 0)::bigint as "lastWeek"`

const one = async <Row>({ db }: Deps, query: RawBuilder<Row>): Promise<Row> => {
  const { rows } = await query.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement of sums returned no row')
  return row
}

const readOrders = (deps: Deps) =>
  one(
    deps,
    sql<Part<'orders'>>`
      select ${comparedSums(sql`1`)} from ${studioDays(deps.clock())}
        join orders o on o.studio_id = p.studio_id and o.placed_at >= p.from_at and o.placed_at <= p.until_at`,
  )

const readRevenue = (deps: Deps) =>
  one(
    deps,
    sql<Part<'revenue'>>`
      select ${comparedSums(sql`case l.kind when 'charge' then l.amount_cents else -l.amount_cents end`)}
        from ${studioDays(deps.clock())}
        join ledger l on l.studio_id = p.studio_id and l.state = 'done' and l.settled_at >= p.from_at
         and l.settled_at <= p.until_at`,
  )

const readWaiting = (deps: Deps) =>
  one(
    deps,
    sql<Part<'waiting'>>`
      select (select count(*) from verification_requests where state = 'waiting') as studios,
             (select count(*) from paused_studios) as "pausedStudios",
             count(*) filter (where e.kind <> 'background-job') as "orderErrors",
             count(*) filter (where e.kind = 'background-job') as "failedJobs"
        from ${orderErrorEntries(deps.clock())} e ${joinDecision} where d.kind is null`,
  )

const readFailed = (deps: Deps) => {
  const recent = sql`created_at > ${deps.clock()}::timestamptz - interval '7 days'`
  return one(
    deps,
    sql<Part<'failed'>>`
      select (select count(*) from mail_log where state = 'failed' and ${recent}) as emails,
             (select count(*) from tax_log where error is not null and ${recent}) as "taxCalls"`,
  )
}

const readStorage = async (deps: Deps): Promise<Part<'storage'>> => ({
  freeBytes: await deps.freeBytes(),
  ...(await one(deps, sql<{ databaseBytes: number }>`select pg_database_size(current_database()) as "databaseBytes"`)),
})

const readVersion = async (deps: Deps, build: string): Promise<Part<'version'>> => ({
  build,
  ...(await one(
    deps,
    sql<{ migrations: number; newest: string }>`
      select count(*) as migrations, coalesce(max(name), '') as newest from kysely_migration`,
  )),
})

/** The embedded database has one server, which answers this call. */
const readServers = async (deps: Deps, startedAt: Date): Promise<Part<'servers'>> => {
  if (deps.engine === 'embedded') return [{ name: 'This server', since: startedAt.toISOString() }]
  const { rows } = await sql<{ name: string; since: Date }>`
    select substr(application_name, length(${serverPrefix}::text) + 1) as name, min(backend_start) as since
      from pg_stat_activity
     where datname = current_database() and application_name like ${`${serverPrefix}%`}
     group by application_name order by since, name`.execute(deps.db)
  return rows.map(({ name, since }) => ({ name, since: new Date(since).toISOString() }))
}

/** Mounts the administrators' home. `build` identifies the client that this server serves. */
export const mountPlatformHome = (app: FastifyInstance, deps: Deps, build: string): void => {
  const startedAt = deps.clock()
  // A part that cannot be read must not hide the others: those are what an administrator needs then.
  const part = async <Value>(name: string, read: Promise<Value>): Promise<Value | null> => {
    try {
      return await read
    } catch (error) {
      deps.log.warn({ err: error }, `the part “${name}” of the platform’s home could not be read`)
      return null
    }
  }
  const readHome = async (): Promise<PlatformHome> => {
    const [orders, revenue, waiting, failed, storage, version, servers] = await Promise.all([
      part('orders', readOrders(deps)),
      part('revenue', readRevenue(deps)),
      part('waiting', readWaiting(deps)),
      part('failed', readFailed(deps)),
      part('storage', readStorage(deps)),
      part('version', readVersion(deps, build)),
      part('servers', readServers(deps, startedAt)),
    ])
    return { orders, revenue, waiting, failed, storage, version, servers }
  }
  // Requests that arrive while the figures are read share them. They are read behind the requests that have arrived, so that these share them too.
  let current: Promise<PlatformHome> | undefined
  mount(app, deps, getPlatformHome, () => {
    current ??= inArrivalOrder(readHome).finally(() => {
      current = undefined
    })
    return current
  })
}
