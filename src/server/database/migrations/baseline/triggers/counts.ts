import { sql } from 'kysely'
import { runInOrder } from '../run-in-order.ts'

/**
 * What `job_counts` adds up per job: the rows of a table that meet a condition, or the sum of an amount. Staff see these numbers on every
 * list of jobs, so reading them must not take longer the more subjects and orders there are.
 */
const counted: Record<string, Record<string, string>> = {
  subjects: { subjects: "(state = 'listed')::int" },
  subject_counts: { with_images: '(images > 0)::int', ordered: '(orders > 0)::int' },
  image_lookups: {
    images: "(kind in ('hosted-individual', 'hosted-group') and state <> 'refused' and superseded_at is null)::int",
    unmatched_images: `(kind = 'hosted-individual' and subject_id is null and group_id is null and state <> 'refused'
      and superseded_at is null)::int`,
  },
  orders: {
    orders: "(state <> 'cancelled')::int",
    order_cents: "case when state = 'cancelled' then 0 else total_cents end",
    placed_orders: "(state = 'placed' and not awaits_poses)::int",
    batched_orders: "(state = 'batched')::int",
    awaiting_poses: "(state in ('placed', 'batched') and awaits_poses)::int",
    prepay_orders: "(order_method = 'prepay')::int",
    gallery_orders: "(order_method = 'gallery')::int",
    in_batch_orders: "(batch_id is not null and state = 'batched')::int",
    unbatched_orders: "(batch_id is null and state in ('placed', 'batched'))::int",
    submitted_orders: "(state in ('submitted', 'inProduction', 'shipped'))::int",
  },
}

const countColumns = Object.values(counted).flatMap(Object.keys)

const rowsOf = {
  insert: { tables: 'new table as added', rows: [['added', '']] },
  update: {
    tables: 'old table as removed new table as added',
    rows: [
      ['added', ''],
      ['removed', '-'],
    ],
  },
  delete: { tables: 'old table as removed', rows: [['removed', '-']] },
} as const

/** A trigger after each statement that inserts the differences of a table's counts, with a row for each job whose counts changed. */
const countStatements = (table: string, event: keyof typeof rowsOf) => {
  const expressions = Object.entries(counted[table] ?? {})
  const columns = expressions.map(([column]) => column)
  const { tables, rows } = rowsOf[event]
  const differences = rows.map(
    ([name, sign]) =>
      `select studio_id, job_id, ${expressions.map(([column, value]) => `${sign}(${value}) as ${column}`).join(', ')} from ${name}`,
  )
  const name = `${table}_${event}_counts`
  return [
    sql.raw(`create function ${name}() returns trigger language plpgsql as $$
      begin
        insert into job_counts (studio_id, job_id, transaction, ${columns.join(', ')})
        select j.studio_id, j.id, pg_current_xact_id(), ${columns.map((column) => `d.${column}`).join(', ')}
          from (select studio_id, job_id, ${columns.map((column) => `sum(${column}) as ${column}`).join(', ')}
                  from (${differences.join(' union all ')}) r group by studio_id, job_id) d
          join jobs j on j.studio_id = d.studio_id and j.id = d.job_id
         where ${columns.map((column) => `d.${column} <> 0`).join(' or ')}
            on conflict (studio_id, job_id, transaction) do update
           set ${columns.map((column) => `${column} = job_counts.${column} + excluded.${column}`).join(', ')};
        return null;
      end $$`),
    sql.raw(
      `create trigger ${name} after ${event} on ${table} referencing ${tables} for each statement execute function ${name}()`,
    ),
  ]
}

/**
 * Recounts the images and orders of subjects. Locks their rows first, in a fixed order, so that the second of two simultaneous transactions
 * counts what the first one committed: each statement of a function sees what was committed before it.
 */
const recountSubjects = sql.raw(`
  create function recount_subjects(studios bigint[], people bigint[]) returns void language plpgsql as $$
  begin
    insert into subject_counts (studio_id, subject_id, job_id)
    select u.studio_id, u.id, u.job_id from unnest(studios, people) t (studio_id, subject_id)
      join subjects u on u.studio_id = t.studio_id and u.id = t.subject_id
     order by u.studio_id, u.id on conflict do nothing;
    perform from subject_counts k join unnest(studios, people) t (studio_id, subject_id) using (studio_id, subject_id)
      order by k.studio_id, k.subject_id for update of k;
    update subject_counts k set images = c.images, orders = c.orders
      from unnest(studios, people) t (studio_id, subject_id)
     cross join lateral (
       select (select count(*) from image_lookups i
                where i.studio_id = t.studio_id and i.subject_id = t.subject_id and i.kind = 'hosted-individual'
                  and i.superseded_at is null) as images,
              (select count(distinct o.id) from order_lines l join orders o on o.studio_id = l.studio_id and o.id = l.order_id
                where l.studio_id = t.studio_id and l.subject_id = t.subject_id and o.state <> 'cancelled') as orders) c
     where k.studio_id = t.studio_id and k.subject_id = t.subject_id and (k.images, k.orders) is distinct from (c.images, c.orders);
  end $$`)

const imageValues = (row: string) => `(${row}.subject_id, ${row}.kind, ${row}.superseded_at is null)`
const changedRows = 'removed join added using (studio_id, id)'

/** The subjects `(studio_id, subject_id)` whose images or orders a statement may have changed. */
const recounts = [
  { table: 'image_lookups', event: 'insert', subjects: 'select studio_id, subject_id from added' },
  { table: 'image_lookups', event: 'delete', subjects: 'select studio_id, subject_id from removed' },
  {
    table: 'image_lookups',
    event: 'update',
    subjects: `select studio_id, unnest(array[removed.subject_id, added.subject_id]) from ${changedRows}
      where ${imageValues('removed')} is distinct from ${imageValues('added')}`,
  },
  { table: 'order_lines', event: 'insert', subjects: 'select studio_id, subject_id from added' },
  { table: 'order_lines', event: 'delete', subjects: 'select studio_id, subject_id from removed' },
  {
    table: 'order_lines',
    event: 'update',
    subjects: `select studio_id, unnest(array[removed.subject_id, added.subject_id]) from ${changedRows}
      where removed.subject_id is distinct from added.subject_id`,
  },
  {
    table: 'orders',
    event: 'update',
    subjects: `select l.studio_id, l.subject_id from ${changedRows}
      join order_lines l on l.studio_id = added.studio_id and l.order_id = added.id
      where (removed.state = 'cancelled') <> (added.state = 'cancelled')`,
  },
] as const

const recountStatements = ({ table, event, subjects }: (typeof recounts)[number]) => {
  const name = `${table}_${event}_recounts`
  return [
    sql.raw(`create function ${name}() returns trigger language plpgsql as $$
      begin
        perform recount_subjects(array_agg(k.studio_id), array_agg(k.subject_id))
          from (select distinct t.studio_id, t.subject_id from (${subjects}) t (studio_id, subject_id)
                 where t.subject_id is not null) k
        having count(*) > 0;
        return null;
      end $$`),
    sql.raw(
      `create trigger ${name} after ${event} on ${table} referencing ${rowsOf[event].tables} for each statement execute function ${name}()`,
    ),
  ]
}

/**
 * Counts that staff see in lists, maintained by the database, because many features write the rows that they count.
 *
 * `subject_counts`: the images and the orders of a subject; a row exists once there was one. Cancelled orders do not count.
 *
 * `job_counts`: the sum of a job's rows are its counts. Each transaction inserts its own row, so that none waits for another, as they
 * would for a counter; `mergeJobCounts` adds up the rows of finished transactions.
 */
export const createCounts = runInOrder([
  sql`create table subject_counts (
    studio_id bigint not null,
    subject_id bigint not null,
    job_id bigint not null,
    images integer not null default 0,
    orders integer not null default 0,
    primary key (studio_id, subject_id),
    foreign key (studio_id, subject_id) references subjects (studio_id, id) on delete cascade
  )`,
  sql`create index subject_counts_with_images on subject_counts (studio_id, job_id, subject_id) where images > 0`,
  sql`create index subject_counts_ordered on subject_counts (studio_id, job_id, subject_id) where orders > 0`,
  sql.raw(`create table job_counts (
    studio_id bigint not null,
    job_id bigint not null,
    transaction xid8 not null,
    ${countColumns.map((column) => `${column} bigint not null default 0,`).join('\n')}
    primary key (studio_id, job_id, transaction),
    foreign key (studio_id, job_id) references jobs (studio_id, id) on delete cascade
  )`),
  recountSubjects,
  ...recounts.flatMap(recountStatements),
  ...Object.keys(counted).flatMap((table) =>
    (['insert', 'update', 'delete'] as const).flatMap((event) => countStatements(table, event)),
  ),
])
