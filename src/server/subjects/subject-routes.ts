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
import { readJobFields } from '../jobs/store/job-fields.ts'
import { bulkEditSubjects } from './bulk-edit-subjects.ts'
import { changeSubject } from './change-subject.ts'
import { createSubjects } from './create-subjects.ts'
import { deleteSubjects } from './delete-subjects.ts'
import { mountGroups } from './group-routes.ts'
import { listSubjects, readSubjectRows } from './list-subjects.ts'
import { isNamedJob, type NamedJob } from './named-job.ts'
import { readSubject } from './read-subject.ts'
import { undoBulkEdit } from './undo-bulk-edit.ts'

type Draft = calls.NewSubject

/** Codes are looked for before they are taken, and a studio's other jobs take them too. */
const givingCodes = <Result>({ db }: Deps, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  retryOnUniqueViolation(() => inTransaction(db, work))

/** Of the only one there is, fields are named without a place. */
const ofTheOnlyOne = (fields: Record<string, string[]> = {}): Record<string, string[]> =>
  Object.fromEntries(Object.entries(fields).map(([name, messages]) => [name.replace(/^0\./, ''), messages]))

const createOne = async (
  deps: Deps & UrlSigningDeps,
  job: NamedJob,
  { draft, recordIn }: { draft: Draft; recordIn: RecordAnswer },
) => {
  if (!(await isNamedJob(deps.db, job))) return problem('not-found')
  const known = await readJobFields(deps.db, job)
  return await givingCodes(deps, async (tx) => {
    const made = await createSubjects(tx, deps, { job, drafts: [draft], known, codes: 'none' })
    if (made instanceof Problem) {
      return problem('refused', made.details.sentences, { fields: ofTheOnlyOne(made.details.fields) })
    }
    const subject = await readSubject({ ...deps, db: tx }, { ...job, subjectId: made[0] ?? 0 })
    await recordIn(tx, subject)
    return subject ?? problem('not-found')
  })
}

type Many = { drafts: readonly Draft[]; codes: 'new' | 'none'; data: 'returned' | 'counted'; recordIn: RecordAnswer }

const createMany = async (deps: Deps & UrlSigningDeps, job: NamedJob, { drafts, codes, data, recordIn }: Many) => {
  if (!(await isNamedJob(deps.db, job))) return problem('not-found')
  const known = await readJobFields(deps.db, job)
  return await givingCodes(deps, async (tx) => {
    const ids = await createSubjects(tx, deps, { job, drafts, known, codes })
    if (ids instanceof Problem) return ids
    const counted = { count: ids.length }
    const made =
      data === 'counted' ? counted : { ...counted, subjects: await readSubjectRows({ ...deps, db: tx }, job, ids) }
    await recordIn(tx, made)
    return made
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
    if (!(await isNamedJob(db, job))) return problem('not-found')
    const known = await readJobFields(db, job)
    return await inTransaction(db, async (tx) => {
      const edited = await bulkEditSubjects(tx, deps, { job, ...body, known, user })
      // Done again, it would find nothing to do, and nothing to undo.
      if (!(edited instanceof Problem)) await recordIn(tx, edited)
      return edited
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

/** The people of a job (section 2, job editor; section 7). */
export const mountSubjects = (app: FastifyInstance, deps: Deps): void => {
  const { db } = deps
  mountCreation(app, deps)
  mount(app, deps, calls.listSubjects, async ({ params, query, user }) =>
    (await isNamedJob(db, params)) ? await listSubjects({ ...deps, user }, params, query) : problem('not-found'),
  )
  mount(
    app,
    deps,
    calls.getStudioSubject,
    async ({ params, user }) => (await readSubject({ ...deps, user }, params)) ?? problem('not-found'),
  )
  mount(app, deps, calls.patchSubject, async ({ params: key, body: change, user }) => {
    const known = await readJobFields(db, key)
    return await givingCodes(deps, async (tx) => {
      const refused = await changeSubject(tx, deps, { key, change, known, user })
      return refused ?? (await readSubject({ ...deps, user, db: tx }, key)) ?? problem('not-found')
    })
  })
  mountEdits(app, deps)
  mountGroups(app, deps)
}
