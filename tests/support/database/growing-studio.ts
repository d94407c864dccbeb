import { sql } from 'kysely'
import type { Db, Transaction } from '#server/database/database.ts'

/** A studio whose first job grows to `subjectsPerJob`; further subjects are in further jobs. It has a package. */
export type GrowingStudio = {
  readonly studioId: number
  readonly jobId: number
  readonly subjectsPerJob: number
  subjects: number
}

const createJob = async (tx: Transaction, studioId: number, number: number): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into jobs (studio_id, organization_id, name, event_date, published_at, gallery_enabled, prepay_enabled)
    select ${studioId}, (select min(id) from organizations where studio_id = ${studioId}), 'School ' || ${number}::int,
           date '2026-09-01' + ${number}::int, now(), true, true
    returning id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('an insert of a row returns it')
  return row.id
}

/**
 * Adds subjects to a job, each with a code, a group and two fields. Eight in ten have an image, and two in three have three orders of a
 * package. Skips triggers and constraints, and writes what the triggers would: with them, 500,000 subjects would take an hour.
 */
const addSubjects = async (tx: Transaction, studioId: number, jobId: number, count: number): Promise<void> => {
  await sql`
    insert into groups (studio_id, job_id, name)
    select ${studioId}, ${jobId}, 'Room ' || n from generate_series(1, 200) n on conflict do nothing`.execute(tx)
  await sql`
    with room as (select array_agg(id order by id) as ids from groups where studio_id = ${studioId} and job_id = ${jobId}),
    made as (
      insert into subjects (studio_id, job_id, first_name, last_name, first_key, last_key, reference, search_words, group_key)
      select ${studioId}, ${jobId}, f.name, l.name || n % 611, lower(f.name), lower(l.name) || n % 611,
             'S' || ${jobId}::int || '-' || (select count(*) from subjects where job_id = ${jobId}) + n,
             n % 12 || ' room ' || n % 200 || ' teacher ' || n % 200, 'room ' || n % 200
        from generate_series(1, ${count}::int) n
       cross join lateral (select (array['Ada', 'Ben', 'Chloe', 'Dora', 'Emil', 'Fen', 'Gus'])[n % 7 + 1] as name) f
       cross join lateral (select (array['Lovelace', 'Hopper', 'Nunez', 'Okafor', 'Zander'])[n % 5 + 1] as name) l
      returning id, first_name, last_name),
    coded as (insert into access_codes (studio_id, code, job_id, subject_id)
              select ${studioId}, 'C' || lpad(id::text, 9, '0'), ${jobId}, id from made),
    placed as (insert into subject_groups (studio_id, subject_id, group_id)
               select ${studioId}, m.id, room.ids[m.id % 200 + 1] from made m cross join room),
    fielded as (insert into subject_fields (studio_id, subject_id, name, value)
                select ${studioId}, m.id, f.name, f.name || ' ' || m.id % 200
                  from made m cross join (values ('Grade'), ('Teacher')) f (name)),
    photographed as (
      insert into image_lookups (studio_id, job_id, subject_id, kind, file_name, original_key, content_type, byte_size, width, height,
                                 thumb_hash, preview_hash, state, published_at)
      select ${studioId}, ${jobId}, id, 'hosted-individual', id || '.jpg', 'bench/' || id, 'image/jpeg', 1, 1, 1, 'abcdef01',
             'abcdef01', 'ready', now()
        from made where id % 10 < 8),
    ordered as (
      insert into orders (studio_id, order_number, job_id, order_method, state, first_name, last_name, email, email_key, pay_method,
                          packages_cents, total_cents, totals, placed_at, moved_at)
      select ${studioId}, 'FP-' || lpad(upper(to_hex(m.id * 4 + k)), 8, '0'), ${jobId}, case k when 0 then 'prepay' else 'gallery' end,
             case (m.id + k) % 4 when 0 then 'placed' when 1 then 'submitted' when 2 then 'shipped' else 'cancelled' end,
             'Parent', m.last_name, 'p' || m.id || '@example.com', 'p' || m.id || '@example.com', 'card', 3800, 3800, '{}',
             now() - m.id * interval '1 second', now()
        from made m cross join generate_series(0, 2) k where m.id % 3 > 0
      returning id, state, order_number)
    insert into order_lines (studio_id, order_id, position, kind, subject_id, package_id, package_version, name, quantity, unit_cents,
                             amount_cents, snapshot)
    select ${studioId}, o.id, 0, 'package', m.id, p.package_id, p.version, 'Package', 1, 3800, 3800,
           jsonb_build_object('subject', jsonb_build_object('firstName', m.first_name, 'lastName', m.last_name),
                              'noise', (select string_agg(md5(m.id::text || n), '') from generate_series(1, 30) n))
      from ordered o
      join made m on m.id = ('x' || substr(o.order_number, 4))::bit(32)::int / 4
     cross join (select package_id, version from package_versions where studio_id = ${studioId} limit 1) p`.execute(tx)
}

/** Counts the images, subjects and orders of a job, as the triggers do. */
const countJob = async (tx: Transaction, studioId: number, jobId: number): Promise<void> => {
  await sql`delete from subject_counts where studio_id = ${studioId} and job_id = ${jobId}`.execute(tx)
  await sql`
    insert into subject_counts (studio_id, subject_id, job_id, images, orders)
    select u.studio_id, u.id, u.job_id, count(distinct i.id), count(distinct o.id) filter (where o.state <> 'cancelled')
      from subjects u
      left join image_lookups i on i.studio_id = u.studio_id and i.subject_id = u.id
      left join order_lines l on l.studio_id = u.studio_id and l.subject_id = u.id
      left join orders o on o.studio_id = l.studio_id and o.id = l.order_id
     where u.studio_id = ${studioId} and u.job_id = ${jobId} group by u.studio_id, u.id`.execute(tx)
  await sql`delete from job_counts where studio_id = ${studioId} and job_id = ${jobId}`.execute(tx)
  await sql`
    insert into job_counts (studio_id, job_id, transaction, subjects, with_images, ordered, images, orders, order_cents, placed_orders,
                            prepay_orders, gallery_orders, unbatched_orders, submitted_orders)
    select ${studioId}, ${jobId}, '0', k.*, o.*
      from (select count(*), count(*) filter (where images > 0), count(*) filter (where orders > 0), sum(images)
              from subject_counts where studio_id = ${studioId} and job_id = ${jobId}) k
     cross join (
       select count(*) filter (where state <> 'cancelled'), sum(total_cents) filter (where state <> 'cancelled'),
              count(*) filter (where state = 'placed'), count(*) filter (where order_method = 'prepay'),
              count(*) filter (where order_method = 'gallery'), count(*) filter (where state = 'placed'),
              count(*) filter (where state in ('submitted', 'shipped'))
         from orders where studio_id = ${studioId} and job_id = ${jobId}) o`.execute(tx)
}

/** Grows the studio to this number of subjects. PostgreSQL then has fresh statistics, as after its automatic vacuum. */
export const growStudio = async (db: Db, studio: GrowingStudio, subjects: number): Promise<void> => {
  const { studioId, subjectsPerJob } = studio
  while (studio.subjects < subjects) {
    const subjectsInLastJob = studio.subjects % subjectsPerJob
    const count = Math.min(subjects - studio.subjects, subjectsPerJob - subjectsInLastJob)
    await db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      const jobId = studio.subjects < subjectsPerJob ? studio.jobId : await createJob(tx, studioId, studio.subjects)
      await addSubjects(tx, studioId, jobId, count)
      // Statistics from when these tables were empty, for example after another test's rows were deleted, make the counts take minutes.
      await sql`analyze subjects, image_lookups, orders, order_lines`.execute(tx)
      await countJob(tx, studioId, jobId)
    })
    studio.subjects += count
  }
  await sql`vacuum analyze`.execute(db)
}
