import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '#server/database/database.ts'
import { mergeJobCounts } from '#server/jobs/store/job-counts.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { testDeps } from '#support/server/test-app.ts'

const runs = process.env.LONG === '1' ? 200 : 15

const actionNames = [
  ...(['type a subject', 'list the typed subjects', 'add a subject', 'delete a subject', 'hide a subject'] as const),
  ...(['add an image', 'add a group image', 'match images', 'unmatch an image', 'replace an image'] as const),
  ...(['refuse an image', 'delete an image', 'merge'] as const),
  ...([
    'order',
    'order for all',
    'batch',
    'send to the lab',
    'cancel',
    'await poses',
    'add a line',
    'remove a line',
  ] as const),
  ...(['forget a family', 'change an amount', 'delete the orders'] as const),
]
type ActionName = (typeof actionNames)[number]

const names = ['subjects', 'with_images', 'ordered', 'images', 'unmatched_images', 'orders', 'order_cents'] as const
const orderNames = ['placed_orders', 'batched_orders', 'awaiting_poses', 'prepay_orders', 'gallery_orders'] as const
const viewNames = ['in_batch_orders', 'unbatched_orders', 'submitted_orders'] as const
const columns = sql.join(
  [...names, ...orderNames, ...viewNames].map((name) => sql`sum(${sql.ref(name)})::int as ${sql.ref(name)}`),
)

type JobKey = { studioId: number; jobId: number }

const readStored = async (db: Db, { studioId, jobId }: JobKey) => {
  const job = await sql`select ${columns} from job_counts where studio_id = ${studioId} and job_id = ${jobId}`.execute(
    db,
  )
  const subjects = await sql`
    select u.id, coalesce(k.images, 0) as images, coalesce(k.orders, 0) as orders
      from subjects u left join subject_counts k on k.studio_id = u.studio_id and k.subject_id = u.id
     where u.studio_id = ${studioId} and u.job_id = ${jobId} order by u.id`.execute(db)
  return { job: job.rows[0], subjects: subjects.rows }
}

/** The same numbers, counted in the tables themselves. */
const countRows = async (db: Db, { studioId, jobId }: JobKey) => {
  const isOfJob = sql`studio_id = ${studioId} and job_id = ${jobId}`
  const subjects = await sql<{ id: number; images: number; orders: number }>`
    select u.id,
           (select count(*)::int from image_lookups i where i.studio_id = u.studio_id and i.subject_id = u.id
               and i.kind = 'hosted-individual' and i.superseded_at is null) as images,
           (select count(distinct o.id)::int from orders o join order_lines l on l.studio_id = o.studio_id and l.order_id = o.id
             where l.studio_id = u.studio_id and l.subject_id = u.id and o.state <> 'cancelled') as orders
      from subjects u where u.studio_id = ${studioId} and u.job_id = ${jobId} order by u.id`.execute(db)
  const job = await sql<object>`
    select (select count(*)::int from subjects where ${isOfJob} and state = 'listed') as subjects, i.*, o.*
      from (select count(*) filter (where kind <> 'green-screen-background' and state <> 'refused')::int as images,
                   count(*) filter (where kind = 'hosted-individual' and subject_id is null and state <> 'refused')::int as unmatched_images
              from image_lookups where ${isOfJob} and superseded_at is null) i
     cross join (
       select count(*) filter (where state <> 'cancelled')::int as orders,
              coalesce(sum(total_cents) filter (where state <> 'cancelled'), 0)::int as order_cents,
              count(*) filter (where state = 'placed' and not awaits_poses)::int as placed_orders,
              count(*) filter (where state = 'batched')::int as batched_orders,
              count(*) filter (where state in ('placed', 'batched') and awaits_poses)::int as awaiting_poses,
              count(*) filter (where order_method = 'prepay')::int as prepay_orders,
              count(*) filter (where order_method = 'gallery')::int as gallery_orders,
              count(*) filter (where batch_id is not null and state = 'batched')::int as in_batch_orders,
              count(*) filter (where batch_id is null and state in ('placed', 'batched'))::int as unbatched_orders,
              count(*) filter (where state in ('submitted', 'inProduction', 'shipped'))::int as submitted_orders
         from orders where ${isOfJob}) o`.execute(db)
  const withImages = subjects.rows.filter(({ images }) => images > 0).length
  const ordered = subjects.rows.filter(({ orders }) => orders > 0).length
  return { job: { ...job.rows[0], with_images: withImages, ordered }, subjects: subjects.rows }
}

let orderNumbers = 0

const insertOrder = (db: Db, { studioId, jobId }: JobKey, subjectIds: readonly number[]) => {
  orderNumbers += 1
  const number = `FP-${String(orderNumbers).padStart(8, '0')}`
  const method = orderNumbers % 2 === 0 ? 'prepay' : 'gallery'
  return sql`
    with placed as (
      insert into orders (studio_id, job_id, order_number, order_method, first_name, last_name, email, email_key, pay_method,
                          packages_cents, total_cents, totals, placed_at, moved_at)
      values (${studioId}, ${jobId}, ${number}, ${method}, 'A', 'B', 'a@b.test', 'a@b.test', 'card', 1000, 1000, '{}', now(), now())
      returning id)
    insert into order_lines (studio_id, order_id, position, kind, subject_id, order_service_id, name, quantity, unit_cents, amount_cents,
                             snapshot)
    select ${studioId}, p.id, row_number() over () - 1, 'service', u.id, (select min(id) from order_services), 'A', 1, 0, 0, '{}'
      from placed p cross join unnest(${[...subjectIds]}::bigint[]) u (id)
     where u.id in (select id from subjects where studio_id = ${studioId})`.execute(db)
}

const setUp = async (db: Db, slug: string) => {
  const build = given({ db })
  const studioId = await build.studio({ slug })
  const job = await build.job(studioId)
  await sql`insert into order_services (kind, name, price_cents) values ('service', 'Service', 0)`.execute(db)
  await sql`insert into batches (studio_id, job_id, name) values (${studioId}, ${job.jobId}, 'First')`.execute(db)
  const adaId = await build.subject(job, { name: 'Ada Lovelace' })
  const benId = await build.subject(job, { name: 'Ben Hopper' })
  return { build, job, adaId, benId }
}

describe.each(enginesFor(import.meta.filename))('counts of jobs and subjects on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the stored counts always equal the counts of the rows', async () => {
    const { db } = testDeps(database())
    let studios = 0
    const playHistory = async (history: readonly ActionName[]): Promise<void> => {
      studios += 1
      const { build, job, adaId, benId } = await setUp(db, `counts-${studios}`)
      const { studioId, jobId } = job
      const update = (table: 'subjects' | 'image_lookups' | 'orders', set: ReturnType<typeof sql>, where = sql`true`) =>
        sql`update ${sql.table(table)} set ${set} where studio_id = ${studioId} and job_id = ${jobId} and ${where}`.execute(
          db,
        )
      const remove = (table: 'subjects' | 'image_lookups', where: ReturnType<typeof sql>) =>
        sql`delete from ${sql.table(table)} where studio_id = ${studioId} and job_id = ${jobId} and ${where}`.execute(
          db,
        )
      const oldestOrder = sql`(select min(id) from orders where studio_id = ${studioId} and job_id = ${jobId})`
      const oldestImage = sql`id = (select min(id) from image_lookups where studio_id = ${studioId} and superseded_at is null)`
      const actions: Record<ActionName, () => Promise<unknown>> = {
        'type a subject': () => build.subject(job, { name: 'New', state: 'pending', person_id: crypto.randomUUID() }),
        'list the typed subjects': () => update('subjects', sql`state = 'listed'`),
        'add a subject': () => build.subject(job, { name: 'Cy Okafor' }),
        'delete a subject': () =>
          remove('subjects', sql`id = (select max(id) from subjects where studio_id = ${studioId})`),
        'hide a subject': () => update('subjects', sql`hidden_at = now()`, sql`id = ${adaId}`),
        'add an image': () => build.image(job, {}),
        'add a group image': async () => build.image(job, { groupId: await build.group(job, crypto.randomUUID()) }),
        'match images': () =>
          update(
            'image_lookups',
            sql`subject_id = (select u.id from subjects u where u.studio_id = ${studioId} order by u.id desc limit 1)`,
            sql`kind = 'hosted-individual'`,
          ),
        'unmatch an image': () => update('image_lookups', sql`subject_id = null`, oldestImage),
        'replace an image': () => update('image_lookups', sql`superseded_at = now()`, oldestImage),
        'refuse an image': () => update('image_lookups', sql`state = 'refused', refusal = 'broken'`, oldestImage),
        'delete an image': () => remove('image_lookups', oldestImage),
        merge: () => mergeJobCounts({ db }),
        order: () => insertOrder(db, job, [adaId, adaId]),
        'order for all': () => insertOrder(db, job, [benId, adaId]),
        batch: () =>
          update(
            'orders',
            sql`state = 'batched', batch_id = (select min(id) from batches where job_id = ${jobId})`,
            sql`state = 'placed'`,
          ),
        'send to the lab': () => update('orders', sql`state = 'submitted'`, sql`state <> 'cancelled'`),
        cancel: () => update('orders', sql`state = 'cancelled'`, sql`id = ${oldestOrder}`),
        'await poses': () => update('orders', sql`awaits_poses = not awaits_poses`),
        'add a line': () =>
          sql`
          insert into order_lines (studio_id, order_id, position, kind, subject_id, order_service_id, name, quantity, unit_cents,
                                   amount_cents, snapshot)
          select studio_id, order_id, max(position) + 1, 'service', ${benId}, min(order_service_id), 'B', 1, 0, 0, '{}'
            from order_lines where studio_id = ${studioId} and exists (select from subjects where id = ${benId})
           group by studio_id, order_id`.execute(db),
        'remove a line': () =>
          sql`delete from order_lines where studio_id = ${studioId} and position = 0 and order_id = ${oldestOrder}`.execute(
            db,
          ),
        'forget a family': () =>
          sql`update order_lines set subject_id = null where studio_id = ${studioId} and subject_id = ${adaId}`.execute(
            db,
          ),
        'change an amount': () => update('orders', sql`packages_cents = 1500, total_cents = 1500`),
        'delete the orders': () =>
          sql`delete from orders where studio_id = ${studioId} and job_id = ${jobId}`.execute(db),
      }
      for (const name of history) {
        await actions[name]()
        expect(await readStored(db, job), history.join(', ')).toEqual(await countRows(db, job))
      }
      await sql`delete from jobs where studio_id = ${studioId} and id not in (select job_id from orders) and not exists (
        select from batches b where b.job_id = jobs.id)`.execute(db)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...actionNames), { minLength: 5, maxLength: 25 }), playHistory),
      {
        numRuns: runs,
        examples: [[['add an image', 'match images', 'order for all', 'cancel', 'order', 'delete an image']]],
      },
    )
  })

  it('images and orders that are written at the same time all count', async () => {
    const { db } = testDeps(database())
    const { build, job, adaId, benId } = await setUp(db, 'at-once')
    const orders = Array.from({ length: 12 }, (_, turn) =>
      insertOrder(db, job, turn % 2 === 0 ? [adaId, benId] : [benId, adaId]),
    )
    const images = Array.from({ length: 12 }, (_, turn) =>
      build.image(job, { subjectId: turn % 2 === 0 ? adaId : benId }),
    )
    const merges = Array.from({ length: 3 }, () => mergeJobCounts({ db }))
    await Promise.all([...orders, ...images, ...merges])
    const counts = await readStored(db, job)
    expect(counts).toEqual(await countRows(db, job))
    expect(counts.subjects).toEqual([
      { id: adaId, images: 6, orders: 12 },
      { id: benId, images: 6, orders: 12 },
    ])
    expect(counts.job).toMatchObject({ with_images: 2, ordered: 2, orders: 12 })
  })

  it('a job is deleted together with its counts', async () => {
    const { db } = testDeps(database())
    const { studioId, jobId } = await given({ db }).job(await given({ db }).studio({ slug: 'gone' }))
    await given({ db }).image(
      { studioId, jobId },
      { subjectId: await given({ db }).subject({ studioId, jobId }, { name: 'Ada' }) },
    )
    await db.deleteFrom('jobs').where('id', '=', jobId).execute()
    expect(await db.selectFrom('job_counts').selectAll().where('job_id', '=', jobId).execute()).toEqual([])
  })
})
