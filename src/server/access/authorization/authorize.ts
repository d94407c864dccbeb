import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { AccessRule, AnyCall } from '#contract/shapes/call.ts'
import { supportMessages } from '#domain/studio/support-access.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { currentSession, type JobAccess, readJobAccess, type Session } from '../sessions/sessions.ts'
import { bearerTokenOf, readAccessToken, type User } from '../tokens/access-token.ts'
import { isApiToken, type PresentedApiToken, readApiToken } from '../tokens/api-token.ts'
import { scopeRejection } from './call-scopes.ts'
import type { OpenAccess } from './open-access.ts'
import { checkRequirements } from './require-features.ts'
import { isCurrent } from './role-permissions.ts'

/** A job by its database ids. */
export type JobKey = { readonly studioId: number; readonly jobId: number }

/** The details of an authorized caller. The call's `who` decides which fields are set. */
export type AuthorizedCaller = {
  readonly session?: Session
  readonly job?: JobKey
  readonly access?: JobAccess
  readonly user?: User
  /** The access by which an administrator is inside a studio. */
  readonly support?: OpenAccess
  /** The API token that the user presented instead of an access token. */
  readonly apiToken?: PresentedApiToken
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

/**
 * Users see their own studio; another one is answered as not found (section 4). Administrators know every studio. What is in it they see
 * only with an open access, which `checkUser` requires of every call with a `:studioId`; calls of the platform itself have none.
 */
const seesStudio = (user: User, studioId: number | undefined): boolean =>
  studioId === undefined || user.studioId === studioId || isAdministrator(user)

/**
 * Why the rule does not admit the user; undefined if it does. In a studio, administrators may make only calls whose rule names them: an owner's
 * consent is not theirs to give.
 */
const roleRejection = (who: AccessRule, user: User, studioId: number | undefined): Problem | undefined => {
  if (typeof who !== 'object') return undefined
  if (studioId !== undefined && isAdministrator(user) && !who.holds.includes('studio.admin.crud'))
    return problem('not-allowed', supportMessages.ownersOnly)
  return who.holds.some((permission) => user.permissions.includes(permission)) ? undefined : problem('not-allowed')
}

/**
 * Checks whether a user and their studio may make this call. A user who was disabled or lost a role after the token was signed is rejected
 * at the next call (section 4), as is an administrator whose access to the studio ended. A call outside any studio checks only the user;
 * others check the user and the studio.
 */
const checkUser = async (
  deps: Deps,
  { method, who, needs = {}, isExempt, givesPhotos, usesCodes = () => false }: AnyCall,
  { user, params, request }: Caller & { user: User },
): Promise<AuthorizedCaller | Problem> => {
  const studioId = params.studioId ?? user.studioId
  if (who === 'signed-in' || studioId === null) {
    const { rows } = await sql<{ current: boolean }>`select ${isCurrent(user)} as current`.execute(deps.db)
    return rows[0]?.current ? { user } : problem('not-signed-in')
  }
  // An invalid value is reported by the call's own struct later.
  const query = request.query as Readonly<Record<string, unknown>> // the values of a query string are strings
  const applicableNeeds = needs.when?.(query) === false ? {} : needs
  const support = await checkRequirements(deps, studioId, {
    needs: applicableNeeds,
    isChange: method !== 'GET',
    usesCodes: usesCodes === true || usesCodes(params),
    user,
    ...(params.jobId !== undefined && { job: { jobId: params.jobId, organizationId: params.organizationId } }),
    isAdministrator: isAdministrator(user),
    ...(isExempt && { isExempt }),
    ...(givesPhotos && { givesPhotos }),
  })
  return support instanceof Problem ? support : { user, ...support }
}

/** The user of a request by its bearer token: an access token, or an API token. */
const readBearerToken = async (
  deps: Deps,
  request: FastifyRequest,
): Promise<{ user: User; apiToken?: PresentedApiToken } | undefined> => {
  const token = bearerTokenOf(request)
  if (token === undefined) return undefined
  if (isApiToken(token)) return await readApiToken(deps, token)
  const user = await readAccessToken(deps, token)
  return user && { user }
}

const authorizeUser = async (
  deps: Deps,
  call: AnyCall,
  { request, params }: Caller,
): Promise<AuthorizedCaller | Problem> => {
  const { who }: { who: AccessRule } = call
  const bearer = await readBearerToken(deps, request)
  if (!bearer) return problem('not-signed-in')
  const { user, apiToken } = bearer
  const outOfScope = apiToken && scopeRejection(call, apiToken)
  if (outOfScope) return outOfScope
  const notAdmitted = roleRejection(who, user, params.studioId)
  if (notAdmitted) return notAdmitted
  if (!seesStudio(user, params.studioId)) return problem('not-found')
  const caller = await checkUser(deps, call, { user, params, request })
  return caller instanceof Problem ? caller : { ...caller, ...bearer }
}

/** Authorizes a call (section 4). Returns the details of the caller, or the problem to answer with. */
export const authorize = async (deps: Deps, call: AnyCall, caller: Caller): Promise<AuthorizedCaller | Problem> => {
  if (call.who === 'anyone') return {}
  if (call.who === 'session') return await authorizeSession(deps, caller)
  if (call.who === 'job') return await authorizeForJob(deps, caller)
  return await authorizeUser(deps, call, caller)
}
