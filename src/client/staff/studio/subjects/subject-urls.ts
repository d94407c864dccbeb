import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'

/** The addresses of the screens of a job's people. */
export const subjectsUrl = (job: JobPlace): string => staffUrls.job(job, 'subjects')
export const groupsUrl = (job: JobPlace): string => staffUrls.job(job, 'subjects/groups')
export const subjectUrl = (job: JobPlace, subjectId: number): string => staffUrls.job(job, `subjects/${subjectId}`)
