import { sql } from 'kysely'
import { runInOrder } from '../run-in-order.ts'

/**
 * The columns that decide whether customers see an image, and at which URL. A change of any of them may withdraw it.
 */
const visibilityColumns = [
  'published_at',
  'state',
  'subject_id',
  'group_id',
  'kind',
  'thumb_hash',
  'preview_hash',
  'superseded_at',
]

/** The URL of a preview that only got another watermark stays valid. */
const previewHash = {
  before: 'before.preview_hash',
  after: `case when after.former_preview_hashes @> to_jsonb(before.preview_hash) then before.preview_hash else after.preview_hash end`,
} as const

const visibilityValues = (row: 'before' | 'after'): string =>
  `(${visibilityColumns.map((column) => (column === 'preview_hash' ? previewHash[row] : `${row}.${column}`)).join(', ')})`

const changedRows = 'old table as before new table as after'
const deletedRows = 'old table as before'

/** `jobs` selects the jobs in which the rows of one statement withdrew images, or showed withdrawn images again. */
const withdrawals = [
  {
    table: 'image_lookups',
    event: 'update',
    rows: changedRows,
    jobs: `select before.studio_id, before.job_id from before join after using (studio_id, id)
      where before.published_at is not null and before.state = 'ready' and ${visibilityValues('before')} is distinct from ${visibilityValues('after')}
        or before.withdrawn_at is not null and after.withdrawn_at is null`,
  },
  {
    table: 'image_lookups',
    event: 'delete',
    rows: deletedRows,
    jobs: `select studio_id, job_id from before where published_at is not null`,
  },
  {
    table: 'subjects',
    event: 'update',
    rows: changedRows,
    jobs: `select before.studio_id, before.job_id from before join after using (studio_id, id)
      where (before.hidden_at is null) <> (after.hidden_at is null) or before.state = 'listed' and after.state <> 'listed'`,
  },
  {
    table: 'subject_groups',
    event: 'delete',
    rows: deletedRows,
    jobs: `select u.studio_id, u.job_id from before join subjects u on u.studio_id = before.studio_id and u.id = before.subject_id`,
  },
]

const createTrigger = ({ table, event, rows, jobs }: (typeof withdrawals)[number]) => {
  const name = `${table}_${event}_withdraws_photos`
  return [
    sql.raw(`create function ${name}() returns trigger language plpgsql as $$
           begin
             update jobs j set photos_version = j.photos_version + 1
               from (select distinct k.studio_id, k.job_id from (${jobs}) k) w
              where j.studio_id = w.studio_id and j.id = w.job_id;
             return null;
           end $$`),
    sql.raw(`create trigger ${name} after ${event} on ${table} referencing ${rows}
             for each statement execute function ${name}()`),
  ]
}

/**
 * Increments `jobs.photos_version` in every transaction that may have withdrawn an image from customers, or shown a
 * withdrawn one again. It changes the version of the images (`imagesVersionOf`), so that devices delete the withdrawn
 * images and reload the carts that contained them. The database does so, because many actions of staff withdraw images,
 * and a single omission would leave an image of a child on customers' devices.
 */
export const createWithdrawnImages = runInOrder(withdrawals.flatMap(createTrigger))
