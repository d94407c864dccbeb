import { signAccessToken } from '#server/access/tokens/access-token.ts'
import { type GrowingStudio, growStudio } from '#support/database/growing-studio.ts'
import { quantile } from '#support/measurement/quantile.ts'
import { type BenchServer, startBenchServer } from './bench-server.ts'
import { measureReads } from './timed-reads.ts'

/** The largest school; a studio with more subjects has more jobs. */
const subjectsPerJob = 5_000
const concurrency = 8
const readCount = 160

/** The 95th percentiles in milliseconds of one list, by the number of subjects in the studio. */
export type GrowthTimes = { readonly name: string; readonly p95ByCount: ReadonlyMap<number, number> }

/** The lists, filters, searches and overviews of a studio and of its first job, as paths after the studio's. */
const pathsOf = (jobId: number): Record<string, string> => {
  const job = `/jobs/${jobId}`
  return {
    home: '/home',
    'jobs, by date': '/jobs?currentPage=1',
    'jobs, by name': '/jobs?currentPage=1&filter=school',
    overview: `${job}/overview`,
    subjects: `${job}/subjects?currentPage=1`,
    'subjects, last page by group': `${job}/subjects?currentPage=10&sort=group`,
    'subjects, two words': `${job}/subjects?currentPage=1&filter=nunez%20ada`,
    'subjects, two letters': `${job}/subjects?currentPage=1&filter=te`,
    'subjects, not ordered': `${job}/subjects?currentPage=1&orders=not-ordered`,
    'subjects with images, not ordered, newest': `${job}/subjects?currentPage=1&images=with&orders=not-ordered&sort=newest`,
    'subjects not checked in': `${job}/subjects?currentPage=1&attendance=not-checked-in`,
    groups: `${job}/groups?currentPage=1`,
    orders: `${job}/orders?currentPage=1`,
    'orders at the lab, by total': `${job}/orders?currentPage=1&view=submitted&sort=total`,
    'orders, by a name': `${job}/orders?currentPage=1&filter=nunez`,
    'orders, by an email': `${job}/orders?currentPage=1&filter=p123`,
    'orders, by a number': `${job}/orders?currentPage=1&filter=FP-0000`,
    'order counts': `${job}/order-counts`,
  }
}

const measurePaths = async (
  { deps, url }: BenchServer,
  { studioId, jobId }: GrowingStudio,
  record: (name: string, times: readonly number[]) => void,
): Promise<void> => {
  const owner = await deps.db
    .selectFrom('users')
    .select('id')
    .where('studio_id', '=', studioId)
    .executeTakeFirstOrThrow()
  const user = { id: owner.id, name: 'Staff', email: 'staff@bench.test', permissions: ['studio.crud'] as const }
  const { token } = await signAccessToken(deps, { ...user, studioId })
  const headers = { authorization: `Bearer ${token}` }
  for (const [name, path] of Object.entries(pathsOf(jobId))) {
    const read = (count: number) =>
      measureReads({
        urls: Array.from({ length: count }, () => `${url}/api/studioadmin/studios/${studioId}${path}`),
        headers,
        concurrency,
      })
    await read(concurrency * 3)
    record(name, await read(readCount))
  }
}

/** Measures every list at each number of subjects, on one server. The studio has twice as many orders as subjects. */
export const measureGrowth = async (counts: readonly number[], postgres?: string): Promise<GrowthTimes[]> => {
  const server = await startBenchServer(postgres)
  try {
    const { id: studioId } = await server.deps.db
      .selectFrom('studios')
      .select('id')
      .where('slug', '=', 'riverside')
      .executeTakeFirstOrThrow()
    const job = { studio_id: studioId, name: 'A large school' }
    const { id: jobId } = await server.deps.db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow()
    const studio: GrowingStudio = { studioId, jobId, subjectsPerJob, subjects: 0 }
    const times = new Map<string, Map<number, number>>()
    for (const count of counts) {
      await growStudio(server.deps.db, studio, count)
      await measurePaths(server, studio, (name, measured) => {
        times.set(name, (times.get(name) ?? new Map()).set(count, quantile(measured, 0.95)))
      })
    }
    return [...times].map(([name, p95ByCount]) => ({ name, p95ByCount }))
  } finally {
    await server.close()
  }
}
