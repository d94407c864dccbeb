import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { AccessRule, AnyCall } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { currentSession, type JobAccess, readJobAccess, type Session } from '../sessions/sessions.ts'
import { readAccessToken, type User } from '../tokens/access-token.ts'
import { missingRequirement } from './require-features.ts'
import { isCurrent } from './role-permissions.ts'

/** A job by its database ids. */
export type JobKey = { readonly studioId: number; readonly jobId: number }

/** The details of an authorized caller. The call's `who` decides which fields are set. */
export type AuthorizedCaller = {
  readonly session?: Session
  readonly job?: JobKey
  readonly access?: JobAccess
  readonly user?: User
}

type CallParams = { jobId?: number; studioId?: number; organizationId?: number }

type Caller = {
  readonly request: FastifyRequest
  readonly params: CallParams
  /** Called with the version of the images that the session may see, once it is known. */
  readonly reportImagesVersion?: (version: string) => void
}

const authorizeSession = async (deps: Deps, { request }: Caller): Promise<AuthorizedCaller | Problem> => {
  const session = await currentSession(deps, request)
  return session ? { session } : problem('session-unknown')
}

const authorizeForJob = async (
  deps: Deps,
  { request, params, reportImagesVersion }: Caller,
): Promise<AuthorizedCaller | Problem> => {
  const { jobId, studioId } = params
  if (jobId === undefined) throw new Error(`${request.routeOptions.url} is a call of a job, but its path has no job id`)
  const access = await readJobAccess(deps, request, jobId)
  if (!access) return problem('session-unknown')
  reportImagesVersion?.(access.imagesVersion)
  if (access.studioId === null) return problem('not-found')
  if (studioId !== undefined && studioId !== access.studioId) return problem('not-found')
  if (!access.granted) return problem('code-needed')
  return { session: access.session, job: { studioId: access.studioId, jobId }, access }
}

const isAdministrator = ({ permissions }: User): boolean => permissions.includes('studio.admin.crud')

/** Administrators see every studio; other users see their own. Another studio is answered as not found (section 4). */
const seesStudio = (user: User, studioId: number | undefined): boolean =>
  studioId === undefined || user.studioId === studioId || isAdministrator(user)

/**
 * Why a user or their studio may not make this call; undefined where they may. A user who was disabled or lost a role
 * after the token was signed is rejected at the next call (section 4). A call outside any studio checks only the user;
 * others check the user and the studio.
 */
const getUserRejection = async (
  deps: Deps,
  { who, needs = {}, isExempt }: AnyCall,
  { user, params, request }: Caller & { user: User },
): Promise<Problem | undefined> => {
  const studioId = params.studioId ?? user.studioId
  if (who === 'signed-in' || studioId === null) {
    const { rows } = await sql<{ current: boolean }>`select ${isCurrent(user)} as current`.execute(deps.db)
    return rows[0]?.current ? undefined : problem('not-signed-in')
  }
  // An invalid value is reported by the call's own struct later.
  const query = request.query as Readonly<Record<string, unknown>> // the values of a query string are strings
  const applicableNeeds = needs.when?.(query) === false ? {} : needs
  return await missingRequirement(deps.db, studioId, {
    needs: applicableNeeds,
    user,
    ...(params.jobId !== undefined && { job: { jobId: params.jobId, organizationId: params.organizationId } }),
    isAdministrator: isAdministrator(user),
    ...(isExempt && { isExempt }),
  })
}

const authorizeUser = async (
  deps: Deps,
  call: AnyCall,
  { request, params }: Caller,
): Promise<AuthorizedCaller | Problem> => {
  const { who }: { who: AccessRule } = call
  const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '') ?? []
  const user = token && (await readAccessToken(deps, token))
  if (!user) return problem('not-signed-in')
  if (typeof who === 'object' && !who.holds.some((permission) => user.permissions.includes(permission))) {
    return problem('not-allowed')
  }
  if (!seesStudio(user, params.studioId)) return problem('not-found')
  return (await getUserRejection(deps, call, { user, params, request })) ?? { user }
}

/** Authorizes a call (section 4). Returns the details of the caller, or the problem to answer with. */
export const authorize = async (deps: Deps, call: AnyCall, caller: Caller): Promise<AuthorizedCaller | Problem> => {
  if (call.who === 'anyone') return {}
  if (call.who === 'session') return await authorizeSession(deps, caller)
  if (call.who === 'job') return await authorizeForJob(deps, caller)
  return await authorizeUser(deps, call, caller)
}
