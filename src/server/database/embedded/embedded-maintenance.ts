import type { PGlite } from '@electric-sql/pglite'
import type { Log } from '../database.ts'

/** Calls `work` at the given interval until the returned function is called. */
export type Ticker = (milliseconds: number, work: () => void) => () => void

export const systemTicker: Ticker = (milliseconds, work) => {
  const timer = setInterval(work, milliseconds)
  // The timer alone must not keep the process alive.
  timer.unref()
  return () => clearInterval(timer)
}

type TableNeedingVacuum = { name: string; vacuum: boolean }

/** The next start replays at most this much write-ahead log, about one second per 100 MB. */
const mostLogBytes = 64 * 1024 * 1024

/** PostgreSQL refuses writes at 2^31 transactions without a freeze; this leaves three quarters of them as a margin. */
const oldestTransaction = 500_000_000

/**
 * Does what PostgreSQL's background processes do, which the single-process embedded engine lacks: writes checkpoints (otherwise the log
 * grows without end, and a start after a crash replays all of it) and vacuums.
 */
export class EmbeddedMaintenance {
  readonly #pglite: PGlite
  readonly #log: Log
  #checkpointAt = '0/0'
  #running: Promise<void> | undefined

  constructor(pglite: PGlite, log: Log) {
    this.#pglite = pglite
    this.#log = log
  }

  /** Checks the log's growth every five seconds and runs the maintenance every minute. */
  start(every: Ticker): () => void {
    const stops = [
      every(5_000, () => this.#run(() => this.checkpoint(mostLogBytes))),
      every(60_000, () => this.#run(() => this.tidy())),
    ]
    return () => stops.forEach((stop) => void stop())
  }

  /** Resolves when no round is running. */
  async settled(): Promise<void> {
    await this.#running
  }

  async tidy(): Promise<void> {
    await this.checkpoint(1)
    await this.vacuum()
  }

  /** Writes a checkpoint when the log grew by at least this many bytes since the last one. */
  async checkpoint(bytes: number): Promise<void> {
    const { rows } = await this.#pglite.query<{ grown: boolean }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1::pg_lsn) >= $2::int8 as grown',
      [this.#checkpointAt, bytes],
    )
    if (!rows[0]?.grown) return
    await this.#pglite.query('checkpoint')
    const after = await this.#pglite.query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at')
    this.#checkpointAt = after.rows[0]?.at ?? '0/0'
  }

  /** Vacuums one table at a time, because all other work waits meanwhile, by autovacuum's thresholds. */
  async vacuum(): Promise<void> {
    // Otherwise the counts are written at most once a second, and not at all after the last busy second.
    await this.#pglite.query('select pg_stat_force_next_flush()')
    const { rows } = await this.#pglite.query<TableNeedingVacuum>(
      `select format('%I.%I', schemaname, relname) as name, n_dead_tup > 50 + 0.2 * n_live_tup as vacuum
         from pg_stat_all_tables
        where n_dead_tup > 50 + 0.2 * n_live_tup
           or (n_mod_since_analyze > 50 + 0.1 * n_live_tup and schemaname <> 'pg_toast')`,
    )
    for (const { name, vacuum } of rows) {
      await this.#pglite.query(vacuum ? `vacuum (analyze) ${name}` : `analyze ${name}`)
    }
    const age = await this.#pglite.query<{ old: boolean }>(
      'select age(datfrozenxid) > $1 as old from pg_database where datname = current_database()',
      [oldestTransaction],
    )
    if (age.rows[0]?.old) await this.#pglite.query('vacuum (freeze)')
  }

  #run(round: () => Promise<void>): void {
    if (this.#running) return
    this.#running = round()
      .catch((problem: unknown) => this.#log.error({ err: problem }, 'database upkeep failed; it is tried again'))
      .finally(() => {
        this.#running = undefined
      })
  }
}
