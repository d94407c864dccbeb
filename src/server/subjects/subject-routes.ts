import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/subjects.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { retryOnUniqueViolation } from '../database/retry-on-unique-violation.ts'
import type { Deps } from '../deps.ts'
import type { RecordAnswer } from '../http/idempotency.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import type { UrlSigningDeps } from '../http/sign-url.ts'
import { type JobPathKey, jobExists } from '../jobs/store/job-exists.ts'
import { readJobFields } from '../jobs/store/job-fields.ts'
import { bulkEditSubjects } from './bulk-edit-subjects.ts'
import { changeSubject } from './change-subject.ts'
import { createSubjects } from './create-subjects.ts'
import { deleteSubjects } from './delete-subjects.ts'
import { mountGroups } from './group-routes.ts'
import { listSubjects, readSubjectRows } from './list-subjects.ts'
import { readSubject } from './read-subject.ts'
import { undoBulkEdit } from './undo-bulk-edit.ts'

type Draft = calls.NewSubject

/** Retries on a violation, because other jobs of the studio may take a code between the check and the write. */
const withCodeRetry = <Result>({ db }: Deps, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  retryOnUniqueViolation(() => inTransaction(db, work))

/** Errors of a single subject, without its index. */
const withoutIndex = (fields: Record<string, string[]> = {}): Record<string, string[]> =>
  Object.fromEntries(Object.entries(fields).map(([name, messages]) => [name.replace(/^0\./, ''), messages]))

const createOne = async (
  deps: Deps & UrlSigningDeps,
  job: JobPathKey,
  { draft, recordIn }: { draft: Draft; recordIn: RecordAnswer },
) => {
  if (!(await jobExists(deps.db, job))) return problem('not-found')
  const known = await readJobFields(deps.db, job)
  return await withCodeRetry(deps, async (tx) => {
    const created = await createSubjects(tx, deps, { job, drafts: [draft], known, codes: 'none' })
    if (created instanceof Problem) {
      return problem('refused', created.details.sentences, { fields: withoutIndex(created.details.fields) })
    }
    const subject = await readSubject({ ...deps, db: tx }, { ...job, subjectId: created[0] ?? 0 })
    await recordIn(tx, subject)
    return subject ?? problem('not-found')
  })
}

type ManyInput = {
  drafts: readonly Draft[]
  codes: 'new' | 'none'
  data: 'returned' | 'counted'
  recordIn: RecordAnswer
}

const createMany = async (
  deps: Deps & UrlSigningDeps,
  job: JobPathKey,
  { drafts, codes, data, recordIn }: ManyInput,
) => {
  if (!(await jobExists(deps.db, job))) return problem('not-found')
  const known = await readJobFields(deps.db, job)
  return await withCodeRetry(deps, async (tx) => {
    const ids = await createSubjects(tx, deps, { job, drafts, known, codes })
    if (ids instanceof Problem) return ids
    const countOnly = { count: ids.length }
    const created =
      data === 'counted' ? countOnly : { ...countOnly, subjects: await readSubjectRows({ ...deps, db: tx }, job, ids) }
    await recordIn(tx, created)
    return created
  })
}

const mountCreation = (app: FastifyInstance, deps: Deps): void => {
  for (const call of [calls.postSubject, calls.postJobSubject]) {
    mount(app, deps, call, ({ params, body: draft, user, recordIn }) =>
      createOne({ ...deps, user }, params, { draft, recordIn }),
    )
  }
  for (const call of [calls.postSubjects, calls.postJobSubjects]) {
    mount(app, deps, call, ({ params, body: { subjects: drafts, codes = 'none' }, query, user, recordIn }) => {
      const data = query.returnData ? 'returned' : 'counted'
      return createMany({ ...deps, user }, params, { drafts, codes, data, recordIn })
    })
  }
}

const mountEdits = (app: FastifyInstance, deps: Deps): void => {
  const { db } = deps
  mount(app, deps, calls.editSubjects, async ({ params: job, body, user, recordIn }) => {
    if (!(await jobExists(db, job))) return problem('not-found')
    const known = await readJobFields(db, job)
    return await inTransaction(db, async (tx) => {
      const result = await bulkEditSubjects(tx, deps, { job, ...body, known, user })
      // If processed again it would find nothing to change, and so nothing to undo.
      if (!(result instanceof Problem)) await recordIn(tx, result)
      return result
    })
  })
  mount(app, deps, calls.undoEdit, ({ params: key, user }) =>
    inTransaction(db, (tx) => undoBulkEdit(tx, deps, { key, user })),
  )
  mount(app, deps, calls.purgeSubjects, ({ params: job, body, user, recordIn }) =>
    inTransaction(db, async (tx) => {
      const count = await deleteSubjects(tx, deps, { job, ...body, user })
      if (count instanceof Problem) return count
      await recordIn(tx, { count })
      return { count }
    }),
  )
}

/** Mounts the subjects of a job (section 2, job editor; section 7). */
export const mountSubjects = (app: FastifyInstance, deps: Deps): void => {
  const { db } = deps
  mountCreation(app, deps)
  mount(app, deps, calls.listSubjects, async ({ params, query, user }) =>
    (await jobExists(db, params)) ? await listSubjects({ ...deps, user }, params, query) : problem('not-found'),
  )
  mount(
    app,
    deps,
    calls.getStudioSubject,
    async ({ params, user }) => (await readSubject({ ...deps, user }, params)) ?? problem('not-found'),
  )
  mount(app, deps, calls.patchSubject, async ({ params: key, body: change, user }) => {
    const known = await readJobFields(db, key)
    return await withCodeRetry(deps, async (tx) => {
      const failure = await changeSubject(tx, deps, { key, change, known, user })
      return failure ?? (await readSubject({ ...deps, user, db: tx }, key)) ?? problem('not-found')
    })
  })
  mountEdits(app, deps)
  mountGroups(app, deps)
}
