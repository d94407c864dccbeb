import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/subjects.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import { retryOnUniqueViolation } from '../database/statement-errors.ts'
import type { Deps } from '../deps.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import type { UrlSigningDeps } from '../http/sign-url.ts'
import { type JobPathKey, jobExists } from '../jobs/store/find-job.ts'
import { readJobFields } from '../jobs/store/job-services.ts'
import { bulkEditSubjects } from './bulk-edit-subjects.ts'
import { changeSubject } from './change-subject.ts'
import { createSubjectList } from './create-subject-list.ts'
import { insertSubjects, validateDrafts } from './create-subjects.ts'
import { deleteSubjects } from './delete-subjects.ts'
import { mountGroups } from './group-routes.ts'
import { listSubjects } from './list-subjects.ts'
import { readSubject } from './read-subject.ts'
import { undoBulkEdit } from './undo-bulk-edit.ts'

type SubjectDraft = calls.NewSubject

/** Retries after a unique violation, because other jobs of the studio may take a code between the check and the write. */
const withCodeRetry = <Result>({ db }: Deps, write: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  retryOnUniqueViolation(() => inTransaction(db, write))

/** The errors of a single subject, without its index. */
const withoutIndex = (fields: Record<string, string[]> = {}): Record<string, string[]> =>
  Object.fromEntries(Object.entries(fields).map(([name, messages]) => [name.replace(/^0\./, ''), messages]))

const createSingleSubject = async (
  deps: Deps & UrlSigningDeps,
  job: JobPathKey,
  { draft, recordResponse }: { draft: SubjectDraft; recordResponse: RecordResponse },
) => {
  if (!(await jobExists(deps.db, job))) return problem('not-found')
  const customFields = await readJobFields(deps.db, job)
  return await withCodeRetry(deps, async (tx) => {
    const input = { job, drafts: [draft], customFields, codes: 'none', createdAt: deps.clock() } as const
    const refusal = await validateDrafts(tx, input)
    if (refusal) return problem('refused', refusal.details.messages, { fields: withoutIndex(refusal.details.fields) })
    const [subjectId = 0] = await insertSubjects(tx, deps, { input, state: 'listed' })
    const subject = await readSubject({ ...deps, db: tx }, { ...job, subjectId })
    await recordResponse(tx, subject)
    return subject ?? problem('not-found')
  })
}

const mountCreation = (app: FastifyInstance, deps: Deps): void => {
  for (const call of [calls.postSubject, calls.postJobSubject]) {
    mount(app, deps, call, ({ params, body: draft, user, recordResponse }) =>
      createSingleSubject({ ...deps, user }, params, { draft, recordResponse }),
    )
  }
  for (const call of [calls.postSubjects, calls.postJobSubjects]) {
    mount(app, deps, call, async ({ params: job, body, query, user, recordResponse }) => {
      if (!(await jobExists(deps.db, job))) return problem('not-found')
      const { subjects: drafts, codes = 'none' } = body
      const customFields = await readJobFields(deps.db, job)
      const input = { job, drafts, customFields, codes, createdAt: deps.clock() }
      const data = query.returnData ? 'returned' : 'counted'
      return await createSubjectList({ ...deps, user }, { input, data, recordResponse })
    })
  }
}

const mountEdits = (app: FastifyInstance, deps: Deps): void => {
  const { db } = deps
  mount(app, deps, calls.editSubjects, async ({ params: job, body, user, recordResponse }) => {
    if (!(await jobExists(db, job))) return problem('not-found')
    const customFields = await readJobFields(db, job)
    const { subjects: selected, edit } = body
    return await inTransaction(db, async (tx) => {
      const result = await bulkEditSubjects(tx, deps, { job, selected, edit, customFields, user })
      // A repeated request must return the recorded result: a new run would find nothing to change, and so nothing to undo.
      if (!(result instanceof Problem)) await recordResponse(tx, result)
      return result
    })
  })
  mount(app, deps, calls.undoEdit, ({ params: key, user }) =>
    inTransaction(db, (tx) => undoBulkEdit(tx, deps, { key, user })),
  )
  mount(app, deps, calls.purgeSubjects, ({ params: job, body, user, recordResponse }) =>
    deleteSubjects(deps, { job, ...body, user }, recordResponse),
  )
}

/** Mounts the routes of the subjects of a job (section 2, job editor; section 7). */
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
    const customFields = await readJobFields(db, key)
    return await withCodeRetry(deps, async (tx) => {
      const changeProblem = await changeSubject(tx, deps, { key, change, customFields, user })
      return changeProblem ?? (await readSubject({ ...deps, user, db: tx }, key)) ?? problem('not-found')
    })
  })
  mountEdits(app, deps)
  mountGroups(app, deps)
}
