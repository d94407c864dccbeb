import { sql } from 'kysely'
import { signAccessToken } from '#server/access/tokens/access-token.ts'
import { quantile } from '#support/measurement/quantile.ts'
import type { BenchServer } from './bench-server.ts'
import { measureReads } from './timed-reads.ts'

/** Response times of a list, in milliseconds. */
export type ListTimes = { name: string; median: number; p95: number }

/** A studio with the jobs of many years. Each job has subjects, and every tenth has images. */
const jobCount = 10_000
const concurrency = 8
const readCount = 200

const createManyJobs = async ({ deps: { db } }: BenchServer, studioId: number): Promise<void> => {
  await sql`
    with made as (
      insert into jobs (studio_id, organization_id, name, event_date, published_at, gallery_enabled, prepay_enabled, rspo_job)
      select ${studioId}, (select min(id) from organizations where studio_id = ${studioId}),
             'School ' || n % 400 || ' ' || (2000 + n % 27), date '2000-01-01' + n % 9800, now(), true, n % 3 = 0, true
        from generate_series(1, ${jobCount}::int) n returning id),
    people as (
      insert into subjects (studio_id, job_id, first_name, last_name, first_key, last_key)
      select ${studioId}, made.id, 'Ada', 'No ' || n, 'ada', 'no ' || n from made, generate_series(1, 2) n
      returning id, job_id)
    insert into image_lookups (studio_id, job_id, subject_id, kind, file_name, original_key, content_type, byte_size)
    select ${studioId}, job_id, id, 'hosted-individual', id || '.jpg', 'bench/' || id, 'image/jpeg', 1
      from people where job_id % 10 = 0`.execute(db)
  await sql`insert into access_codes (studio_id, code, job_id)
    select ${studioId}, 'J' || lpad(id::text, 6, '0'), id from jobs j where studio_id = ${studioId}
       and not exists (select from access_codes c where c.studio_id = j.studio_id and c.job_id = j.id and c.subject_id is null)`.execute(
    db,
  )
  await sql`vacuum analyze`.execute(db)
}

/** Pages, filters and sorts of a list of 10,000 jobs, over HTTP, eight at a time. */
export const measureJobLists = async (server: BenchServer): Promise<ListTimes[]> => {
  const { deps, url } = server
  const studio = await deps.db.selectFrom('studios').select('id').orderBy('id').executeTakeFirstOrThrow()
  const owner = await deps.db
    .selectFrom('users')
    .select('id')
    .where('studio_id', '=', studio.id)
    .executeTakeFirstOrThrow()
  await createManyJobs(server, studio.id)
  const user = { id: owner.id, name: 'Staff', email: 'staff@bench.test', permissions: ['studio.crud'] as const }
  const { token } = await signAccessToken(deps, { ...user, studioId: studio.id })
  const jobsUrl = `${url}/api/studioadmin/studios/${studio.id}/jobs`
  const readPages = (query: (index: number) => string) =>
    measureReads({
      urls: Array.from({ length: readCount }, (_, index) => `${jobsUrl}?${query(index + 1)}`),
      headers: { authorization: `Bearer ${token}` },
      concurrency,
    })
  const queries: readonly (readonly [string, (index: number) => string])[] = [
    ['pages of 10,000 jobs', (index) => `currentPage=${(index % 200) + 1}`],
    ['10,000 jobs while a name is typed', (index) => `currentPage=1&filter=${'school 17'.slice(0, (index % 9) + 1)}`],
    [
      '10,000 jobs by name, with a gallery, open',
      (index) => `currentPage=${(index % 5) + 1}&sort=name&galleries=1&state=open`,
    ],
  ]
  const listTimes: ListTimes[] = []
  for (const [name, query] of queries) {
    await readPages(query)
    const times = await readPages(query)
    listTimes.push({ name, median: quantile(times, 0.5), p95: quantile(times, 0.95) })
  }
  return listTimes
}
