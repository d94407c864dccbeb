import { sql } from 'kysely'
import { signAccessToken } from '#server/access/tokens/access-token.ts'
import { quantile } from '#support/measurement/quantile.ts'
import type { BenchServer } from './bench-server.ts'
import type { ListTimes } from './job-list-times.ts'
import { measureReads } from './timed-reads.ts'

/** The number of subjects of a large school. */
const subjectCount = 5_000
const readCount = 240
const concurrency = 8

type ListEndpoint = { readonly url: string; readonly headers: Record<string, string> }

/** Creates a job with that many subjects in groups of twenty-five. Half of the subjects have an image. */
const createLargeJob = async ({ url, deps }: BenchServer): Promise<ListEndpoint> => {
  const { db } = deps
  const studio = await db.selectFrom('studios').select('id').where('slug', '=', 'riverside').executeTakeFirstOrThrow()
  const owner = await db.selectFrom('users').select('id').where('studio_id', '=', studio.id).executeTakeFirstOrThrow()
  const job = { studio_id: studio.id, name: 'A large school' }
  const { id: jobId } = await db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow()
  const user = { id: owner.id, name: 'Staff', email: 'staff@riverside.test', permissions: ['studio.crud'] as const }
  const { token } = await signAccessToken(deps, { ...user, studioId: studio.id })
  const headers = { authorization: `Bearer ${token}` }
  const subjectsUrl = `${url}/api/studioadmin/studios/${studio.id}/jobs/${jobId}/subjects`
  const subjects = Array.from({ length: subjectCount }, (_, n) => ({
    firstName: `${['Ada', 'Ben', 'Chloé', 'Dora', 'Emil', 'Fen', 'Gus'][n % 7]}${n % 113}`,
    lastName: `${['Lovelace', 'Hopper', 'Nuñez', 'Okafor', 'Zander'][n % 5]}${n % 611}`,
    reference: `S-${n}`,
    groups: [`Room ${n % 200}`],
    fields: [
      { name: 'Grade', value: String(n % 12) },
      { name: 'Teacher', value: `Teacher ${n % 200}` },
      { name: 'Bus', value: `B${n % 31}` },
    ],
  }))
  const response = await fetch(`${subjectsUrl}/bulk`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ subjects, codes: 'new' }),
  })
  if (response.status !== 200)
    throw new Error(`the subjects were not created: ${response.status} ${await response.text()}`)
  await sql`
    insert into image_lookups (studio_id, job_id, subject_id, kind, file_name, original_key, content_type, byte_size, width, height,
                               thumb_hash, preview_hash, state)
    select u.studio_id, u.job_id, u.id, 'hosted-individual', 'a.jpg', 'a', 'image/jpeg', 1, 1, 1, 'abcdef01', 'abcdef01', 'ready'
      from subjects u where u.studio_id = ${studio.id} and u.job_id = ${jobId} and u.id % 2 = 0`.execute(db)
  await sql`analyze`.execute(db)
  return { url: subjectsUrl, headers }
}

const listQueries = {
  'a page': '?currentPage=3',
  'the last page, by group': '?currentPage=100&sort=group',
  'two words': '?currentPage=1&filter=nunez%20ada',
  'letters as they are typed': '?currentPage=1&filter=te',
  'with pictures, not ordered': '?currentPage=1&images=with&orders=not-ordered&sort=newest',
}

/** Response times of a list of five thousand subjects, with the queries that staff send while they type, page and filter. */
export const measureSubjectList = async (server: BenchServer): Promise<ListTimes[]> => {
  const { url, headers } = await createLargeJob(server)
  const listTimes: ListTimes[] = []
  for (const [name, query] of Object.entries(listQueries)) {
    const readList = (count: number) =>
      measureReads({ urls: Array.from({ length: count }, () => `${url}${query}`), headers, concurrency })
    await readList(concurrency)
    const times = await readList(readCount)
    listTimes.push({ name: `5,000 people, ${name}`, median: quantile(times, 0.5), p95: quantile(times, 0.95) })
  }
  return listTimes
}
