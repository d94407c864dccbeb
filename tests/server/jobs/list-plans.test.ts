import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { listJobRows } from '#server/jobs/list-jobs.ts'
import { readJobOverview } from '#server/jobs/read-job-overview.ts'
import { readStudioHome } from '#server/jobs/read-studio-home.ts'
import { countOrders, listOrders } from '#server/orders/staff/list-orders.ts'
import { listSubjects } from '#server/subjects/list-subjects.ts'
import { type GrowingStudio, growStudio } from '#support/database/growing-studio.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createStudioJobFixtures } from './studio-job-fixtures.ts'

/** Tables with at least one row per subject or order. A list that reads all rows of one gets slower with every job. */
const growingTables = new Set([
  ...['subjects', 'subject_counts', 'subject_fields', 'subject_groups', 'access_codes', 'image_lookups'],
  ...['orders', 'order_lines'],
])

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** Whether a part of a plan reads rows of a growing table that belong to other jobs: all rows, or all rows of the studio. */
const readsOtherJobs = ({ 'Node Type': type, ...node }: Plan): boolean => {
  const table = node['Relation Name'] ?? [...growingTables].find((name) => node['Index Name']?.startsWith(name)) ?? ''
  if (!growingTables.has(table) || type === 'Bitmap Heap Scan') return false
  return (
    type === 'Seq Scan' || (/Index/.test(type) && !/\b(job_id|subject_id|order_id|id)\b/.test(node['Index Cond'] ?? ''))
  )
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const createRecorder = () => {
  const nodes: RootOperationNode[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { plugin, nodes }
}

describe.each(enginesFor(import.meta.filename))('plans of lists on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  it('no list for staff reads the subjects, images or orders of other jobs', async () => {
    const { deps, studioId, userId, addRequiredParts, createJob } = await createStudioJobFixtures(database())
    const { id: jobId } = await createJob()
    await addRequiredParts(jobId)
    const studio: GrowingStudio = { studioId, jobId, subjectsPerJob: 250, subjects: 0 }
    await growStudio(deps.db, studio, 3_000)
    const { plugin, nodes } = createRecorder()
    const recorded = { ...deps, user: { id: userId }, db: deps.db.withPlugin(plugin) }
    const job = { studioId, jobId }
    const page = { currentPage: 1 }
    await readStudioHome(recorded, studioId)
    await listJobRows(recorded, { studioId }, page)
    const overview = await readJobOverview(recorded, job)
    await countOrders(recorded.db, job)
    for (const filter of [
      {},
      { filter: 'nunez ada' },
      { orders: 'not-ordered' },
      { images: 'with', orders: 'ordered' },
    ] as const)
      await listSubjects(recorded, job, { ...page, ...filter })
    await listSubjects(recorded, job, { ...page, sort: 'group', attendance: 'not-checked-in' })
    for (const filter of [{}, { filter: 'nunez' }, { filter: 'p12' }, { view: 'submitted' }] as const)
      await listOrders(recorded.db, job, { ...page, ...filter })

    const plans = await deps.db.transaction().execute(async (tx) => {
      // Otherwise the planner may read a page of fifty rows from the whole table, because this database is small.
      await sql`set local random_page_cost = 1`.execute(tx)
      const read: { text: string; plan: Plan | undefined }[] = []
      for (const node of nodes) {
        const { sql: text, parameters } = tx.getExecutor().compileQuery(node, { queryId: 'plan' })
        const explain = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters])
        const { rows } = await tx.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain)
        read.push({ text, plan: rows[0]?.['QUERY PLAN'][0].Plan })
      }
      return read
    })
    expect(overview?.progress.subjects).toBe(251)
    expect(plans.length).toBeGreaterThan(20)
    const readsOfOtherJobs = plans.flatMap(({ text, plan }) =>
      (plan ? nodesOf(plan) : [])
        .filter(readsOtherJobs)
        .map((node) => `${JSON.stringify({ ...node, Plans: undefined })}: ${text.slice(0, 300)}`),
    )
    expect(readsOfOtherJobs).toEqual([])
  })

  it('a search evaluates its filter once, for the page and the number of its rows', async () => {
    const { deps, studioId, userId, createJob } = await createStudioJobFixtures(database())
    const { id: jobId } = await createJob()
    const { plugin, nodes } = createRecorder()
    const recorded = { ...deps, user: { id: userId }, db: deps.db.withPlugin(plugin) }
    const job = { studioId, jobId }
    for (const filter of [
      { filter: 'nunez' },
      { images: 'with', orders: 'not-ordered' },
      { attendance: 'not-checked-in' },
    ] as const)
      expect(await listSubjects(recorded, job, { currentPage: 1, ...filter })).toMatchObject({ totalRecords: 0 })
    expect(await listOrders(recorded.db, job, { currentPage: 2, filter: 'nunez' })).toMatchObject({ totalRecords: 0 })
    // The rows of an empty page are not read.
    expect(nodes).toHaveLength(4)
  })
})
