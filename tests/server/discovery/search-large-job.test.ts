import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { Deps } from '#server/deps.ts'
import { findSubjects } from '#server/discovery/search-subjects.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { median } from '#support/measurement/median.ts'
import { given, type JobKey } from '#support/server/given.ts'
import { surnames } from '#support/server/surnames.ts'
import { manualClock, testDeps } from '#support/server/test-app.ts'

const subjectCount = 5_000
/** Generous, because tests share the machine; a search takes a few milliseconds. */
const maxMs = 150

type Name = [firstName: string, lastName: string]

/** A subject, and the texts for the first and last name that find it. */
const searches: [subject: Name, ...typed: Name[]][] = [
  [
    ['María', 'García-Quispe Lozano'],
    ['m', 'quispe'],
    ['Maria', 'garcia quispe'],
    ['m', 'LOZANO'],
    ['lozano', 'm'],
  ],
  [
    ['Quentin', 'Oz'],
    ['q', 'oz'],
    ['Oz', 'Quentin'],
  ],
  [
    ['Quirin', 'X'],
    ['quirin', 'x'],
    ['quirin', ''],
    ['x', 'Quirin'],
  ],
  [
    ['Zoltána', ''],
    ['zoltana', ''],
    ['', 'Zoltana'],
    ['Zoltána', 'Kovács'],
  ],
  [
    ['Jürgen', 'Mößbauer'],
    ['j', 'moessbauer'],
    ['Juergen', 'mossbauer'],
    ['jurgen', 'Mößbauer'],
  ],
  [
    ['Søren', 'Ærøskøbing'],
    ['soeren', 'aeroeskoebing'],
    ['soren', 'aeroskobing'],
    ['Ærøskøbing', 'Søren'],
  ],
  [
    ['Bartholomew "Bart" Jo', 'Zimbalist'],
    ['bart', 'zimbalist'],
    ['jo', 'zimbalist'],
    ['b', 'zimbalist'],
  ],
  [
    ['Thủy', 'Đặng-Ngô'],
    ['thuy', 'dang'],
    ['t', 'ngo'],
  ],
  [
    ['Aoife', 'Ó Ceallacháin'],
    ['aoife', 'oceallachain'],
    ['a', 'ceallachain'],
  ],
]

const insertSubjects = async ({ db }: Deps, { studioId, jobId }: JobKey, names: readonly Name[]): Promise<void> => {
  const rows = names.map(([first_name, last_name]) => ({
    ...{ first_name, last_name, first_key: searchKey(first_name), last_key: searchKey(last_name) },
    ...{ studio_id: studioId, job_id: jobId },
  }))
  for (let start = 0; start < rows.length; start += 1_000)
    await db
      .insertInto('subjects')
      .values(rows.slice(start, start + 1_000))
      .execute()
}

describe.each(enginesFor(import.meta.filename))('the name search of a large job on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database(), manualClock())
    const { studio, job } = given(deps)
    const studioId = await studio()
    const [large, other] = [await job(studioId), await job(studioId)]
    const others = Array.from({ length: subjectCount }, (_, n): Name => {
      return [`First${n}`, surnames[n % surnames.length] ?? '']
    })
    await insertSubjects(deps, large, [...others, ...searches.map(([subject]) => subject)])
    // Another job of the same size, so that the planner has a reason to prefer an index of the job.
    await insertSubjects(deps, other, [...others, ...searches.map(([subject]) => subject)])
    await sql`analyze subjects`.execute(deps.db)
    return { deps, large }
  }

  it('each spelling of a name finds its subject among 5,000 in one statement, by an index of the job, and no other', async () => {
    const { deps, large } = await setUp()
    const nodes: RootOperationNode[] = []
    const recorder: KyselyPlugin = {
      transformQuery: ({ node }) => {
        nodes.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const recorded = { ...deps, db: deps.db.withPlugin(recorder) }
    const durations: number[] = []
    for (const [subject, ...typed] of searches)
      for (const [firstName, lastName] of typed) {
        const startedAt = performance.now()
        const found = await findSubjects(recorded, large, { firstName, lastName })
        durations.push(performance.now() - startedAt)
        expect
          .soft([firstName, lastName, found.map((match) => [match.firstName, match.lastName])])
          .toEqual([firstName, lastName, [subject]])
      }
    expect(nodes).toHaveLength(durations.length)
    expect(median(durations)).toBeLessThan(maxMs)
    const [query] = nodes
    if (!query) throw new Error('no query was recorded')
    const lines = await deps.db.transaction().execute(async (tx) => {
      // The planner reads the whole table if it has hardly any other rows.
      await sql`set local enable_seqscan = off`.execute(tx)
      const { sql: text, parameters } = tx.getExecutor().compileQuery(query, { queryId: 'plan' })
      const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(
        CompiledQuery.raw(`explain ${text}`, [...parameters]),
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(lines).toMatch(/subjects_\w+[\s\S]*Index Cond: \(\(studio_id = .*\) AND \(job_id = /)
  })
})
