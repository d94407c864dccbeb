import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { postJob } from '#contract/studio/jobs.ts'
import { isCalendarDay } from '#domain/shared/dates.ts'
import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'
import { galleryNeedsVerification } from '#domain/studio/publish-checks.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { drawJobCode, setJobCode } from './job-code.ts'

type Draft = Infer<(typeof postJob)['body']>

export const noOrganizationMessage = 'Choose an organization that is not archived'
export const noSuchDayMessage = 'There is no such day'

/** Whether a job can belong to this organization. Locks the organization, so that no one archives it meanwhile. */
export const isActiveOrganization = async (
  tx: Transaction,
  { studioId, organizationId }: { studioId: number; organizationId: number },
): Promise<boolean> => {
  const { rows } = await sql`
    select from organizations where studio_id = ${studioId} and id = ${organizationId} and archived_at is null
    for share`.execute(tx)
  return rows.length > 0
}

/** Adds the link by which a job is found without its studio, and marks the studio as having jobs of this platform. */
export const linkJob = async (tx: Transaction, { studioId, jobId }: JobKey): Promise<void> => {
  await tx.insertInto('job_links').values({ job_id: jobId, studio_id: studioId }).execute()
  await tx
    .updateTable('studios')
    .set({ has_rspo_jobs: true })
    .where('id', '=', studioId)
    .where('has_rspo_jobs', '=', false)
    .execute()
}

/** Whether a studio's jobs may have galleries (section 4). Locks the studio, so that its verification is not withdrawn meanwhile. */
const mayHaveGalleries = async (tx: Transaction, studioId: number): Promise<boolean> => {
  const { rows } = await sql`
    select from studios where id = ${studioId} and is_millers_verified for share`.execute(tx)
  return rows.length > 0
}

const draftErrors = async (tx: Transaction, studioId: number, draft: Draft): Promise<Record<string, string[]>> => {
  const { name, eventDate = null, organizationId, gallery } = draft
  return {
    ...(name.trim() === '' && { name: [validationMessages.required] }),
    ...(eventDate !== null && !isCalendarDay(eventDate) && { eventDate: [noSuchDayMessage] }),
    ...(gallery && !(await mayHaveGalleries(tx, studioId)) && { gallery: [galleryNeedsVerification] }),
    ...(!(await isActiveOrganization(tx, { studioId, organizationId })) && { organizationId: [noOrganizationMessage] }),
  }
}

/** Creates an unpublished job. Returns its id, or a problem with the invalid fields. */
export const createJob = async (
  tx: Transaction,
  deps: Deps,
  { studioId, draft, user }: { studioId: number; draft: Draft; user: User },
): Promise<number | Problem<'refused'>> => {
  const fields = await draftErrors(tx, studioId, draft)
  if (Object.keys(fields).length > 0) return problem('refused', fixFieldsMessage, { fields })
  const { id: jobId } = await tx
    .insertInto('jobs')
    .values({
      studio_id: studioId,
      organization_id: draft.organizationId,
      name: draft.name.trim(),
      event_date: draft.eventDate ?? null,
      prepay_enabled: draft.prepay,
      gallery_enabled: draft.gallery,
      rspo_job: true,
      created_at: deps.clock(),
      updated_at: deps.clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const job = { studioId, jobId }
  const code = draft.code?.trim() ?? ''
  const codeError = code === '' ? await drawJobCode(tx, deps, job).then(() => null) : await setJobCode(tx, job, code)
  if (codeError !== null) {
    await tx.deleteFrom('jobs').where('studio_id', '=', studioId).where('id', '=', jobId).execute()
    return problem('refused', fixFieldsMessage, { fields: { code: [codeError] } })
  }
  await linkJob(tx, job)
  const detail = { name: draft.name.trim() }
  await recordAudit(tx, deps, { studioId, action: 'job.made', entityId: String(jobId), detail, userId: user.id })
  return jobId
}
