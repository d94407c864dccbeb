import { sql } from 'kysely'
import { runInOrder } from '../run-in-order.ts'

/**
 * `jobs` selects the jobs of the rows `changed`; job 0 means every job of the studio, studio 0 every studio.
 * `deletedJobs`: those of deleted rows, if different.
 */
type Watched = { table: string; jobs: string; deletedJobs?: string }

const byJob = (table: string): Watched => ({ table, jobs: 'select studio_id, job_id from changed' })
const byStudio = (table: string): Watched => ({ table, jobs: 'select studio_id, 0 from changed' })
/**
 * Whether a cart may refer to a subject already: not while it is staged, and not in the transaction that adds it. Without this condition
 * each step of an import would make every cart of the job be read again.
 */
const mayBeInCart = (subject: string) => `${subject}.state <> 'staged' and ${subject}.created_at <> now()`

const bySubject = (table: string): Watched => ({
  table,
  jobs: `select u.studio_id, u.job_id from changed c join subjects u on u.studio_id = c.studio_id and u.id = c.subject_id
     where ${mayBeInCart('u')}`,
})

/**
 * An unverified studio shows images to customers who paid. An order that is placed while its studio loses its
 * verification is not counted, which matters only to a customer who sees the subject in a public gallery: they see its
 * images after the next change of the job. The lines of an order change only together with it.
 */
const whereUnverified = 'join studios s on s.id = c.studio_id where not s.is_millers_verified'

const watchedTables: readonly Watched[] = [
  { table: 'studios', jobs: 'select id, 0 from changed' },
  { table: 'jobs', jobs: 'select studio_id, id from changed' },
  { table: 'order_services', jobs: 'select 0, 0 from changed' },
  ...['studio_features', 'packages', 'package_versions'].map(byStudio),
  ...['job_order_services', 'job_fields', 'green_screens'].map(byJob),
  { table: 'subjects', jobs: `select c.studio_id, c.job_id from changed c where ${mayBeInCart('c')}` },
  ...['subject_groups', 'subject_fields', 'year_book_poses'].map(bySubject),
  // Uploads change images several times before customers may see them. Carts may have chosen a deleted image when it
  // was published.
  {
    table: 'image_lookups',
    jobs: 'select studio_id, job_id from changed where published_at is not null',
    deletedJobs: 'select studio_id, job_id from changed',
  },
  { table: 'orders', jobs: `select c.studio_id, c.job_id from changed c ${whereUnverified}` },
  {
    table: 'session_grants',
    jobs: `select c.studio_id, c.job_id from changed c ${whereUnverified} and c.kind = 'order'`,
  },
]

const countJobs = (jobs: string) => `
  insert into job_changes (studio_id, job_id, transaction, changes)
  select distinct k.studio_id, k.job_id, pg_current_xact_id(), 1 from (${jobs}) k (studio_id, job_id)
  on conflict do nothing;`

const createFunction = (name: string, jobs: string) =>
  sql.raw(
    `create function ${name}() returns trigger language plpgsql as $$ begin ${countJobs(jobs)} return null; end $$`,
  )

const createTrigger = (table: string, event: string, rows: string) =>
  sql.raw(`create trigger ${table}_${event}_counts_change after ${event} on ${table} referencing ${rows}
    for each statement execute function ${table}_count_${event}()`)

/** An update may take a row out of what is counted, or move it to another job, so its old rows count as well. */
const createTriggers = ({ table, jobs, deletedJobs = jobs }: Watched) => [
  createFunction(`${table}_count_insert`, jobs),
  createFunction(`${table}_count_delete`, deletedJobs),
  createFunction(`${table}_count_update`, `${jobs} union ${jobs.replaceAll('from changed', 'from former')}`),
  createTrigger(table, 'insert', 'new table as changed'),
  createTrigger(table, 'update', 'old table as former new table as changed'),
  createTrigger(table, 'delete', 'old table as changed'),
]

/**
 * Counts, per job, the transactions that changed what carts show or are checked against: `changesOfJob` sums them up, and a cart
 * that was read at one sum is still valid while the sum is the same. Each transaction inserts its own row, so that none waits for
 * another, as they would for a counter; `mergeJobChanges` adds up the rows of finished transactions.
 */
export const createJobChanges = runInOrder([
  sql`create table job_changes (
    studio_id bigint not null,
    job_id bigint not null,
    transaction xid8 not null,
    changes bigint not null,
    primary key (studio_id, job_id, transaction)
  )`,
  ...watchedTables.flatMap(createTriggers),
])
