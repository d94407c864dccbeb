import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'

/** Address of a job's subject list. */
export const subjectsUrl = (job: JobParams): string => staffUrls.job(job, 'subjects')
export const groupsUrl = (job: JobParams): string => staffUrls.job(job, 'subjects/groups')
export const subjectUrl = (job: JobParams, subjectId: number): string => staffUrls.job(job, `subjects/${subjectId}`)
