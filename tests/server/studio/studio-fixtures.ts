import type { FastifyInstance } from 'fastify'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'

const permissionsByRole: Readonly<Record<Role, readonly Permission[]>> = {
  administrator: ['studio.crud', 'studio.admin.crud', 'studio.users.crud', 'studio.financials.read'],
  owner: ['studio.crud', 'studio.users.crud', 'studio.financials.read'],
  staff: ['studio.crud'],
  'user-manager': ['studio.users.crud'],
}

/** A `user-manager` manages the staff and may do nothing else. */
export type Role = 'administrator' | 'owner' | 'staff' | 'user-manager'
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type RequestOptions = { payload?: object | Buffer; as?: Role; headers?: Record<string, string>; studio?: number }

/** A studio, its staff, and their requests. */
export const createStudioFixtures = async (deps: Deps, app: FastifyInstance, slug = 'riverside') => {
  const { db } = deps
  const { studio, user: addUser, job } = given(deps)
  const studioId = await studio({ slug, time_zone: 'America/Chicago', is_millers_verified: false })
  const { id: userId } = await addUser(studioId, { email: `staff@${slug}.test`, name: 'Staff', role: 'owner' })

  /** Makes a request below the studio's path, as an owner unless another role is given. */
  const inject = async (
    method: Method,
    path = '',
    { payload, as = 'owner', headers = {}, studio: targetStudioId = studioId }: RequestOptions = {},
  ) => {
    const user = { id: userId, name: 'Somebody', email: `staff@${slug}.test`, permissions: permissionsByRole[as] }
    const { token } = await signToken(deps, { ...user, studioId: as === 'administrator' ? null : studioId })
    return await app.inject({
      method,
      url: `/api/studioadmin/studios/${targetStudioId}${path}`,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
  }

  /** The same, with the data of the response. */
  const request = async (method: Method, path?: string, options?: RequestOptions) => {
    const answer = await inject(method, path, options)
    return { status: answer.statusCode, ...answer.json() }
  }

  const addJob = async (organizationId: number | null, name = 'Spring') =>
    (await job(studioId, { organization_id: organizationId, name, published_at: null, gallery_enabled: false })).jobId

  const auditEntries = async () => {
    const rows = await db
      .selectFrom('audit_log')
      .select(['action', 'user_id', 'detail'])
      .where('studio_id', '=', studioId)
      .orderBy('id')
      .execute()
    return rows.map(({ action, user_id, detail }) => ({ action, byStaff: user_id === userId, detail }))
  }

  return { studioId, slug, userId, inject, request, addJob, auditEntries }
}

/** A form with one file, as browsers send it. */
export const formWith = (field: string, { name, bytes }: { name: string; bytes: Uint8Array }) => {
  const boundary = '----a-boundary-of-ours'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
