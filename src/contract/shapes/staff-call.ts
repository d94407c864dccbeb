import { optional, size, string } from 'superstruct'
import { Count, Id } from './primitives.ts'
import { pageQuery } from './responses.ts'

// What the calls of staff have in common: under which path, who may make them (section 6), how they fail, how lists are asked for.

export const studioPath = '/api/studioadmin/studios/:studioId'
export const jobPath = `${studioPath}/jobs/:jobId` as const
/** Where the specification names a job together with its organization (section 7). */
export const organizationJobPath = `${studioPath}/organizations/:organizationId/jobs/:jobId` as const

export const studioParams = { studioId: Id }
export const studioJobParams = { ...studioParams, jobId: Id }
export const organizationJobParams = { ...studioJobParams, organizationId: Id }

/** Everybody who works for the studio. */
export const staff = { holds: ['studio.crud', 'studio.admin.crud'] } as const
/** Everybody who has a screen there: those who only keep its staff, too. */
export const studioMembers = { holds: ['studio.crud', 'studio.users.crud', 'studio.admin.crud'] } as const
/** Whoever says who else works there: its owners. */
export const userManagers = { holds: ['studio.users.crud', 'studio.admin.crud'] } as const
/** Whoever sees and gives back its money. */
export const financeStaff = { holds: ['studio.financials.read', 'studio.admin.crud'] } as const

export const readProblems = ['not-signed-in', 'not-allowed', 'not-found'] as const
export const writeProblems = [...readProblems, 'conflict', 'refused'] as const

/**
 * The version that somebody looked at, in what takes another's place. Who names it is told where somebody else was faster (409); who does
 * not, as the bodies of the specification do not, is the last writer, and wins.
 */
export const expectedVersion = { version: optional(Count) }

/** What a long list takes: a page of it, what is sought in it, and what it is sorted by: `name`, or `-name` for the other way round. */
export const listQuery = { ...pageQuery, sort: optional(size(string(), 1, 40)) }
