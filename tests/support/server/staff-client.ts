import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { given } from './given.ts'
import { signToken } from './sign-token.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type StaffOptions = {
  /** Relative paths are paths of this job instead of the studio. */
  jobId?: number
  permissions?: readonly Permission[]
  /** Columns of the user that differ from the defaults. */
  user?: Parameters<ReturnType<typeof given>['user']>[1]
}
type RequestOptions = {
  permissions?: readonly Permission[]
  /** The studio in the caller's token, if it is not the studio of the path; null for none. */
  callerStudioId?: number | null
  jobId?: number
  idempotencyKey?: string
}

/**
 * Creates a user of a studio, and a client for that user's calls. `staffRequest` returns the status and the members of the body. Its path is
 * relative to the job if there is a `jobId`, otherwise to the studio; a path that starts with `/` is absolute.
 */
export const staffClient = async (
  deps: Deps,
  app: FastifyInstance,
  studioId: number,
  { jobId: defaultJobId, permissions: defaultPermissions = ['studio.crud'], user: userColumns }: StaffOptions = {},
) => {
  const role = defaultPermissions.every((permission) => permission === 'studio.crud') ? 'staff' : 'owner'
  const user = await given(deps).user(studioId, { role, ...userColumns })
  const headersFor = async ({ permissions = defaultPermissions, callerStudioId = studioId }: RequestOptions = {}) => {
    const { token } = await signToken(deps, { ...user, permissions, studioId: callerStudioId })
    return { authorization: `Bearer ${token}` }
  }
  const base = `/api/studioadmin/studios/${studioId}`
  const urlOf = (path: string, { jobId = defaultJobId }: RequestOptions): string => {
    if (path.startsWith('/')) return path
    return jobId === undefined ? `${base}/${path}` : `${base}/jobs/${jobId}/${path}`
  }
  const staffRequest = async (method: Method, path: string, payload?: object, options: RequestOptions = {}) => {
    const { idempotencyKey } = options
    const response: LightMyRequestResponse = await app.inject({
      method,
      url: urlOf(path, options),
      headers: { ...(await headersFor(options)), ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
      ...(payload && { payload }),
    })
    return { status: response.statusCode, ...response.json() }
  }
  return { id: user.id, headersFor, staffRequest }
}
