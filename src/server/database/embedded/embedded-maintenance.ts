import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PGlite, Results } from '@electric-sql/pglite'
import type { Log } from '../database.ts'
import { hasGrown } from '../stale-statistics.ts'

/** Calls `work` at the given interval until the returned function is called. */
export type Ticker = (milliseconds: number, work: () => void) => () => void

export const systemTicker: Ticker = (milliseconds, work) => {
  const timer = setInterval(work, milliseconds)
  // The timer alone must not keep the process alive.
  timer.unref()
  return () => clearInterval(timer)
}

type TableNeedingMaintenance = { name: string; vacuum: boolean }

/**
 * The growth of the write-ahead log after which a checkpoint is written. A start after a crash replays what follows the last
 * checkpoint, at about one second per 100 MB; and a checkpoint holds up the process for about 4 ms per MB, so it must not have much
 * to write.
 */
const maxLogBytes = 16 * 1024 * 1024

/** PostgreSQL refuses writes at 2^31 transactions without a freeze; the freeze happens after a quarter of them. */
const maxTransactionAge = 500_000_000

/**
 * Writes checkpoints and vacuums, in place of PostgreSQL's background processes, which the single-process embedded
 * engine lacks. Without checkpoints the log would grow without limit, and a start after a crash would replay all of it.
 */
export class EmbeddedMaintenance {
  readonly #pglite: PGlite
  readonly #log: Log
  #checkpointAt = '0/0'
  #isTidyDue = false
  #running: Promise<void> | undefined

  constructor(pglite: PGlite, log: Log) {
    this.#pglite = pglite
    this.#log = log
  }

  /** Checks the log's growth every second and runs the maintenance every minute. */
  start(every: Ticker): () => void {
    const stops = [
      every(1_000, () => this.#run()),
      every(60_000, () => {
        this.#isTidyDue = true
        this.#run()
      }),
    ]
    return () => stops.forEach((stop) => void stop())
  }

  /** Resolves when no maintenance is running. */
  async settled(): Promise<void> {
    await this.#running
  }

  async tidy(): Promise<void> {
    await this.checkpoint(1)
    await this.vacuum()
  }

  /** Writes a checkpoint when the log grew by at least this many bytes since the last one. */
  async checkpoint(bytes: number): Promise<void> {
    const { rows } = await this.#query<{ hasGrown: boolean }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1::pg_lsn) >= $2::int8 as "hasGrown"',
      [this.#checkpointAt, bytes],
    )
    if (!rows[0]?.hasGrown) return
    await this.#query('checkpoint')
    const after = await this.#query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at')
    this.#checkpointAt = after.rows[0]?.at ?? '0/0'
  }

  /**
   * Vacuums by autovacuum's thresholds; one table per statement, because all other statements wait for it. A TOAST table is
   * vacuumed separately, by its own thresholds: reading its pages at every vacuum of the main table would take up to 3 ms per MB. A table that has
   * grown is analyzed even if its counts of changes were lost: a restart loses them.
   */
  async vacuum(): Promise<void> {
    // PostgreSQL flushes these counts at most once a second; without this call the most recent changes would be missing
    // from the query below.
    await this.#query('select pg_stat_force_next_flush()')
    const { rows } = await this.#query<TableNeedingMaintenance>(
      `select format('%I.%I', schemaname, s.relname) as name, n_dead_tup > 50 + 0.2 * n_live_tup as vacuum
         from pg_stat_all_tables s join pg_class c on c.oid = s.relid
        where n_dead_tup > 50 + 0.2 * n_live_tup
           or (schemaname <> 'pg_toast' and (n_mod_since_analyze > 50 + 0.1 * n_live_tup or ${hasGrown}))`,
    )
    for (const { name, vacuum } of rows) {
      await this.#query(vacuum ? `vacuum (analyze, process_toast false) ${name}` : `analyze ${name}`)
    }
    const age = await this.#query<{ isOld: boolean }>(
      'select age(datfrozenxid) > $1 as "isOld" from pg_database where datname = current_database()',
      [maxTransactionAge],
    )
    if (age.rows[0]?.isOld) await this.#query('vacuum (freeze)')
  }

  /** Runs a statement after a turn of the event loop, so that requests that waited during the one before go first. */
  async #query<Row>(text: string, values?: unknown[]): Promise<Results<Row>> {
    await nextTurn()
    return await this.#pglite.query<Row>(text, values)
  }

  /** Tidies when it is due, else only checks the log. A tidy that is due during another task runs a second later. */
  #run(): void {
    if (this.#running) return
    const isTidyDue = this.#isTidyDue
    this.#isTidyDue = false
    const task = isTidyDue ? this.tidy() : this.checkpoint(maxLogBytes)
    this.#running = task
      .catch((problem: unknown) => this.#log.error({ err: problem }, 'the database maintenance failed; it is retried'))
      .finally(() => {
        this.#running = undefined
      })
  }
}
